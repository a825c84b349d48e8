/** Compares the spec of a contract with its base, and requires that each breaking change is recorded. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { displayPath, type ProjectConfig } from '../project-config.ts';
import { plural } from '@specwright/server/command';
import { checkDocument, ContractError, readDocument } from '@specwright/contract/document';
import { compareWithBase } from './compare-specs.ts';
import { findBase } from './find-base.ts';
import { matchRecords, prune, readRecords, type MatchedRecords } from './records.ts';
import { formatMarkdown, formatReport, unrecorded } from './report.ts';

export type RecordedContract = Pick<ProjectConfig, 'spec' | 'records'> & Partial<Pick<ProjectConfig, 'contractName'>>;

export interface RecordedOptions {
  readonly base: string | undefined;
  readonly 'or-head': boolean;
  /** Whether the changes are not printed. */
  readonly json: boolean;
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
  onChanges: (changes: readonly object[]) => void,
): Promise<void> {
  const spec = displayPath(contract.spec);
  const working = readDocument(spec);
  const problems = await checkDocument(working);
  if (problems.length > 0) throw new ContractError(spec, problems);

  const file = displayPath(contract.records);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const records = readRecords(file, text);
  const base = findBase(spec, file, { base: options.base, orHead: options['or-head'] });
  if (base.note) console.error(`::: ${base.note}`);
  const summarize = (markdown: string) => options.summary && appendFileSync(options.summary, markdown);
  if (base.spec === undefined) {
    summarize(`## Breaking changes\n\n\`${spec}\` is new: ${base.name} has none.\n`);
    onChanges([]);
    if (!options.json) console.log(`${spec} is new: ${base.name} has none, so no client can break`);
    return;
  }

  const changes = await compareWithBase({ ...base, spec: base.spec }, working, new Date());
  const matched = matchRecords(changes, records, readRecords(`${base.file} (records)`, base.records ?? ''));
  const files = { spec, records: file, baseFile: base.file, baseName: base.name };
  summarize(formatMarkdown(matched, files));
  const unused = [...matched.stale, ...matched.merged];
  if (options.prune && unused.length > 0) {
    writeFileSync(file, prune(file, text, unused));
    console.error(`removed ${plural(unused.length, 'record')} from ${file}`);
  }
  onChanges(matched.changes.map(toJson(spec, base.file)));
  if (!options.json) console.log(formatReport(options.prune ? { ...matched, stale: [], merged: [] } : matched, files));
  const open = unrecorded(matched.changes).length;
  if (open > 0)
    throw new Error(`${plural(open, 'breaking change')} not recorded: revert them, or record those that are intended in ${file}`);
}

/** A change with its files, and `recorded`: the reason, or null. */
const toJson =
  (spec: string, baseFile: string) =>
  ({ reason, base, working, ...change }: MatchedRecords['changes'][number]) => ({
    ...change,
    working: { file: spec, ...working },
    base: { file: baseFile, ...base },
    recorded: reason ?? null,
  });
