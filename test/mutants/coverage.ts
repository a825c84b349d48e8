/** Which lines of the sources each quick test file runs, by V8's coverage of a process for each: the tests of a mutant are those that run its line. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from './tree-copy.ts';

export interface TestCoverage {
  /** From the root of the repository, as the files of `lines`. */
  readonly test: string;
  /** Undefined if the test does not pass by itself. */
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

/** Of one test file by itself. */
const TIMEOUT_MS = 180_000;
const SOURCE = /^(packages\/[^/]+\/)?src\/.*\.ts$/;

/** Runs the tests that have changed since they were run last, or with `isFresh` all; the others are in `.cache/mutants`. */
export async function collectCoverage(
  root: string,
  tests: readonly string[],
  { isFresh = false, onResult }: { readonly isFresh?: boolean; readonly onResult?: (one: TestCoverage) => void } = {},
): Promise<TestCoverage[]> {
  const folder = join(root, '.cache', 'mutants');
  mkdirSync(folder, { recursive: true });
  const found: TestCoverage[] = [];
  for (const test of tests) {
    const path = join(folder, `${lineKey(test).replaceAll('/', '_')}.json`);
    const digest = lineKey(readFileSync(join(root, test), 'utf8'));
    const cached = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Cached) : undefined;
    if (!isFresh && cached?.digest === digest) {
      found.push(cached);
      continue;
    }
    const one = await measure(root, test);
    writeFileSync(path, JSON.stringify({ ...one, digest }));
    found.push(one);
    onResult?.(one);
  }
  return found;
}

async function measure(root: string, test: string): Promise<TestCoverage> {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  const start = performance.now();
  try {
    const { outcome } = await runTests(root, [test], TIMEOUT_MS, { NODE_V8_COVERAGE: folder });
    const seconds = (performance.now() - start) / 1000;
    const lines: Record<string, readonly string[]> = {};
    for (const [file, covered] of readCoverage(root, folder)) {
      const texts = readFileSync(join(root, file), 'utf8').split('\n');
      lines[file] = [...new Set([...covered].map((line) => lineKey(texts[line - 1] ?? '')))];
    }
    return { test, lines, ...(outcome === 'passed' && { seconds }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines that the processes of one test have run. */
function readCoverage(root: string, folder: string): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: readonly Script[] };
    for (const { url, functions } of result) {
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

function coveredLines(path: string, ranges: readonly Range[]): number[] {
  const mapPath = sourceMapOf(path);
  if (mapPath === undefined || !existsSync(mapPath)) return [];
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
    const entry = map.findEntry(i, column) as { readonly originalLine?: number };
    if ((inner?.count ?? 0) > 0 && entry.originalLine !== undefined) lines.push(entry.originalLine + 1);
  }
  return lines;
}

/** All quick test files: those of the templates are of the projects that are made of them. */
export const listQuickTests = (root: string): string[] =>
  ['test', 'packages']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.test.ts') && !/node_modules|\/template(-\w+)?\//.test(file))
    .sort();
