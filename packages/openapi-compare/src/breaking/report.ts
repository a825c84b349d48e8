/** The report of breaking changes: for a terminal, and in Markdown for the readers of a pull request. */
import { codeSpan, escapeMarkdown, printable } from '@specwright/contract/document';
import { plural } from '../compare/words.ts';
import type { ChangeLocation } from './compare-specs.ts';
import { type MatchedRecords, formatRecord } from './records.ts';

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
