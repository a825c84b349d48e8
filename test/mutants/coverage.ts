/** Which lines of the sources each quick test file runs, by V8's coverage: the tests of a mutant are those that run its line. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from './tree-copy.ts';

export interface TestCoverage {
  /** From the root of the repository, as the files of `lines`. */
  readonly test: string;
  /** Undefined if the test has failed. */
  readonly seconds?: number | undefined;
  /** By file, the lines that were run, as `lineKey` has them: their numbers change with the lines above. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

interface Cached extends TestCoverage {
  readonly digest: string;
}

/** What a line is known by. */
export const lineKey = (text: string): string => createHash('sha256').update(text.trim()).digest('base64').slice(0, 8);

/** Part of a file, as V8 counts it: an inner range overrides the outer one. */
interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

const { sourceMapOf } = (await import(new URL('../support/runner/compile.mjs', import.meta.url).href)) as {
  readonly sourceMapOf: (file: string) => string | undefined;
};

const SOURCE = /^(packages\/[^/]+\/)?src\/.*\.ts$/;
/** Most of the time of a test file is what it loads, so that many share a process. */
const RUN_SIZE = 40;
/** Of one run. */
const TIMEOUT_MS = 1_200_000;

/** Runs the tests that have changed since they were run last, or with `isFresh` all; the others are in `.cache/mutants`. */
export async function collectCoverage(root: string, tests: readonly string[], isFresh = false): Promise<TestCoverage[]> {
  const folder = join(root, '.cache', 'mutants', 'coverage');
  if (isFresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pathOf = (test: string): string => join(folder, `${lineKey(test).replaceAll('/', '_')}.json`);
  const digestOf = (test: string): string => lineKey(readFileSync(join(root, test), 'utf8'));
  const read = (test: string): Cached | undefined => {
    const path = pathOf(test);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Cached) : undefined;
  };
  const changed = tests.filter((test) => read(test)?.digest !== digestOf(test));
  // What is found is kept, also if the run is interrupted.
  for (let i = 0; i < changed.length; i += RUN_SIZE) {
    console.log(`the lines of tests: ${i} of ${changed.length}`);
    for (const one of await measure(root, changed.slice(i, i + RUN_SIZE)))
      writeFileSync(pathOf(one.test), JSON.stringify({ ...one, digest: digestOf(one.test) }));
  }
  return tests.flatMap((test) => read(test) ?? []);
}

async function measure(root: string, tests: readonly string[]): Promise<TestCoverage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  // What a test starts may run as another user.
  chmodSync(folder, 0o777);
  try {
    const { failed } = await runTests(root, tests, {
      timeoutMs: TIMEOUT_MS,
      workers: availableParallelism(),
      env: { MUTANT_COVERAGE: folder },
    });
    return readdirSync(folder).flatMap((name) => {
      const own = join(folder, name, 'test');
      if (!existsSync(own)) return [];
      const { testPath, seconds } = JSON.parse(readFileSync(own, 'utf8')) as { readonly testPath: string; readonly seconds: number };
      const test = relative(root, testPath);
      const lines: Record<string, readonly string[]> = {};
      for (const [file, covered] of readCoverage(root, join(folder, name))) {
        const texts = readFileSync(join(root, file), 'utf8').split('\n');
        lines[file] = [...new Set([...covered].map((line) => lineKey(texts[line - 1] ?? '')))];
      }
      return [{ test, lines, ...(!failed.has(test) && { seconds }) }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines that the processes of one test have run. */
function readCoverage(root: string, folder: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    for (const { url, functions } of readScripts(join(folder, name))) {
      if (!url.startsWith('file:')) continue;
      const path = fileURLToPath(url.replace(/[?#].*$/, ''));
      const file = relative(root, path);
      if (!SOURCE.test(file)) continue;
      const lines = found.get(file) ?? new Set<number>();
      found.set(file, lines);
      for (const line of coveredLines(
        path,
        functions.flatMap(({ ranges }) => ranges),
      ))
        lines.add(line);
    }
  }
  return found;
}

/** Nothing of a process that was killed while it wrote. */
function readScripts(path: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { result: readonly Script[] }).result;
  } catch {
    return [];
  }
}

function coveredLines(path: string, ranges: readonly Range[]): number[] {
  const mapPath = sourceMapOf(path);
  if (mapPath === undefined) return [];
  // What only a separate program loads is compiled by another compiler: which of its lines have run is not known.
  if (!existsSync(mapPath)) return Array.from(readFileSync(path, 'utf8').split('\n'), (_, i) => i + 1);
  const map = new SourceMap(JSON.parse(readFileSync(mapPath, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  const lines: number[] = [];
  let offset = 0;
  for (const [i, text] of readFileSync(mapPath.replace(/\.map$/, '.js'), 'utf8')
    .split('\n')
    .entries()) {
    const column = text.search(/\S/);
    const at = offset + column;
    offset += text.length + 1;
    if (column < 0) continue;
    const inner = ranges.findLast(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
    // A function that begins on the line, as in `const isOpen = () => ...`, may run more often than the line.
    const isRun = (inner?.count ?? 0) > 0 || ranges.some(({ startOffset, count }) => count > 0 && startOffset > at && startOffset < offset);
    const entry = map.findEntry(i, column) as { readonly originalLine?: number };
    if (isRun && entry.originalLine !== undefined) lines.push(entry.originalLine + 1);
  }
  return lines;
}

/** All quick test files, and the only ones of the embedded database: those of the templates are of the projects that are made of them. */
export const listTests = (root: string): string[] =>
  ['test', 'packages']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((file) => /\.test\.ts$|\/embedded\.slow\.ts$/.test(file) && !/node_modules|\/dist\/|\/template(-\w+)?\//.test(file))
    .sort();
