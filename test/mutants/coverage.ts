/** Which lines of the sources each quick test file runs, by V8's coverage: the tests of a mutant are those that run its line. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
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

/** The code that has run, and the lines from which it was compiled. */
interface Compiled {
  readonly lineLengths: readonly number[];
  readonly data: SourceMapPayload | null;
}

/** What a process has run. One that Node started with `NODE_V8_COVERAGE` adds the source maps that its loader has made. */
interface Report {
  readonly result: readonly { readonly url: string; readonly functions: readonly { readonly ranges: readonly Range[] }[] }[];
  readonly 'source-map-cache'?: Readonly<Record<string, Compiled>>;
}

/** A place in compiled code, and its line in the sources. */
interface Origin {
  readonly offset: number;
  /** From the root of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface Origins {
  readonly origins: readonly Origin[];
  /** Of the code. */
  readonly length: number;
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
    const { result, 'source-map-cache': maps = {} } = readReport(join(folder, name));
    for (const { url, functions } of result) {
      const compiled = url.startsWith('file:') ? (maps[url] ?? compiledHere(url)) : undefined;
      if (!compiled?.data) continue;
      const { origins, length } = originsOf(root, url, compiled);
      const counts = new Uint8Array(length);
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
        counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      for (const { offset, file, line } of origins) {
        if (counts[offset] === 0) continue;
        const lines = found.get(file) ?? new Set<number>();
        found.set(file, lines.add(line));
      }
    }
  }
  return found;
}

/** Nothing of a process that was killed while it wrote. */
function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return { result: [] };
  }
}

/** What `compile.mjs` made of a module of the test process. */
function compiledHere(url: string): Compiled | undefined {
  const path = sourceMapOf(url.replace(/[?#].*$/, ''));
  if (path === undefined || !existsSync(path)) return undefined;
  const code = readFileSync(path.replace(/\.map$/, '.js'), 'utf8');
  return { lineLengths: code.split('\n').map(({ length }) => length), data: JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload };
}

/** By the module and its compiled code: the modules of a command are loaded by many processes. */
const originsByCode = new Map<string, Origins>();

/** Where the parts of compiled code are in the sources. */
function originsOf(root: string, url: string, { lineLengths, data }: Compiled): Origins {
  const key = lineKey(`${url}${data?.mappings}`);
  const known = originsByCode.get(key);
  if (known !== undefined || data === null) return known ?? { origins: [], length: 0 };
  const map = new SourceMap(data);
  const origins: Origin[] = [];
  let offset = 0;
  for (const [i, length] of lineLengths.entries()) {
    let before: Partial<SourceMapping> = {};
    for (let column = 0; column < length; column++) {
      const entry: Partial<SourceMapping> = map.findEntry(i, column);
      if (entry.generatedLine !== i || entry.generatedColumn === before.generatedColumn) continue;
      before = entry;
      const file = entry.originalSource === undefined ? '' : relative(root, fileURLToPath(new URL(entry.originalSource, url)));
      if (SOURCE.test(file) && entry.originalLine !== undefined)
        origins.push({ offset: offset + column, file, line: entry.originalLine + 1 });
    }
    offset += length + 1;
  }
  const found = { origins, length: offset };
  originsByCode.set(key, found);
  return found;
}

/** All quick test files, and the only ones of the embedded database and of the compilers: those of the templates are of the projects that are made of them. */
export const listTests = (root: string): string[] =>
  listFiles(root, ['test', 'packages', 'conformance'], /\.test\.ts$|\/(build|embedded|find-base|type-checker)\.slow\.ts$/);

/** The tests that have the name of a file, slow ones included: of its package, and of the pet store. */
export const testsOfName = (root: string, file: string): string[] =>
  listFiles(root, [...new Set([`${file.slice(0, file.indexOf('src/'))}test`, 'test'])], /\.(test|slow)\.ts$/).filter(
    (test) => basename(test).replace(/\.\w+\.ts$/, '.ts') === basename(file),
  );

const listFiles = (root: string, folders: readonly string[], name: RegExp): string[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((file) => name.test(file) && !/node_modules|\/dist\/|\/template(-\w+)?\//.test(file))
    .sort();

/** Whether a test is of one of the packages, or of the pet store, whose service runs all of them. */
export const isNearAny = (test: string, parts: readonly string[]): boolean =>
  (/^(test|conformance)\//.test(test) && !test.startsWith('test/gates/')) || parts.some((part) => test.startsWith(`packages/${part}/`));
