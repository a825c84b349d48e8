/** Tries generated mutants with the tests that run their lines: what no test runs, and what the tests pass with, lives. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { lineKey, testsOfName, type TestCoverage } from './coverage.ts';
import type { GeneratedMutant } from './generate.ts';
import type { TreeCopy } from './tree-copy.ts';

/** Of the tests that run a line, in the order in which they are likely to notice. */
const MAX_TESTS = 10;
const MAX_SECONDS = 60;
/** What a test is taken to last that has not been measured. */
const UNSEEN_SECONDS = 40;
const UNSEEN_MS = 120_000;
/** What it counts that a test runs the line, is of the same package, and has the name of the file, beside what else of the file it runs. */
const OF_LINE = 5;
const OF_PACKAGE = 3;
const OF_NAME = 100;
/** So many lines away a line counts half. */
const NEAR_LINES = 10;
/** What it counts that a test has the words of the line. */
const OF_WORDS = 10;
/** What starting takes, and how much longer than without a mutant the tests may take, on a machine that does nothing else. */
const START_SECONDS = 15;
const SLOWER = 2;
/** What loops for ever takes a processor from the others. */
const MAX_BUSYNESS = 3;

export type Outcome = 'killed' | 'lives' | 'timed out' | 'not covered';

export interface GeneratedResult {
  readonly mutant: GeneratedMutant;
  readonly outcome: Outcome;
}

interface TestOfMutant {
  readonly test: string;
  readonly seconds: number;
  /** Whether it is not known which lines it runs, nor whether it passes without a mutant. */
  readonly isUnseen?: true;
}

/**
 * The tests that run the line of a mutant, lines near it that few tests run, and little of other files, in little time. What runs when a module is
 * loaded is seen to run in the first test of a process only: for such a line they are those that have its words. What tests with another environment
 * run is not seen: of these the tests that have the name of the file come first, slow ones if no test is seen to run the file.
 */
export function testsOf(
  root: string,
  { file, line, isTopLevel }: Pick<GeneratedMutant, 'file' | 'line' | 'isTopLevel'>,
  coverage: readonly TestCoverage[],
): TestOfMutant[] {
  const texts = readFileSync(join(root, file), 'utf8').split('\n');
  const key = lineKey(texts[line - 1] ?? '');
  const chosen: TestOfMutant[] = [];
  const running = coverage.flatMap(({ test, seconds, lines: { [file]: lines = [], ...others } }) =>
    seconds !== undefined && lines.length > 0
      ? [{ test, seconds, lines, share: lines.length / [lines, ...Object.values(others)].flat().length }]
      : [],
  );
  const seen = new Set(coverage.map(({ test }) => test));
  const unseen = testsOfName(root, file).filter((test) => !seen.has(test) && (running.length === 0 || test.endsWith('.test.ts')));
  chosen.push(...unseen.map((test) => ({ test, seconds: UNSEEN_SECONDS, isUnseen: true }) as const));
  const shareOfWords = sharesOfWords(root, texts[line - 1] ?? '', running);
  const weights = weighLines(texts, line, running);
  const candidates = running.map(({ test, seconds, lines, share }) => {
    const weight = isTopLevel ? 1 : (lines.includes(key) ? OF_LINE : 1) * lines.reduce((sum, one) => sum + (weights.get(one) ?? 0), 0);
    const fit = weight * (1 + OF_WORDS * shareOfWords(test));
    const nearness = (isNear(file, test) ? OF_PACKAGE : 1) * (basename(test) === basename(file).replace('.ts', '.test.ts') ? OF_NAME : 1);
    return { test, seconds, score: (fit * nearness * share) / (seconds + 1) };
  });
  let total = chosen.length * UNSEEN_SECONDS;
  for (const { test, seconds } of candidates.sort((a, b) => b.score - a.score)) {
    if (chosen.length >= MAX_TESTS || (chosen.length > 1 && total + seconds > MAX_SECONDS)) continue;
    total += seconds;
    chosen.push({ test, seconds });
  }
  return chosen;
}

/** What it counts that a test runs each line of a file: most near the line of the mutant, and where few tests do. */
function weighLines(texts: readonly string[], line: number, tests: readonly { readonly lines: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of tests.flatMap(({ lines }) => lines)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const [i, text] of texts.entries()) {
    const key = lineKey(text);
    const weight = 1 / ((counts.get(key) ?? 1) * (1 + Math.abs(i + 1 - line) / NEAR_LINES));
    weights.set(key, Math.max(weights.get(key) ?? 0, weight));
  }
  return weights;
}

/** @returns a function that says how many of the words of a line a test has, from 0 to 1: those that few tests have count most. */
function sharesOfWords(root: string, line: string, tests: readonly { readonly test: string }[]): (test: string) => number {
  const texts = new Map(tests.map(({ test }) => [test, new Set(readFileSync(join(root, test), 'utf8').match(/\w+/g))]));
  const weights = (line.match(/[A-Za-z]\w{2,}|\d{3,}/g) ?? []).flatMap((word) => {
    const count = [...texts.values()].filter((words) => words.has(word)).length;
    return count === 0 ? [] : [{ word, weight: 1 / count }];
  });
  const sum = (some: typeof weights): number => some.reduce((total, { weight }) => total + weight, 0);
  return (test) => sum(weights.filter(({ word }) => texts.get(test)?.has(word))) / (sum(weights) || 1);
}

const isNear = (file: string, test: string): boolean =>
  test.startsWith(file.slice(0, file.indexOf('src/'))) && file.startsWith('packages/');

/** What is known of a mutant as long as its file does not change, each test with the digest of its text. */
interface Known {
  readonly source: string;
  /** The tests that pass with it. */
  passed: Record<string, string>;
  killedBy?: Record<string, string>;
}

/** What earlier runs have found: a run that was interrupted goes on where it was, and what lives is tried with the tests that are new. */
class Results {
  readonly #path: string;
  readonly #known: Record<string, Known>;

  constructor(root: string, isFresh: boolean) {
    this.#path = join(root, '.cache', 'mutants', 'results.json');
    this.#known = !isFresh && existsSync(this.#path) ? (JSON.parse(readFileSync(this.#path, 'utf8')) as Record<string, Known>) : {};
  }

  of({ id, source }: GeneratedMutant): Known {
    const digest = lineKey(source);
    const known = this.#known[id];
    return known?.source === digest ? known : (this.#known[id] = { source: digest, passed: {} });
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(this.#known, undefined, 1));
  }
}

export interface TryOptions {
  readonly root: string;
  /** Each tries one mutant at a time. */
  readonly copies: readonly TreeCopy[];
  readonly coverage: readonly TestCoverage[];
  readonly isFresh: boolean;
  /** Whether a mutant is known to let tests hang: it is tried once. */
  readonly isTimeoutOnly: (id: string) => boolean;
  readonly onResult: (result: GeneratedResult) => void;
}

/** Tries all, and those that have timed out again, alone. @returns in the order of `mutants`. */
export async function tryMutants(mutants: readonly GeneratedMutant[], options: TryOptions): Promise<GeneratedResult[]> {
  const { root, copies, coverage, isFresh, isTimeoutOnly, onResult } = options;
  const results = new Results(root, isFresh);
  const digestOf = (test: string): string => (existsSync(join(root, test)) ? lineKey(readFileSync(join(root, test), 'utf8')) : '');
  const digests = (tests: Iterable<string>): Record<string, string> => Object.fromEntries([...tests].map((test) => [test, digestOf(test)]));
  const isSame = ([test, digest]: readonly [string, string]): boolean => digestOf(test) === digest;

  const passing = new Map<string, Promise<boolean>>();
  /** Whether a test that was not measured passes without a mutant. */
  function isPassing(copy: TreeCopy, test: string): Promise<boolean> {
    const known = passing.get(test) ?? copy.test([test], MAX_BUSYNESS * UNSEEN_MS).then(({ outcome }) => outcome === 'passed');
    passing.set(test, known);
    return known;
  }

  /** A mutant that a test does not end with is none that it has noticed. */
  async function attempt(copy: TreeCopy, mutant: GeneratedMutant): Promise<Outcome> {
    transformSync(mutant.source, { loader: 'ts', logLevel: 'silent' });
    const known = results.of(mutant);
    if (known.killedBy !== undefined && Object.entries(known.killedBy).every(isSame)) return 'killed';
    const all: TestOfMutant[] = [];
    for (const one of testsOf(root, mutant, coverage)) if (one.isUnseen !== true || (await isPassing(copy, one.test))) all.push(one);
    const tests = all.filter(({ test }) => known.passed[test] === undefined || !isSame([test, known.passed[test]]));
    if (tests.length === 0) return all.length === 0 ? 'not covered' : 'lives';
    const seconds = START_SECONDS + SLOWER * tests.reduce((sum, one) => sum + one.seconds, 0);
    const names = tests.map(({ test }) => test);
    const run = await copy.withFile(mutant.file, mutant.source, () => copy.test(names, seconds * busyness() * 1000));
    // The machine may have been busy: the next run tries it again.
    if (run.outcome === 'timed out') return 'timed out';
    if (run.outcome === 'failed') known.killedBy = digests(run.failed);
    else known.passed = { ...known.passed, ...digests(names) };
    results.save();
    return run.outcome === 'failed' ? 'killed' : 'lives';
  }

  const found = new Map<GeneratedMutant, Outcome>();
  async function tryAll(queue: GeneratedMutant[], workers: readonly TreeCopy[]): Promise<void> {
    const work = async (copy: TreeCopy): Promise<void> => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const outcome = await attempt(copy, mutant);
        found.set(mutant, outcome);
        onResult({ mutant, outcome });
      }
    };
    await Promise.all(workers.map(work));
  }
  await tryAll([...mutants], copies);
  const late = mutants.filter((mutant) => found.get(mutant) === 'timed out' && !isTimeoutOnly(mutant.id));
  await tryAll(late, copies.slice(0, 1));
  return mutants.map((mutant) => ({ mutant, outcome: found.get(mutant) ?? 'not covered' }));
}

/** How much longer something takes because of what else runs. */
const busyness = (): number => Math.min(MAX_BUSYNESS, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
