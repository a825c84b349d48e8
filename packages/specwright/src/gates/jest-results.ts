/** What a run of jest wrote with `--json`: which test files and tests failed, where, and which operations were tried. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Document, listOperations } from '@specwright/contract/document';
import { type ProjectConfig, isOfAnother } from '../project-config.ts';

/** The fields that are read here: https://jestjs.io/docs/configuration#testresultsprocessor-string */
interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Why no test of the file ran. */
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly Assertion[];
  }[];
}

interface Assertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[] | null;
  readonly location?: { readonly line: number; readonly column: number } | null;
}

export interface TestFailure {
  /** The whole name: of its `describe` blocks, and its own. Empty if the file could not be run. */
  readonly name: string;
  readonly message: string;
  readonly line?: number;
}

export interface TestFile {
  /** From the root of the project. */
  readonly file: string;
  readonly seconds: number;
  readonly failures: readonly TestFailure[];
  readonly passed: readonly { readonly ancestors: readonly string[]; readonly title: string }[];
}

/** @returns the files, slowest first; `undefined` if jest ended before it wrote them. */
export function readJestResults(file: string, root: string): readonly TestFile[] | undefined {
  if (!existsSync(file)) return undefined;
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return testResults
    .map(({ name, status, message, startTime, endTime, assertionResults }) => {
      const path = relative(root, name);
      const failures = assertionResults.filter((test) => test.status === 'failed').map((test) => toFailure(test, path));
      return {
        file: path,
        seconds: Math.round((endTime - startTime) / 1000),
        failures: status === 'failed' && failures.length === 0 ? [{ name: '', message: withoutColors(message) }] : failures,
        passed: assertionResults
          .filter((test) => test.status === 'passed')
          .map(({ ancestorTitles, title }) => ({ ancestors: ancestorTitles, title })),
      };
    })
    .sort((a, b) => b.seconds - a.seconds);
}

function toFailure({ ancestorTitles, title, failureMessages, location }: Assertion, file: string): TestFailure {
  const message = withoutColors(failureMessages?.join('\n') ?? '');
  // The line that threw, in the test itself; else where the test begins.
  const thrown = message
    .split('\n')
    .map((text) => (text.includes(file) ? /:(\d+):\d+\)?$/.exec(text)?.[1] : undefined))
    .find((line) => line !== undefined);
  const line = thrown === undefined ? location?.line : Number(thrown);
  return { name: [...ancestorTitles, title].join(' › '), message, ...(line !== undefined && { line }) };
}

const withoutColors = (text: string): string => text.replace(/\u001b\[\d+(?:;\d+)*m/g, '');

/** Which operations of the contract the tests called, and which of the statuses that they declare they got. */
export interface OperationCoverage {
  /** Of one of several contracts: its name. */
  readonly contract: string | undefined;
  readonly operations: number;
  /** Operations of which at least one test passed. */
  readonly tested: number;
  readonly statuses: number;
  readonly answered: number;
  /** `getPet 404`, of operations that answer anything else than 501. */
  readonly missing: readonly string[];
}

/**
 * By the names that `walkContract` and `testOperations` give their tests: below the operation's id, `answers 200 as declared`. Several
 * contracts may have an operation of one name: the tests in the folder of another do not count.
 */
export function coverageOf(
  project: Pick<ProjectConfig, 'root' | 'contractName' | 'contracts'>,
  document: Document,
  tests: readonly TestFile[],
): OperationCoverage {
  const files = tests.filter(({ file }) => !isOfAnother(project, join(project.root, file)));
  const titles = new Map<string, Set<string>>();
  for (const { ancestors, title } of files.flatMap(({ passed }) => passed))
    for (const ancestor of ancestors) titles.set(ancestor, (titles.get(ancestor) ?? new Set()).add(title));
  const declared = listOperations(document).map(({ operation }) => ({
    id: operation.operationId ?? '',
    statuses: Object.keys(operation.responses),
  }));
  const isAnswered = (id: string, status: string) => titles.get(id)?.has(`answers ${status} as declared`) === true;
  const pairs = declared.flatMap(({ id, statuses }) => statuses.map((status) => ({ id, status })));
  const unwritten = (id: string) => titles.get(id)?.has('answers 501 until it is implemented') === true;
  return {
    contract: project.contractName,
    operations: declared.length,
    tested: declared.filter(({ id }) => titles.has(id)).length,
    statuses: pairs.length,
    answered: pairs.filter(({ id, status }) => isAnswered(id, status)).length,
    missing: pairs.filter(({ id, status }) => !isAnswered(id, status) && !unwritten(id)).map(({ id, status }) => `${id} ${status}`),
  };
}
