/**
 * What a package imports is in its own package.json, and what is there is used: nothing resolves by luck of where npm puts it. What is
 * bundled (`scripts/bundle-libraries.mjs`) is imported by `src/libraries` alone, and is in `devDependencies`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const folders = readdirSync('packages', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('packages', name))
  .concat('conformance');
const packages = folders.map((folder) => ({ folder, ...read(folder) }));
const root = read('.');

const LIBRARIES = join('src', 'libraries');
/** What a server requires as one file, and files that are copied. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  [join('packages', 'contract')]: ['js-yaml', 'qs'],
  [join('packages', 'postgres')]: ['@opentelemetry/api'],
  [join('packages', 'server')]: ['@opentelemetry/api', 'express', 'swagger-ui-dist'],
};

/** The texts of the files that a package is made of. @param bundled whether those of `src/libraries`, or the others. */
function sourcesOf(folder: string, bundled = false): string[] {
  const parts = ['src', 'bin']
    .map((part) => join(folder, part))
    .filter((part) => readdirSync(folder).includes(part.slice(folder.length + 1)));
  const files = parts.flatMap((part) => readdirSync(part, { recursive: true, encoding: 'utf8' }).map((file) => join(part, file)));
  return files
    .filter((file) => /\.m?[jt]s$/.test(file) && file.startsWith(join(folder, LIBRARIES)) === bundled)
    .map((file) => readFileSync(file, 'utf8'));
}

/** The packages that a file imports: `knex` of `knex/lib/x`, `@a/b` of `@a/b/c`. */
const importedBy = (text: string): string[] =>
  ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !/^(\.|node:)/.test(name) && !builtinModules.includes(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );

const declared = ({ dependencies, peerDependencies }: Manifest): Versions => ({ ...dependencies, ...peerDependencies });

test.each(packages)('$name declares what it imports', (manifest) => {
  const imported = new Set(sourcesOf(manifest.folder).flatMap(importedBy));
  // Of what is bundled modules import types alone, which `npm run boundaries` asserts.
  const known = { ...declared(manifest), ...manifest.devDependencies };
  expect([...imported].filter((name) => known[name] === undefined && known[`@types/${name}`] === undefined)).toEqual([]);
});

test.each(packages)(
  '$name bundles its devDependencies, in the versions that this repository is tested with',
  ({ folder, devDependencies = {} }) => {
    const imported = new Set(sourcesOf(folder, true).flatMap(importedBy));
    const libraries = [...imported].filter((name) => !packages.some((ours) => ours.name === name));
    expect(Object.keys(devDependencies)).toEqual([...libraries, ...(REQUIRED[folder] ?? [])].sort());
    const tested = { ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies };
    for (const [name, version] of Object.entries(devDependencies)) expect([name, version]).toEqual([name, tested[name]]);
  },
);

/** Those of our packages that come with one. */
function broughtBy(manifest: Manifest): Manifest[] {
  const direct = packages.filter(({ name }) => manifest.dependencies?.[name] !== undefined);
  return direct.flatMap((other) => [other, ...broughtBy(other)]);
}

test.each(packages)('$name uses what it declares', (manifest) => {
  const texts = sourcesOf(manifest.folder);
  // Types that its declarations need; and the peers of the packages that it depends on, which whoever installs it has to bring.
  const needed = (name: string) =>
    texts.some((text) => text.includes(`'${name}`)) ||
    (name.startsWith('@types/') && texts.some((text) => text.includes(`'${name.slice('@types/'.length)}'`))) ||
    broughtBy(manifest).some((other) => other.peerDependencies?.[name] !== undefined);
  expect(Object.keys(declared(manifest)).filter((name) => !needed(name))).toEqual([]);
});

test.each(packages)('$name asks for the peers of the packages that it depends on', (manifest) => {
  for (const other of packages) {
    if (manifest.dependencies?.[other.name] === undefined) continue;
    expect(manifest.dependencies[other.name]).toBe(other.version);
    const optional = Object.keys(other.peerDependenciesMeta ?? {});
    const required = Object.entries(other.peerDependencies ?? {}).filter(([name]) => !optional.includes(name));
    // A program for `npx` is installed where nothing else is: it brings them.
    const brought = Object.entries(manifest.dependencies).map(([name, version]) => [name, `^${version}`]);
    expect({ ...Object.fromEntries(brought), ...manifest.peerDependencies }).toMatchObject(Object.fromEntries(required));
  }
});

test.each(packages)('$name asks for the versions that this repository is tested with', (manifest) => {
  const tested = { ...root.dependencies, ...root.devDependencies };
  for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
    if (tested[name] !== undefined) expect([name, version]).toEqual([name, tested[name]]);
  const optional = Object.keys(manifest.peerDependenciesMeta ?? {});
  for (const [name, range] of Object.entries(manifest.peerDependencies ?? {}))
    if (!optional.includes(name)) expect([name, range]).toEqual([name, `^${String(tested[name])}`]);
});

test.each(packages)('$name is imported by its name alone', ({ name }) => {
  const others = [...folders.flatMap((folder) => sourcesOf(folder)), ...sourcesOf('.')];
  expect(others.filter((text) => text.includes(`'${name}/src`) || text.includes(`'${name}/dist`))).toEqual([]);
});

test('a new project starts with the versions that this repository is tested with', () => {
  const template = read('packages/specwright/template');
  const tested = { ...root.dependencies, ...root.devDependencies };
  const versions = { ...template.dependencies, ...template.devDependencies };
  expect(Object.keys(versions).length).toBeGreaterThan(15);
  for (const [name, version] of Object.entries(versions)) expect([name, version]).toEqual([name, tested[name]]);
});
