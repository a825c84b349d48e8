/** Compares two documents by the names of their files; the old one may be a file of a commit. */
import { existsSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { parseSource, readDocument, type ReadOptions, type SourceDocument } from '@specwright/contract/document';
import { fileOfCommit, readAtCommit } from './checkout.ts';
import { listSpecChanges } from './breaking/compare-specs.ts';
import { type MatchedRecords, matchRecords, readRecords } from './breaking/records.ts';
import { type PublishedChange, publishChanges } from './changelog/changelog.ts';

export interface CompareOptions extends ReadOptions {
  /** The file of the intended breaking changes, each with its reason. It need not exist. */
  readonly records?: string | undefined;
  /** Decides which operations are past their sunset. */
  readonly now?: Date;
}

export interface FileComparison {
  /** What breaks clients, with the reasons that are recorded, and the records that match nothing. */
  readonly breaking: MatchedRecords;
  /** All that clients can notice, breaking or not, for people. */
  readonly changes: readonly PublishedChange[];
}

/**
 * Compares two files.
 *
 * @param base a file, or a file of a commit, as git names it: `main:openapi.yaml` from the root of the repository, `main:./openapi.yaml` from here.
 * @throws ContractError with every problem that only the new document has, or if one cannot be read.
 */
export async function compareFiles(base: string, working: string, options: CompareOptions = {}): Promise<FileComparison> {
  const { records: file, now = new Date(), ...readOptions } = options;
  const after = readDocument(working, readOptions);
  const before = readBase(base, readOptions);
  const records = file !== undefined && existsSync(file) ? readRecords(file, readFileSync(file, 'utf8')) : [];
  const { compared, breaking } = await listSpecChanges(before, after, now);
  return { breaking: matchRecords(breaking, records, []), changes: publishChanges(before, after, compared, records) };
}

function readBase(name: string, options: ReadOptions): SourceDocument {
  const [, commit, path] = /^([^:]+):(.+)$/.exec(name) ?? [];
  if (existsSync(name) || commit === undefined || path === undefined) return readDocument(name, options);
  const file = fileOfCommit(process.cwd(), path);
  const show = (of: string) => readAtCommit(process.cwd(), commit, of);
  const spec = show(file);
  if (spec === undefined) throw new Error(`${name}: there is no such file, and git has no file ${file} in ${commit}`);
  // A part is named after the document, with its commit unless the document is in the root.
  const read = (part: string) => show(part.replace(`${commit}:`, '').replaceAll(sep, '/'));
  return parseSource(`${commit}:${file}`, spec, { ...options, read });
}
