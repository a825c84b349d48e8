/** What a run of the gates tells: lines for the terminal and annotations, and Markdown for the summary and the pull request. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plural } from '@specwright/server/command';
import { type Gate, formatProcessorTime, processorTimeProblem } from './gates-file.ts';
import type { OperationCoverage } from './jest-results.ts';
import type { Outcome, Run } from './run-gates.ts';

const MAX_LISTED = 50;
const SLOWEST_FILES = 5;
/** A comment may have 65,536 characters. */
const MAX_REPORT = 50_000;

interface Problem extends Partial<Located> {
  readonly message: string;
}

/** The problems of a gate that failed, with their places. */
function problemsOf({ gate, output, passed, tests }: Outcome, root: string): readonly Problem[] {
  if (passed) return [];
  const failed = tests?.flatMap(({ file, failures }) => failures.map((failure) => ({ ...failure, file }))) ?? [];
  const problems = gate.jest
    ? failed.map(({ file, name, line, message }) => ({ file, ...(line && { line }), message: `${name}\n${firstLines(message)}`.trim() }))
    : findLocations(output, root);
  return problems.length > 0 ? problems : [{ message: `\`${gate.run}\` failed, see its log` }];
}

const firstLines = (message: string): string => message.split(/\n +at /)[0]?.slice(0, 2000) ?? '';

const aloneMessage = (name: string): string => `passed only when run alone: ${name === '' ? 'the whole file' : name}`;

/** @returns the lines to print, the failures on standard error. */
export function formatTerminal({ results, skipped, left, folder, processorTime }: Run, root: string): { out: string[]; err: string[] } {
  const line = ({ seconds, gate }: Outcome) => `${seconds} s  ${gate.name}`;
  const failed = results.filter(({ passed }) => !passed);
  const slow = processorTimeProblem(processorTime);
  const counts = [`${results.length - failed.length} passed`, `${failed.length} failed`];
  return {
    out: [
      ...results.filter(({ passed }) => passed).map((result) => `passed: ${line(result)}`),
      ...skipped.map(({ name, otherwise }) => `skipped: ${name}${otherwise === undefined ? '' : ` (${otherwise})`}`),
      ...left.map((gate) => `NOT RUN: ${gate.name} (${howToRun(gate)})`),
      ...results.flatMap(({ passedAlone }) => passedAlone.map(({ file, name }) => `WARNING: ${file} ${aloneMessage(name)}`)),
      ...formatProcessorTime(processorTime),
      `logs and reports: ${folder.replace(`${root}/`, '')}`,
      `gates: ${[...counts, ...countOf(skipped, 'skipped'), ...countOf(left, 'not run')].join(', ')}`,
    ],
    err: [...failed.map((result) => `FAILED: ${line(result)} (${result.gate.run})`), ...(slow === undefined ? [] : [`FAILED: ${slow}`])],
  };
}

const countOf = (gates: readonly unknown[], what: string): string[] => (gates.length > 0 ? [`${gates.length} ${what}`] : []);

/** What runs a gate of another group. */
export const howToRun = ({ run, group }: Gate): string => (group === undefined ? run : `bash .ci/run --group ${group}`);

/** Workflow commands of GitHub, errors first. */
export function formatAnnotations({ results, processorTime }: Run, root: string): string[] {
  const errors = results.flatMap((result) =>
    problemsOf(result, root).map((problem) => formatAnnotation('error', result.gate.name, problem)),
  );
  const warnings = results.flatMap(({ gate, passedAlone }) =>
    passedAlone.map(({ file, name, line = 1 }) => formatAnnotation('warning', gate.name, { file, line, message: aloneMessage(name) })),
  );
  const slow = processorTimeProblem(processorTime);
  if (slow !== undefined)
    errors.unshift(formatAnnotation('error', 'processor time', { file: '.config/gates.yaml', line: 1, message: slow }));
  return [...errors.slice(0, MAX_ANNOTATIONS), ...warnings.slice(0, MAX_ANNOTATIONS)];
}

/** The state of all gates, then what each reports. */
export function formatMarkdown(run: Run, root: string, coverage: readonly OperationCoverage[]): string {
  const { results, skipped, left, processorTime } = run;
  const failed = results.filter(({ passed }) => !passed);
  const warnings = results.flatMap(({ passedAlone }) => passedAlone);
  const rows = [
    ...results.map(({ gate, passed, seconds }) => `| ${passed ? '✅' : '❌'} | ${gate.name} | ${seconds} s | \`${gate.run}\` |`),
    ...skipped.map(({ name, otherwise = '' }) => `| ➖ | ${name} | skipped | ${otherwise} |`),
    ...left.map((gate) => `| ➖ | ${gate.name} | not run here | \`${howToRun(gate)}\` |`),
  ];
  return [
    `## Gates: ${failed.length === 0 ? 'all passed' : `${plural(failed.length, 'gate')} failed`}`,
    `| | Gate | Time | Command |\n| --- | --- | --- | --- |\n${rows.join('\n')}`,
    formatProcessorTime(processorTime).join('\n'),
    ...failed.map((result) => formatProblems(result, root)),
    ...(warnings.length === 0
      ? []
      : [
          `### ⚠️ ${plural(warnings.length, 'test')} passed only when run alone\n\nThe machine was busy when it failed, or it depends on other tests: make it independent of both.\n\n${list(warnings.map(({ file, name }) => `\`${file}\`: ${name}`))}`,
        ]),
    ...coverage.map(formatCoverage),
    ...results.flatMap(({ gate }) => (gate.report === undefined ? [] : readReport(join(run.folder, gate.report)))),
    ...results.flatMap(formatSlowest),
  ].join('\n\n');
}

function formatProblems(result: Outcome, root: string): string {
  const lines = problemsOf(result, root).map(({ file, line, message }) => {
    const [first = '', ...rest] = message.split('\n');
    const place = file === undefined ? '' : `\`${file}${line === undefined ? '' : `:${line}`}\` `;
    return `${place}${first}${rest.length === 0 ? '' : `\n  \`\`\`\`\n${rest.map((text) => `  ${text}`).join('\n')}\n  \`\`\`\``}`;
  });
  return `### ❌ ${result.gate.name}\n\n${list(lines)}`;
}

function list(lines: readonly string[]): string {
  const more = lines.length > MAX_LISTED ? [`… and ${lines.length - MAX_LISTED} more`] : [];
  return [...lines.slice(0, MAX_LISTED), ...more].map((line) => `- ${line}`).join('\n');
}

function formatCoverage({ contract, operations, tested, statuses, answered, missing }: OperationCoverage): string {
  const rest = missing.length === 0 ? '' : `\n\nNot answered by a test: ${missing.slice(0, MAX_LISTED).map((pair) => `\`${pair}\``).join(', ')}`; // prettier-ignore
  return `### Coverage of operations${contract === undefined ? '' : ` of ${contract}`}\n\n${tested} of ${operations} operations are tested; ${answered} of ${statuses} declared statuses are answered in the contract tests.${rest}`;
}

const readReport = (file: string): string[] => (existsSync(file) ? [readFileSync(file, 'utf8').trim().slice(0, MAX_REPORT)] : []);

function formatSlowest({ tests = [] }: Outcome): string[] {
  if (tests.length === 0) return [];
  const rows = tests.slice(0, SLOWEST_FILES).map(({ file, seconds }) => `${seconds} s \`${file}\``);
  return [`<details><summary>Slowest test files</summary>\n\n${list(rows)}\n\n</details>`];
}

/** GitHub shows 10 of each level for a step: the rest is in the summary and in the logs. https://docs.github.com/en/rest/checks */
const MAX_ANNOTATIONS = 10;

/**
 * `::error file=src/main.ts,line=3::message`
 *
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
 */
export function workflowCommand(level: string, properties: Readonly<Record<string, string | number | undefined>>, message: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const given = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return `::${level} ${given.join(',')}::${escaped(message)}`;
}

const formatAnnotation = (level: 'error' | 'warning', title: string, { file, line, column, message }: Problem): string =>
  workflowCommand(level, { file, line, col: column, title }, message);

/** Finds the places that a gate's output names: of type errors, lint, spec lint, breaking changes and stale generated files. */
interface Located {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

const MAX_MESSAGE = 500;

/** The compiler's `file(line,column): error TS1: message`, and this project's `file:line:column message`, which may have a `:` more. */
const FORMS = [
  /^(?<file>[^\s():]+)\((?<line>\d+),(?<column>\d+)\): (?<message>.+)$/,
  /^(?<file>[^\s():]+):(?<line>\d+)(?::(?<column>\d+))?:? +(?<message>[^ ].*)$/,
];
/** ESLint's own form: the path on a line of its own, below it `line:column  error  message  rule`. */
const ESLINT_PROBLEM = /^ +(?<line>\d+):(?<column>\d+) +(?:error|warning) +(?<message>[^ ].*)$/;
/** Prettier names files only. */
const PRETTIER = /^\[(?:warn|error)\] (?<file>\S+\.\w+)$/;

/** @param root of the project: a place is one only if its file exists there. */
function findLocations(output: string, root: string): readonly Located[] {
  const found: Located[] = [];
  let linted: string | undefined;
  const isFile = (file: string) => existsSync(join(root, file));
  const add = (file: string, groups: Record<string, string | undefined>) => {
    const { line = '1', column, message = 'its format is not that of Prettier: npm run format' } = groups;
    const text = message.replace(/ {2,}/g, '  ').slice(0, MAX_MESSAGE);
    found.push({ file, line: Number(line), ...(column !== undefined && { column: Number(column) }), message: text });
  };
  for (const line of output.split('\n')) {
    const problem = ESLINT_PROBLEM.exec(line)?.groups;
    if (problem !== undefined && linted !== undefined) add(linted, problem);
    if (/^\S/.test(line)) linted = undefined;
    if (line.startsWith(`${root}/`) && existsSync(line.trim())) linted = line.trim().slice(root.length + 1);
    const unformatted = PRETTIER.exec(line)?.groups;
    if (unformatted?.['file'] !== undefined && isFile(unformatted['file'])) add(unformatted['file'], {});
    for (const form of FORMS) {
      const groups = form.exec(line)?.groups;
      if (groups?.['file'] === undefined || !isFile(groups['file'])) continue;
      add(groups['file'], groups);
      break;
    }
  }
  return found;
}
