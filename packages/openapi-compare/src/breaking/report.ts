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
      `${formatLocation(spec, change.working)}  ${change.change} (${change.rule})`,
      `    before:  ${formatLocation(baseFile, change.base)}`,
      ...(change.operations.length > 0 ? [`    in:      ${nameOperations(change.operations)}`] : []),
      `    impact:  ${change.impact}`,
      ...(change.reason === undefined ? [`    instead: ${change.fix}`] : [`    recorded: ${printable(change.reason)}`]),
      ...(change.reason === undefined && records !== undefined
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
  if (changes.length === 0) return `${spec}: no breaking changes against ${baseName}`;
  const open = unrecorded(changes).length;
  const recorded = records === undefined ? '' : open === 0 ? ', all recorded' : `, ${open} not recorded`;
  return `${spec}: ${plural(changes.length, 'breaking change')} against ${baseName}${recorded}`;
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
  const state = ({ reason }: RecordedChange) =>
    reason === undefined ? (records === undefined ? ':x:' : ':x: not recorded') : `:warning: recorded: ${cell(reason)}`;
  const row = (change: RecordedChange) =>
    `| ${state(change)} | ${escapeMarkdown(change.change)}<br>\`${change.rule}\` ` +
    `| ${escapeMarkdown(change.impact)} | ${codeSpan(`${change.working.file ?? spec}:${change.working.line}`)} | ${change.base.file === undefined ? '' : `${codeSpan(change.base.file)} `}line ${change.base.line} |`;
  const counted = records === undefined ? '' : `, ${open.length} not recorded`;
  const lines =
    changes.length === 0
      ? [`:white_check_mark: No breaking changes in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}.`]
      : [
          `${plural(changes.length, 'breaking change')} in ${codeSpan(spec)} against ${escapeMarkdown(baseName)}${counted}.`,
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

export const unrecorded = (changes: readonly RecordedChange[]) => changes.filter(({ reason }) => reason === undefined);

/** `file:line:column`. @param spec the file, if the location names none. */
export const formatLocation = (spec: string, { file = spec, line, column }: ChangeLocation) => `${file}:${line}:${column}`;
const indent = (text: string, by: string) => text.trimEnd().replace(/^/gm, by);
/** A reason in a cell of a table: Markdown of its author, in one line, without elements. */
const cell = (text: string) => printable(text.replace(/\s+/g, ' ')).replaceAll('|', '\\|').replaceAll('<', '\\<');
