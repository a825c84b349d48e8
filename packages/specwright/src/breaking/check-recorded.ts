/** Compares the spec of a contract with its base, and requires that each breaking change is recorded. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  codeSpan,
  ContractError,
  escapeMarkdown,
  type SourceDocument,
  checkDocument,
  parseSource,
  readText,
} from '@specwright/contract/document';
import { plural, print, printError } from '@specwright/server/command';
import {
  type ListedChange,
  compareWithBase,
  formatMarkdown,
  formatReport,
  listChange,
  matchRecords,
  prune,
  readRecords,
  unrecorded,
} from 'openapi-compare';
import { appendToFile, rootOfArgument, writeFile } from '../files/write-files.ts';
import { OPERATION_TABLE, displayPath, generatedDigestIn } from '../project-config.ts';
import type { RecordedContract } from '../select-contracts.ts';
import { findBase } from './find-base.ts';

export interface RecordedOptions {
  readonly base: string | undefined;
  readonly 'or-head': boolean;
  /** The spec that the base may lack. */
  readonly new: string | undefined;
  readonly isQuiet: boolean;
  /** The folder that may be written in. */
  readonly root: string;
  /** The file that gets the report in Markdown. */
  readonly summary: string | undefined;
  /** Whether records that match no change are removed. */
  readonly prune: boolean;
}

/**
 * Prints the breaking changes of a contract.
 *
 * @param onChanges gets them with their files, and `recorded`: the reason, or null.
 * @throws Error if one is not recorded, or they cannot be compared.
 */
export async function checkRecorded(
  contract: RecordedContract,
  options: RecordedOptions,
  onChanges: (changes: readonly ListedChange[]) => void,
): Promise<void> {
  const { spec, table, working } = readWorking(contract);

  const file = displayPath(contract.records);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const records = readRecords(file, text);
  const { base: given, 'or-head': orHead, new: newSpec } = options;
  const base = findBase(spec, file, { base: given, orHead, newSpec, table, allowOutside: contract.allowOutside });
  if (base.note) printError(`::: ${base.note}`);
  const summarize = (markdown: string) =>
    options.summary && appendToFile(rootOfArgument(options.summary, 'file'), resolve(options.summary), markdown);
  if (base.spec === undefined) {
    await assertValid(working);
    summarize(`## Breaking changes\n\n${codeSpan(spec)} is new: ${escapeMarkdown(base.name)} has none.\n`);
    onChanges([]);
    if (!options.isQuiet) print(`${spec} is new: ${base.name} has none, so no client can break`);
    return;
  }

  const changes = await compareWithBase({ ...base, spec: base.spec }, working, new Date());
  const matched = matchRecords(changes, records, readRecords(`${base.file} (records)`, base.records ?? ''));
  const files = { spec, records: file, baseFile: base.file, baseName: base.name, prune: '`npx specwright check-breaking --prune`' };
  summarize(formatMarkdown(matched, files));
  const unused = [...matched.stale, ...matched.merged];
  if (options.prune && unused.length > 0) {
    writeFile(options.root, resolve(file), prune(file, text, unused));
    printError(`removed ${plural(unused.length, 'record')} from ${file}`);
  }
  onChanges(matched.changes.map(listChange(spec, base.file)));
  if (!options.isQuiet) print(formatReport(options.prune ? { ...matched, stale: [], merged: [] } : matched, files));
  const open = unrecorded(matched.changes).length;
  if (open > 0)
    throw new Error(`${plural(open, 'breaking change')} not recorded: revert them, or record those that are intended in ${file}`);
}

/**
 * The spec of a contract, with the file of its generated table of operations, if it has one. It is checked beside its base: what is wrong with
 * both is no change.
 */
export function readWorking({ spec: file, generated, allowOutside }: RecordedContract): {
  readonly spec: string;
  readonly table: string | undefined;
  readonly working: SourceDocument;
} {
  const spec = displayPath(file);
  const table = generated === undefined ? undefined : displayPath(join(generated, OPERATION_TABLE));
  const generatedDigest = table !== undefined && existsSync(table) ? generatedDigestIn(readFileSync(table, 'utf8')) : undefined;
  return { spec, table, working: parseSource(spec, readText(spec), { generatedDigest, allowOutside }) };
}

/** Of a spec without a base. @throws ContractError with every problem. */
export async function assertValid(working: SourceDocument): Promise<void> {
  const problems = await checkDocument(working);
  if (problems.length > 0) throw new ContractError(working.file, problems);
}
