/** The report of breaking changes: for a terminal, and in Markdown for the readers of a pull request. */
import { codeSpan, escapeMarkdown, printable } from '@specwright/contract/document';
import { plural } from '../compare/words.ts';
import type { ChangeLocation } from './compare-specs.ts';
import { type MatchedRecords, formatRecord } from './records.ts';

/** What was compared, by the names of its files. */
export interface ComparedFiles {
  readonly spec: string;
  /** The record of intended changes, if there is one. */
  readonly records?: string | undefined;
  /** As `git show` takes it. */
  readonly baseFile: string;
  readonly baseName: string;
  /** How records that match no change are removed: a command, if one does it. */
  readonly prune?: string | undefined;
}

type RecordedChange = MatchedRecords['changes'][number];

/** For a terminal: each change with both locations, its impact, and how to record it. */
export function formatReport(matched: MatchedRecords, files: ComparedFiles): string {
  return [...formatBlocks(matched, files), formatSummary(matched, files)].join('\n');
}

/** The changes one by one, then notes on records that are not needed. */
export function formatBlocks({ changes, stale, merged }: MatchedRecords, { spec, records, baseFile, prune }: ComparedFiles): string[] {
  const blocks = changes.map((change) =>
    [
      `${formatLocation(spec, change.working)}  ${change.isWarning === true ? 'warning: ' : ''}${change.change} (${change.rule})`,
      `    before:  ${formatLocation(baseFile, change.base)}`,
      ...(change.operations.length > 0 ? [`    in:      ${nameOperations(change.operations)}`] : []),
      `    impact:  ${change.impact}`,
      ...(change.reason === undefined ? [`    instead: ${change.fix}`] : [`    recorded: ${printable(change.reason)}`]),
      ...(isOpen(change) && records !== undefined
        ? [`    if intended, add to ${records}, with the reason:`, indent(formatRecord(change), '             ')]
        : []),
    ].join('\n'),
  );
  const by = prune === undefined ? '' : ` by ${prune}`;
  const notes = stale.map(({ rule, at }) => `note: ${records} records ${rule} at ${at}, which is not found: remove it${by}`);
  if (merged.length > 0)
    notes.push(`note: ${records} has ${plural(merged.length, 'record')} of changes that the base contains: remove them${by}`);
  return [...blocks, ...notes];
}

export function formatSummary({ changes }: MatchedRecords, { spec, records, baseName }: ComparedFiles): string {
  return `${spec}: ${count(changes)} against ${baseName}${countOpen(changes, records, ', all recorded')}`;
}

/** `2 breaking changes`, `no breaking changes, 1 warning` */
function count(changes: readonly RecordedChange[]): string {
  const warnings = changes.filter(({ isWarning }) => isWarning === true).length;
  const breaking = changes.length - warnings;
  return `${breaking === 0 ? 'no breaking changes' : plural(breaking, 'breaking change')}${warnings === 0 ? '' : `, ${plural(warnings, 'warning')}`}`;
}

/** @param none what is said if all are recorded. */
function countOpen(changes: readonly RecordedChange[], records: string | undefined, none: string): string {
  if (records === undefined || changes.every(({ isWarning }) => isWarning === true)) return '';
  const open = unrecorded(changes).length;
  return open === 0 ? none : `, ${open} not recorded`;
}

/** Of more operations than these the others are counted. */
const MAX_NAMED = 3;

export function nameOperations(operations: readonly string[]): string {
  const more = operations.length - MAX_NAMED;
  return [...operations.slice(0, MAX_NAMED), ...(more > 0 ? [plural(more, 'more operation')] : [])].join(', ');
}

/** For the summary of a CI job. */
export function formatMarkdown({ changes, stale, merged }: MatchedRecords, { spec, records, baseName, prune }: ComparedFiles): string {
  const open = unrecorded(changes);
  const state = ({ reason, isWarning }: RecordedChange) => {
    if (reason !== undefined) return `:warning: recorded: ${cell(reason)}`;
    return isWarning === true ? ':warning: warning' : records === undefined ? ':x:' : ':x: not recorded';
  };
  const row = (change: RecordedChange) =>
    `| ${state(change)} | ${escapeMarkdown(change.change)}<br>\`${change.rule}\` ` +
    `| ${escapeMarkdown(change.impact)} | ${codeSpan(`${change.working.file ?? spec}:${change.working.line}`)} | ${change.base.file === undefined ? '' : `${codeSpan(change.base.file)} `}line ${change.base.line} |`;
  const lines =
    changes.length === 0
      ? [`:white_check_mark: No breaking changes in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}.`]
      : [
          `${count(changes)} in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}${countOpen(changes, records, ', 0 not recorded')}.`,
          '',
          '| | Change | Impact | Location | Before |',
          '|-|--------|--------|----------|--------|',
          ...changes.map(row),
        ];
  if (open.length > 0 && records !== undefined)
    lines.push(
      '',
      `Revert them, or add to ${codeSpan(records)}, each with its reason:`,
      '',
      '```yaml',
      open.map(formatRecord).join('').trimEnd(),
      '```',
    );
  const unused = stale.length + merged.length;
  if (unused > 0 && records !== undefined)
    lines.push(
      '',
      `${plural(unused, 'record')} in ${codeSpan(records)} no longer needed: remove${prune === undefined ? '' : ` with ${prune}`}.`,
    );
  return ['## Breaking changes', '', ...lines, ''].join('\n');
}

const isOpen = ({ reason, isWarning }: RecordedChange): boolean => reason === undefined && isWarning !== true;

/** The breaking changes that have no record; a warning needs none. */
export const unrecorded = (changes: readonly RecordedChange[]) => changes.filter(isOpen);

/** `file:line:column`. @param spec the file, if the location names none. */
export const formatLocation = (spec: string, { file = spec, line, column }: ChangeLocation) => `${file}:${line}:${column}`;
const indent = (text: string, by: string) => text.trimEnd().replace(/^/gm, by);
/** A reason in a cell of a table: Markdown of its author, in one line, without elements. */
const cell = (text: string) => printable(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|').replaceAll('<', '\\<');
