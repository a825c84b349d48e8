/** How the result of a comparison is told: to a person in a terminal, and in Markdown to the readers of a pull request. */
import { recordLines, type Settlement } from './records.ts';
import { count } from '../words.ts';

/** What was compared, by the names of its files. */
export interface Subject {
  readonly spec: string;
  readonly records: string;
  /** As `git show` takes it. */
  readonly baseFile: string;
  readonly baseName: string;
}

type Told = Settlement['findings'][number];

/** For a terminal: each finding with both places, why it breaks, and how to record it. */
export function inWords({ findings, stale, merged }: Settlement, { spec, records, baseFile, baseName }: Subject): string {
  const told = findings.map((finding) =>
    [
      `${spec}:${place(finding.working)}  ${finding.change} (${finding.rule})`,
      `    before:  ${baseFile}:${place(finding.base)}`,
      `    breaks:  ${finding.why}`,
      ...(finding.reason === undefined
        ? [`    meant?   add to ${records}, with the reason:`, indent(recordLines(finding), '             ')]
        : [`    meant:   ${finding.reason}`]),
    ].join('\n'),
  );
  const notes = [
    ...stale.map(
      ({ rule, at }) => `note: ${records} records ${rule} at ${at}, and there is no such break: \`npm run check-breaking -- --prune\``,
    ),
    ...(merged.length > 0
      ? [
          `note: ${records} has ${count(merged.length, 'record')} of breaks that the base contains already: \`npm run check-breaking -- --prune\``,
        ]
      : []),
  ];
  const open = unrecorded(findings).length;
  const validationError =
    findings.length === 0
      ? `${spec}: nothing breaks a client of ${baseName}`
      : `${spec}: ${count(findings.length, 'breaking change')} against ${baseName}, ${open === 0 ? 'all recorded' : `${open} not recorded`}`;
  return [...told, ...notes, validationError].join('\n');
}

/** For the summary of a CI job. */
export function inMarkdown({ findings, stale, merged }: Settlement, { spec, records, baseName }: Subject): string {
  const open = unrecorded(findings);
  const row = (finding: Told) =>
    `| ${finding.reason === undefined ? ':x: not recorded' : `:warning: meant: ${cell(finding.reason)}`} | ${cell(finding.change)}<br>\`${finding.rule}\` ` +
    `| ${cell(finding.why)} | \`${spec}:${finding.working.line}\` | line ${finding.base.line} |`;
  const lines =
    findings.length === 0
      ? [`:white_check_mark: Nothing in \`${spec}\` breaks a client of ${baseName}.`]
      : [
          `${count(findings.length, 'breaking change')} in \`${spec}\` against ${baseName}, ${open.length} not recorded.`,
          '',
          '| | What | Why a client breaks | Where | Before |',
          '|-|------|---------------------|-------|--------|',
          ...findings.map(row),
        ];
  const how =
    open.length === 0
      ? []
      : [
          '',
          `Take them back, or add to \`${records}\`, each with its reason:`,
          '',
          '```yaml',
          open.map(recordLines).join('').trimEnd(),
          '```',
        ];
  const unused = stale.length + merged.length;
  const note =
    unused === 0 ? [] : ['', `${count(unused, 'record')} in \`${records}\` fit nothing any more: \`npm run check-breaking -- --prune\`.`];
  return ['## Breaking changes', '', ...lines, ...how, ...note, ''].join('\n');
}

/** The findings that nobody has said are meant. */
export const unrecorded = (findings: readonly Told[]) => findings.filter(({ reason }) => reason === undefined);

const place = ({ line, column }: { line: number; column: number }) => `${line}:${column}`;
const indent = (text: string, by: string) => text.trimEnd().replace(/^/gm, by);
/** A cell of a table is one line, and its bars are not the table's. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
