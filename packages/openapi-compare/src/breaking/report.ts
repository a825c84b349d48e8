/** The report of a comparison: for a terminal, in Markdown for the readers of a pull request, and for other programs. */
import { codeSpan, ContractError, escapeMarkdown, parseYaml, printable } from '@specwright/contract/document';
import { isNode, stringify } from 'yaml';
import { z } from '../libraries/zod.ts';
import type { BreakingChange, ChangeLocation } from './compare-specs.ts';
import { explain } from '../compare/rules.ts';
import { plural } from '../compare/words.ts';
import { workflowCommand } from './workflow-command.ts';

/** What was compared, by the names of its files. */
export interface ComparedFiles {
  readonly spec: string;
  readonly records: string;
  /** As `git show` takes it. */
  readonly baseFile: string;
  readonly baseName: string;
}

type RecordedChange = MatchedRecords['changes'][number];

const PRUNE = '`npm run check-breaking -- --prune`';

/** For a terminal: each change with both locations, its impact, and how to record it. */
export function formatReport({ changes, stale, merged }: MatchedRecords, { spec, records, baseFile, baseName }: ComparedFiles): string {
  const blocks = changes.map((change) =>
    [
      `${formatLocation(spec, change.working)}  ${change.change} (${change.rule})`,
      `    before:  ${formatLocation(baseFile, change.base)}`,
      ...(change.operations.length > 0 ? [`    in:      ${nameOperations(change.operations)}`] : []),
      `    impact:  ${change.impact}`,
      ...(change.reason === undefined ? [`    instead: ${change.fix}`] : []),
      ...(change.reason === undefined
        ? [`    if intended, add to ${records}, with the reason:`, indent(formatRecord(change), '             ')]
        : [`    recorded: ${printable(change.reason)}`]),
    ].join('\n'),
  );
  const notes = stale.map(({ rule, at }) => `note: ${records} records ${rule} at ${at}, which is not found: remove it by ${PRUNE}`);
  if (merged.length > 0)
    notes.push(`note: ${records} has ${plural(merged.length, 'record')} of changes that the base contains: remove them by ${PRUNE}`);
  const open = unrecorded(changes).length;
  const summary =
    changes.length === 0
      ? `${spec}: no breaking changes against ${baseName}`
      : `${spec}: ${plural(changes.length, 'breaking change')} against ${baseName}, ${open === 0 ? 'all recorded' : `${open} not recorded`}`;
  return [...blocks, ...notes, summary].join('\n');
}

/** Of more operations than these the others are counted. */
const MAX_NAMED = 3;

export function nameOperations(operations: readonly string[]): string {
  const more = operations.length - MAX_NAMED;
  return [...operations.slice(0, MAX_NAMED), ...(more > 0 ? [plural(more, 'more operation')] : [])].join(', ');
}

/** For the summary of a CI job. */
export function formatMarkdown({ changes, stale, merged }: MatchedRecords, { spec, records, baseName }: ComparedFiles): string {
  const open = unrecorded(changes);
  const row = (change: RecordedChange) =>
    `| ${change.reason === undefined ? ':x: not recorded' : `:warning: recorded: ${cell(change.reason)}`} | ${escapeMarkdown(change.change)}<br>\`${change.rule}\` ` +
    `| ${escapeMarkdown(change.impact)} | ${codeSpan(`${change.working.file ?? spec}:${change.working.line}`)} | ${change.base.file === undefined ? '' : `${codeSpan(change.base.file)} `}line ${change.base.line} |`;
  const lines =
    changes.length === 0
      ? [`:white_check_mark: No breaking changes in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}.`]
      : [
          `${plural(changes.length, 'breaking change')} in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}, ${open.length} not recorded.`,
          '',
          '| | Change | Impact | Location | Before |',
          '|-|--------|--------|----------|--------|',
          ...changes.map(row),
        ];
  if (open.length > 0)
    lines.push(
      '',
      `Revert them, or add to ${codeSpan(records)}, each with its reason:`,
      '',
      '```yaml',
      open.map(formatRecord).join('').trimEnd(),
      '```',
    );
  const unused = stale.length + merged.length;
  if (unused > 0) lines.push('', `${plural(unused, 'record')} in ${codeSpan(records)} no longer needed: remove with ${PRUNE}.`);
  return ['## Breaking changes', '', ...lines, ''].join('\n');
}

export const unrecorded = (changes: readonly RecordedChange[]) => changes.filter(({ reason }) => reason === undefined);

/** `file:line:column`. @param spec the file, if the location names none. */
export const formatLocation = (spec: string, { file = spec, line, column }: ChangeLocation) => `${file}:${line}:${column}`;
const indent = (text: string, by: string) => text.trimEnd().replace(/^/gm, by);
/** A reason in a cell of a table: Markdown of its author, in one line, without elements. */
const cell = (text: string) => printable(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|').replaceAll('<', '\\<');

/** One intended change. The report prints the first three, to be copied; they have to match exactly. */
const schema = z.strictObject({
  rule: z.string(),
  at: z.string(),
  change: z.string(),
  reason: z.string().trim().min(1, 'an intended change needs a reason: why it is made, and what clients are told'),
});
export type BreakingRecord = z.infer<typeof schema>;

/**
 * Reads a record file. An empty one, or one of comments alone, has no records.
 *
 * @throws ContractError with every entry that is not a record.
 */
export function readRecords(file: string, text: string): BreakingRecord[] {
  const { document, locationAt, toJS } = parseYaml(file, text);
  const result = z.array(schema).safeParse(toJS() ?? []);
  if (result.success) return result.data;
  /** The location of a part, or of the nearest one around it. */
  const locationOf = (path: readonly PropertyKey[]): { line: number; column: number } => {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return locationAt(node.range[0]);
    return path.length === 0 ? { line: 1, column: 1 } : locationOf(path.slice(0, -1));
  };
  throw new ContractError(
    file,
    result.error.issues.map(({ path, message }) => ({ ...locationOf(path), message: `${path.join('/') || 'the list'}: ${message}` })),
  );
}

export interface MatchedRecords {
  readonly changes: readonly (BreakingChange & { readonly reason: string | undefined })[];
  /** Records that match no change. */
  readonly stale: readonly BreakingRecord[];
  /** Records that the base has too: they belong to a change that it contains, and match no other. */
  readonly merged: readonly BreakingRecord[];
}

/** @param baseRecords the records of the base. */
export function matchRecords(
  changes: readonly BreakingChange[],
  records: readonly BreakingRecord[],
  baseRecords: readonly BreakingRecord[],
): MatchedRecords {
  const isMerged = (record: BreakingRecord) => baseRecords.some((other) => isSame(record, other));
  const fresh = records.filter((record) => !isMerged(record));
  return {
    changes: changes.map((change) => ({ ...change, reason: fresh.find((record) => matches(record, change))?.reason })),
    stale: fresh.filter((record) => !changes.some((change) => matches(record, change))),
    merged: records.filter(isMerged),
  };
}

type Named = Pick<BreakingRecord, 'rule' | 'at' | 'change'>;
const isSame = (a: BreakingRecord, b: BreakingRecord | undefined) => b !== undefined && matches(a, b) && a.reason === b.reason;
const matches = (a: Named, b: Named) => a.rule === b.rule && a.at === b.at && a.change === b.change;

/** The lines that record a change, without the reason. */
export const formatRecord = ({ rule, at, change }: Named) =>
  stringify([{ rule, at, change, reason: '' }], { lineWidth: 0, singleQuote: true });

/**
 * The text of a record file without some of its records; all else stays unchanged.
 *
 * @throws Error if the records are not written as a list of lines, so that no part of the text belongs to one alone.
 */
export function prune(file: string, text: string, remove: readonly BreakingRecord[]): string {
  const records = readRecords(file, text);
  const [head = '', ...blocks] = text.split(/^(?=- )/m);
  if (text.startsWith('- ')) blocks.unshift(head);
  if (blocks.length !== records.length) throw new Error(`${file}: records can be removed only from a list of lines that begin with \`- \``);
  const kept = blocks.filter((_block, i) => !remove.some((record) => isSame(record, records[i])));
  return (text.startsWith('- ') ? '' : head) + kept.join('');
}

type FileLocation = ChangeLocation & { readonly file: string };

/** A change with its files, and the reason of its record, or null. */
export interface ListedChange extends Omit<BreakingChange, 'base' | 'working'> {
  readonly working: FileLocation;
  readonly base: FileLocation;
  readonly recorded: string | null;
}

/** For other programs: JSON, SARIF 2.1.0, and the commands of a GitHub workflow. */
export const FORMATS: Readonly<Record<string, (changes: readonly ListedChange[]) => string>> = {
  json: (changes) => JSON.stringify(changes, null, 2),
  sarif: (changes) => JSON.stringify(toSarif(changes), null, 2),
  github: (changes) => changes.map(toCommand).join('\n'),
};

const levelOf = ({ recorded }: ListedChange) => (recorded === null ? 'error' : 'note');

function toSarif(changes: readonly ListedChange[]): object {
  const rules = [...new Set(changes.map(({ rule }) => rule))].sort();
  const location = ({ file, line, column }: FileLocation) => ({
    physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line, startColumn: column } },
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'specwright check-breaking', rules: rules.map((id) => ({ id, help: { text: explain(id, []).fix } })) } },
        results: changes.map((change) => ({
          ruleId: change.rule,
          level: levelOf(change),
          message: { text: `${change.change} ${change.impact}` },
          locations: [location(change.working)],
          // What was there before is in another commit, which a viewer of this one does not have.
          properties: { before: change.base, operations: change.operations, recorded: change.recorded },
          partialFingerprints: { change: `${change.rule} ${change.at} ${change.change}` },
          ...(change.recorded !== null && { suppressions: [{ kind: 'external', justification: change.recorded }] }),
        })),
      },
    ],
  };
}

function toCommand(change: ListedChange): string {
  const { working, base, rule, recorded } = change;
  const text = `${change.change} ${change.impact}. ${recorded === null ? `Instead: ${change.fix}` : `Recorded: ${recorded}`}. Before: ${base.file}:${base.line}`;
  const { file, line, column: col } = working;
  return workflowCommand(recorded === null ? 'error' : 'notice', { file, line, col, title: rule }, text);
}
