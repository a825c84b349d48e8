/** Tries generated mutants with the tests that run their lines: what no test runs, and what the tests pass with, lives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { lineKey, type TestCoverage } from './coverage.ts';
import type { GeneratedMutant } from './generate.ts';
import type { TreeCopy } from './tree-copy.ts';

/** Of the tests of one mutant, which have passed in less without it. */
const TIMEOUT_MS = 120_000;
/** The tests that know most of a file are run first; the others only if they pass. */
const FIRST_TESTS = 3;
const MAX_TESTS = 10;
const MAX_SECONDS = 60;

export type Outcome = 'killed' | 'lives' | 'timed out' | 'not covered';

export interface GeneratedResult {
  readonly mutant: GeneratedMutant;
  readonly outcome: Outcome;
  readonly tests: number;
}

/** The tests that run the line of a mutant: those first that run much of its file in little time. */
export function testsOf(root: string, { file, line }: GeneratedMutant, coverage: readonly TestCoverage[]): string[] {
  const key = lineKey(readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? '');
  let seconds = 0;
  return coverage
    .flatMap((one) => {
      const lines = one.lines[file] ?? [];
      return one.seconds !== undefined && lines.includes(key)
        ? [{ test: one.test, seconds: one.seconds, score: lines.length ** 2 / (one.seconds + 1) }]
        : [];
    })
    .sort((a, b) => b.score - a.score)
    .filter((one, i) => {
      seconds += one.seconds;
      return i < FIRST_TESTS || (i < MAX_TESTS && seconds < MAX_SECONDS);
    })
    .map(({ test }) => test);
}

/** A mutant that a test does not end with is none that it has noticed. */
export async function tryGenerated(
  root: string,
  copy: TreeCopy,
  mutant: GeneratedMutant,
  coverage: readonly TestCoverage[],
): Promise<GeneratedResult> {
  transformSync(mutant.source, { loader: 'ts', logLevel: 'silent' });
  const tests = testsOf(root, mutant, coverage);
  let outcome: Outcome = tests.length === 0 ? 'not covered' : 'lives';
  for (const group of [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS)]) {
    if (group.length === 0 || outcome !== 'lives') continue;
    const { outcome: found, output } = await copy.withFile(mutant.file, mutant.source, () => copy.test(group, TIMEOUT_MS));
    const isLate = found === 'timed out' || /Exceeded timeout of \d+ ms/.test(output);
    if (found !== 'passed') outcome = isLate ? 'timed out' : 'killed';
  }
  return { mutant, outcome, tests: tests.length };
}
