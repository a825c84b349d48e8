/** The report of `npm run test:rehearse`: what was done to the service, what was lost, how long it was away. */
import type { Row } from './runner.ts';
import { formatTable } from './table.ts';

/** Tests that ran as they do every day. */
export interface TestRun {
  readonly what: string;
  readonly passed: number;
  /** The names of those that failed. */
  readonly failed: readonly string[];
}

export interface Rehearsal {
  readonly version: string;
  readonly date: string;
  readonly machine: string;
  readonly tests: readonly TestRun[];
  readonly rows: readonly Row[];
  /** The summaries of the scenarios, by their names. */
  readonly summaries: ReadonlyMap<string, string>;
  /** What was not done, with the reason. */
  readonly left: readonly string[];
}

export const hasPassed = ({ tests, rows }: Rehearsal): boolean =>
  tests.every(({ passed, failed }) => passed > 0 && failed.length === 0) &&
  rows.every(({ ok, isUnmeasurable = false }) => ok || isUnmeasurable);

/** Times from a fault until service is as before; answers that are merely slow are among the figures. */
const IS_ABSENCE = /\bafter\b|\bstop\b|\bstart\b|\buntil\b/;

/** @returns Markdown. */
export function formatReport(rehearsal: Rehearsal): string {
  const { version, date, machine, tests, rows, summaries, left } = rehearsal;
  const failures = rows.filter(({ ok, isUnmeasurable = false }) => !ok && !isUnmeasurable);
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))];
  return [
    `# Rehearsal of ${version}, ${date}`,
    hasPassed(rehearsal)
      ? 'Nothing was lost, and nothing took longer than it may.'
      : `**${failures.length + failedTests(tests)} things are not as they must be.**`,
    machine,
    '## What was done to it',
    table([
      ['what was done', 'what was lost or wrong', 'how long it was away, at most'],
      ...scenarios.map((name) => {
        const own = rows.filter(({ scenario }) => scenario === name);
        return [`${name}: ${summaries.get(name) ?? ''}`, lossOf(own), absenceOf(own)];
      }),
    ]),
    ...(tests.length === 0 ? [] : ['## Tests', testTable(tests)]),
    ...(left.length === 0 ? [] : ['## Not done', left.map((reason) => `- ${reason}`).join('\n')]),
    '## All figures',
    `\`\`\`\n${formatTable(rows)}\n\`\`\`\n`,
  ].join('\n\n');
}

const testTable = (tests: readonly TestRun[]): string =>
  table([['what', 'passed', 'failed'], ...tests.map(({ what, passed, failed }) => [what, String(passed), failed.join('; ') || 'none'])]);

const failedTests = (tests: readonly TestRun[]): number =>
  tests.reduce((sum, { passed, failed }) => sum + (failed.length || Number(passed === 0)), 0);

function lossOf(rows: readonly Row[]): string {
  const wrong = rows.filter(({ ok }) => !ok);
  const texts = wrong.map(({ measured, value, error, isUnmeasurable }) => {
    if (isUnmeasurable === true) return `${measured}: not measurable, the machine was busy`;
    return `**${measured}: ${error ?? String(Math.round(value * 100) / 100)}**`;
  });
  return texts.join('; ') || 'nothing';
}

function absenceOf(rows: readonly Row[]): string {
  const times = rows.filter(({ measured, unit, value }) => unit === 'ms' && IS_ABSENCE.test(measured) && Number.isFinite(value));
  const [longest] = [...times].sort((a, b) => b.value - a.value);
  return longest === undefined ? 'not at all, or not measured' : `${Math.round(longest.value)} ms (${longest.measured})`;
}

const table = (lines: readonly (readonly string[])[]): string => {
  const [head = [], ...rest] = lines.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return [head, head.map(() => '---'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};
