/** A migration is a new file with the next number, listed last; what is wrong with migrations is said with what to do. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import type { MigrationPlan } from '../../src/migrations/migration-plan.ts';
import { composeMigration } from '../../src/migrations/migration-file.ts';
import { migrationProblems } from '../../src/schema/read-comparison.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const FOLDER = 'src/db/migrations';
const PLAN: MigrationPlan = {
  actions: [
    { table: 'pets', part: 'ADD COLUMN a text' },
    { table: 'pets', part: 'ADD COLUMN b text' },
    { statement: 'UPDATE toys SET c = 1 WHERE c IS NULL' },
    { table: 'toys', part: 'ALTER COLUMN c SET NOT NULL' },
  ],
  entries: [],
  compatible: false,
  columns: ['pets.a', 'pets.b', 'toys.c'],
  undecided: [],
  notes: [],
};

const root = withFolder();
beforeEach(() => {
  mkdirSync(join(root.path, FOLDER), { recursive: true });
  root.write('package.json', '{ "name": "pets", "prettier": { "singleQuote": true, "printWidth": 140 } }');
});

const write = async (index: string, name?: string) => {
  writeFileSync(join(root.path, FOLDER, 'index.ts'), index);
  const migration = await composeMigration(readProjectConfig(root.path), PLAN, name);
  root.write(migration.file, migration.text);
  root.write(migration.index, migration.registered);
  return migration;
};
const read = (file: string) => readFileSync(join(root.path, FOLDER, file), 'utf8');

test('what follows each other in one table is one statement', async () => {
  expect(await write('export const schema = { migrations: [] };\n')).toMatchObject({ name: '0001_pets_and_toys' });
  expect(read('0001_pets_and_toys.ts')).toContain(`
    ALTER TABLE pets
      ADD COLUMN a text,
      ADD COLUMN b text;
    UPDATE toys SET c = 1 WHERE c IS NULL;
    ALTER TABLE toys
      ALTER COLUMN c SET NOT NULL;
`);
});

test.each([
  ['[]', "[{ name: '0001_toys', migration: toys }]"],
  ['[...OTHERS]', "[...OTHERS, { name: '0001_toys', migration: toys }]"],
  [
    "[\n    ...OTHERS,\n    { name: 'old', migration: old },\n  ]",
    "[\n    ...OTHERS,\n    { name: 'old', migration: old },\n    { name: '0001_toys', migration: toys },\n  ]",
  ],
])('it is listed last in %j, and nothing else changes', async (list, expected) => {
  const index = (value: string, imported = '') =>
    `/** The schema. */\nimport { OTHERS, old } from './others.ts';\n${imported}\nexport const schema = {\n  migrations: ${value},\n  external: [],\n};\n`;
  await write(index(list), 'toys');
  expect(read('index.ts')).toBe(index(expected, "import * as toys from './0001_toys.ts';\n"));
});

test('it has the next number, a name of its own in the module, and leaves other files alone', async () => {
  writeFileSync(join(root.path, FOLDER, '0041_toys.ts'), 'export const up = 1;\n');
  await write(
    "import * as toys from './0041_toys.ts';\n\nexport const schema = { migrations: [{ name: '0041_toys', migration: toys }] };\n",
    'toys',
  );
  expect(readdirSync(join(root.path, FOLDER)).sort()).toEqual(['0041_toys.ts', '0042_toys.ts', 'index.ts']);
  expect(read('0041_toys.ts')).toBe('export const up = 1;\n');
  expect(read('index.ts')).toContain("{ name: '0042_toys', migration: toys2 }");
});

test('where the list cannot be found nothing is written', async () => {
  await expect(write('export const schema = { migrations: makeThem() };\n')).rejects.toThrow(/index\.ts has no `schema` with a list/);
  expect(readdirSync(join(root.path, FOLDER))).toEqual(['index.ts']);
});

test.each([
  [{ unknown: ['0009_x'] }, true, /of another branch: 0009_x/, /go back to that branch, or .*`npx specwright db reset --yes`/],
  [{ edited: ['0009_x'] }, true, /edited after it had run .*: 0009_x/, /undo the edit, or .*`npx specwright db reset --yes`/],
  [{ edited: ['0009_x'] }, false, /edited/, /undo the edit, or use another DATABASE_URL/],
  [{ missing: ['0009_x'] }, false, /DATABASE_URL lacks 0009_x/, /run `npm run migrate`/],
])('%j, embedded: %s, is said with what to do', (state, embedded, message, fix) => {
  const problems = migrationProblems({ unknown: [], edited: [], missing: [], ...state }, embedded);
  expect(problems).toEqual([{ message: expect.stringMatching(message), fix: expect.stringMatching(fix) }]);
});

test('the embedded database is migrated by the server that starts: what it lacks is no problem', () => {
  expect(migrationProblems({ unknown: [], edited: [], missing: ['0009_x'] }, true)).toEqual([]);
});
