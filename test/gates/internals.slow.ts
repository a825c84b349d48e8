/** docs/contributing/internals.md names every private part of a library that the packages use, what guards it, and no other. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findPrivateParts } from '../support/private-parts.ts';

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
const packages = readdirSync('packages', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const folders = ['src', ...packages.map(({ name }) => join('packages', name, 'src'))].filter((folder) => existsSync(folder));

interface Row {
  readonly file: string;
  readonly parts: readonly string[];
  readonly guard: string;
}

const codesOf = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const rows = readFileSync('docs/contributing/internals.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map((line): Row => {
    const [, , file, parts, guard = ''] = line.split('|');
    return { file: codesOf(file)[0] ?? '', parts: codesOf(parts), guard };
  });
const listed = (parts: readonly { readonly file: string; readonly name: string }[]) =>
  parts.map(({ file, name }) => `${file}: ${name}`).sort();

test('the table has what the sources use', () => {
  const used = folders.flatMap(sourcesBelow).flatMap((file) => findPrivateParts(file, readFileSync(file, 'utf8')));
  expect(used.length).toBeGreaterThan(10);
  expect(listed(used)).toEqual(listed(rows.flatMap(({ file, parts }) => parts.map((name) => ({ file, name })))));
});

test.each(rows)('what guards the parts in $file exists', ({ guard }) => {
  const paths = codesOf(guard).filter((code) => code.includes('/'));
  expect(guard.trim()).not.toBe('');
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test.each([
  ['a name that begins with an underscore', 'response._header', ['_header']],
  ['a module that is no entry of its package', "import x from 'knex/lib/x.js'; import y from 'ajv/dist/2020.js';", ['knex/lib/x.js']],
  ['an interface that adds to types', '/** What this file uses of `pg` 8. */ interface A { b: 1; c(): void }', ['b', 'c']],
  ['a type that a value is made to have', '(a as unknown as { d: 1 } | undefined)?.d', ['d']],
  ['nothing of a stream that Node documents', 'class A extends Readable { _read() { super._read(1); } }', []],
])('finds %s', (_what, text, names) => {
  expect(findPrivateParts('a.ts', text).map(({ name }) => name)).toEqual(names);
});
