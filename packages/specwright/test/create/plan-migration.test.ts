/** Migrations that are planned from contract and tables: after them both agree, or what is left is named as undecided. */
import { expect, test } from '@jest/globals';
import { readTables } from '@specwright/postgres';
import { parseSource } from '@specwright/contract/document';
import { withDatabase } from 'specwright/testing';
import ts from 'typescript';
import { planMigration } from '../../src/migrations/plan-migration.ts';
import { mapColumn } from '../../src/migrations/add-migration.ts';
import { migrationText } from '../../src/migrations/migration-file.ts';
import { findSchemaProblems } from '../../src/schema/compare-schemas.ts';
import { parseSchemaMap } from '../../src/schema/database-locations.ts';
import { parse, walk } from '../../src/stubs/typescript-source.ts';

const database = withDatabase({ schema: 'empty' });
const MAP = `tables:
  books:
    read: [Book]
    create: [NewBook]
    columns: { id: id, title: title }
`;

interface Case {
  /** The properties that Book and NewBook have beside id and title, and those of them that Book requires. */
  readonly properties: string;
  readonly required?: string;
  /** The table, instead of one with id and title. */
  readonly columns?: string;
  readonly map?: string;
  readonly fill?: Record<string, string>;
  /** Statements that change the tables before. */
  readonly tables?: string;
}

/** Plans, runs what was planned on a table with a row, and compares again. */
async function plan({ properties, required = '', columns = '', map = MAP, fill = {}, tables: prepare = '' }: Case) {
  const schema = (name: string, more: string, requires: string) => `
    ${name}:
      type: object
      required: [${requires}]
      properties:
        ${more}
        title: { type: string, maxLength: 100 }
${properties.replace(/^/gm, '        ')}`;
  const spec = `openapi: 3.0.3
info: { title: Books, version: 1.0.0 }
paths: {}
components:
  schemas:${schema('Book', 'id: { type: integer, minimum: 1, maximum: 9007199254740991 }', `id, title, ${required}`)}${schema('NewBook', '', 'title')}
`;
  const source = parseSource('spec.yaml', spec);
  await database.db.raw(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    CREATE TABLE books (id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) PRIMARY KEY, title text NOT NULL CHECK (char_length(title) <= 100)${columns});
    INSERT INTO books (title) VALUES ('Emma'); ${prepare}`);
  const files = { dump: { file: 'schema.sql', text: '' }, migrations: [] };
  const compare = async (text: string) => {
    const tables = await readTables(database.db);
    return { tables, problems: findSchemaProblems({ source, tables, map: parseSchemaMap('map', text), mapFile: 'map', ...files }) };
  };
  const { tables, problems } = await compare(map);
  const made = planMigration({
    document: source.document,
    map: parseSchemaMap('map', map),
    tables,
    problems,
    fill: new Map(Object.entries(fill)),
  });
  const text = migrationText(made);
  const sql = statementOf(text);
  if (made.actions.length > 0) await database.db.raw(sql.replaceAll('?', '\\?'));
  const after = await compare(made.entries.reduce(mapColumn, map));
  return { ...made, sql: sql.replace(/\s+/g, ' ').trim(), left: after.problems.map(({ message }) => message), text };
}

/** What the only literal of a migration means, which has no substitutions. */
function statementOf(text: string): string {
  let sql = '';
  walk(parse('migration.ts', text), (node) => {
    if (ts.isNoSubstitutionTemplateLiteral(node)) sql += node.text;
  });
  return sql;
}

test.each<[name: string, properties: string, adds: string]>([
  ['a text', 'nickName: { type: string }', 'nick_name text'],
  ['a text with bounds', 'a: { type: string, minLength: 1, maxLength: 40 }', 'a text CHECK (char_length(a) BETWEEN 1 AND 40)'],
  ['a text with one bound', 'a: { type: string, maxLength: 40 }', 'a text CHECK (char_length(a) <= 40)'],
  ['an enum', `a: { type: string, enum: [x, "it's"] }`, `a text CHECK (a IN ('x', 'it''s'))`],
  ['a moment', 'soldAt: { type: string, format: date-time }', 'sold_at timestamptz'],
  ['a date', 'a: { type: string, format: date }', 'a date'],
  ['a decimal number', 'a: { type: string, format: decimal, maxLength: 24 }', 'a numeric'],
  ['a UUID', 'a: { type: string, format: uuid }', 'a uuid'],
  ['a flag', 'a: { type: boolean }', 'a boolean'],
  ['a number', 'a: { type: number }', 'a double precision'],
  ['a whole number', 'a: { type: integer }', 'a bigint'],
  ['a 32 bit number', 'a: { type: integer, format: int32 }', 'a integer'],
  ['a number with bounds', 'a: { type: integer, minimum: 1, maximum: 12 }', 'a integer CHECK (a BETWEEN 1 AND 12)'],
  ['a large number', 'a: { type: integer, minimum: 1, maximum: 9007199254740991 }', 'a bigint CHECK (a BETWEEN 1 AND 9007199254740991)'],
  ['a text of another schema', 'a: { allOf: [{ type: string, maxLength: 3 }] }', 'a text CHECK (char_length(a) <= 3)'],
])('%s that is optional becomes a column that may be NULL', async (_, properties, adds) => {
  const { sql, left, undecided, compatible, text } = await plan({ properties });
  expect(sql).toBe(`ALTER TABLE books ADD COLUMN ${adds};`);
  expect({ left, undecided, compatible }).toEqual({ left: [], undecided: [], compatible: true });
  expect(text).toContain('export const compatible = true;');
});

test('a property that is required and has a default is NOT NULL, and rows that exist have it', async () => {
  const { sql, left } = await plan({ properties: 'a: { type: string, enum: [x, y], default: x }', required: 'a' });
  expect(sql).toBe(`ALTER TABLE books ADD COLUMN a text NOT NULL DEFAULT 'x' CHECK (a IN ('x', 'y'));`);
  expect(left).toEqual([]);
  expect(await database.db('books').pluck('a')).toEqual(['x']);
});

test('a property that is required and has no default is undecided, until it is said what rows that exist get', async () => {
  const first = await plan({ properties: 'a: { type: integer, format: int32 }', required: 'a' });
  expect(first.actions).toEqual([]);
  expect(first.undecided).toEqual([expect.stringMatching(/^books\.a: required.* or run this with --fill books\.a=VALUE$/)]);
  const { sql, text } = await plan({ properties: 'a: { type: integer, format: int32 }', required: 'a', fill: { 'books.a': '7' } });
  expect(sql).toBe('ALTER TABLE books ADD COLUMN a integer NOT NULL DEFAULT 7; ALTER TABLE books ALTER COLUMN a DROP DEFAULT;');
  expect(await database.db('books').pluck('a')).toEqual([7]);
  expect(text).not.toContain('compatible');
});

test.each([
  ['a list', 'tags: { type: array, items: { type: string } }', /^Book\.tags is of type array/],
  ['an object', 'size: { type: object }', /^Book\.size is of type object/],
  ['a file', 'scan: { type: string, format: byte }', /^Book\.scan is of type string/],
])('%s is undecided', async (_, properties, says) => {
  const { actions, undecided } = await plan({ properties });
  expect({ actions, undecided }).toEqual({ actions: [], undecided: [expect.stringMatching(says)] });
});

const WITH = MAP.replace('title: title', 'title: title, a: a');
test.each<[name: string, column: string, properties: string, does: string]>([
  [
    'a longer text',
    'a text CHECK (char_length(a) <= 40)',
    'a: { type: string, maxLength: 50 }',
    'DROP CONSTRAINT books_a_check, ADD CONSTRAINT books_a_check CHECK (char_length(a) <= 50)',
  ],
  [
    'a value more of an enum',
    "a text CHECK (a IN ('x', 'y'))",
    'a: { type: string, enum: [x, y, z] }',
    "DROP CONSTRAINT books_a_check, ADD CONSTRAINT books_a_check CHECK (a IN ('x', 'y', 'z'))",
  ],
  ['a bound that is gone', 'a bigint CHECK (a >= 0)', 'a: { type: integer, format: int64 }', 'DROP CONSTRAINT books_a_check'],
  ['a first bound', 'a text', 'a: { type: string, maxLength: 9 }', 'ADD CONSTRAINT books_a_check CHECK (char_length(a) <= 9)'],
  [
    'a longer varchar',
    'a varchar(9)',
    'a: { type: string, maxLength: 19 }',
    'ALTER COLUMN a TYPE varchar(19), ADD CONSTRAINT books_a_check CHECK (char_length(a) <= 19)',
  ],
  ['a larger number', 'a integer', 'a: { type: integer, format: int64 }', 'ALTER COLUMN a TYPE bigint'],
  ['what may be absent', "a text NOT NULL DEFAULT ''", 'a: { type: string }', 'ALTER COLUMN a DROP NOT NULL'],
])('%s changes the column', async (_, column, properties, does) => {
  const { sql, left, undecided, compatible } = await plan({ columns: `, ${column}`, map: WITH, properties });
  expect(sql).toBe(`ALTER TABLE books ${does};`);
  expect({ left, undecided, compatible }).toEqual({ left: [], undecided: [], compatible: false });
});

test.each([
  ['fooBar and foo_bar', 'fooBar: { type: string }\nfoo_bar: { type: string }', 'foo_bar'],
  ['größe and grüße', 'größe: { type: string }\ngrüße: { type: string }', 'gr_e'],
])('%s, which would have one column, are refused, of a table that is there and of a new one', async (names, properties, column) => {
  const problem = `books: ${names} would both be the column ${column}`;
  await expect(plan({ properties })).rejects.toThrow(problem);
  await expect(plan({ properties, map: NEW_TABLE, tables: OWNERS })).rejects.toThrow(problem);
});

test('a name that PostgreSQL would cut off is refused, one of 63 bytes is not', async () => {
  const name = 'a'.repeat(63);
  expect(await plan({ properties: `${name}: { type: string }` })).toMatchObject({ left: [] });
  await expect(plan({ properties: `${name}b: { type: string }` })).rejects.toThrow(
    /^the column a+b of the property a+b has no name of 1 to 63 bytes/,
  );
  const table = 'b'.repeat(64);
  await expect(plan({ properties: '', map: `${MAP}  ${table}: { read: [Book], columns: {} }\n` })).rejects.toThrow(
    `the table ${table} has no name of 1`,
  );
});

test('a narrower limit says that rows may break it', async () => {
  const { notes } = await plan({
    columns: ', a text CHECK (char_length(a) <= 40)',
    map: WITH,
    properties: 'a: { type: string, maxLength: 9 }',
  });
  expect(notes).toEqual([expect.stringMatching(/^books\.a: the migration fails if a row/)]);
});

test.each<[name: string, column: string, properties: string, says: RegExp]>([
  ['another type', 'a integer', 'a: { type: string }', /^books\.a: type of Book\.a is another/],
  [
    'a condition on two columns',
    'a text, CHECK (char_length(a) <= 4 AND char_length(title) <= 9)',
    'a: { type: string, maxLength: 5 }',
    /^books\.a: maxLength of NewBook\.a differs/,
  ],
  ['a property that is gone', 'a text', 'b: { type: boolean }', /^books\.a: drop it once/],
])('%s is undecided, and nothing of it is written', async (_, column, properties, says) => {
  const { undecided, sql } = await plan({ columns: `, ${column}`, map: WITH, properties });
  expect(undecided.some((line) => says.test(line)) || undecided).toBe(true);
  expect(sql).not.toMatch(/\ba (text|TYPE)|DROP/);
});

test('a column that is there already is only mapped', async () => {
  const { actions, entries, left } = await plan({ columns: ', a text', properties: 'a: { type: string }' });
  expect({ actions, entries, left }).toEqual({ actions: [], entries: [{ table: 'books', column: 'a', property: 'a' }], left: [] });
});

const NEW_TABLE = `tables:
  owners:
    columns: {}
  books:
    read: [Book]
    create: [NewBook]
    columns: { title: title }
not in the contract:
  columns: { owner_id: of each, version: the ETag }
`;
const OWNERS = `DROP TABLE books;
  CREATE TABLE owners (owner_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
  CREATE TABLE shelves (owner_id bigint NOT NULL REFERENCES owners ON DELETE CASCADE, id bigint PRIMARY KEY, version bigint NOT NULL DEFAULT 1)`;

test('a table that only the map has is created from its schemas, with the columns and the key that the others have', async () => {
  const { sql, left, undecided, entries, notes, columns } = await plan({
    properties: 'note: { type: string }\nmadeAt: { type: string, format: date-time, readOnly: true }',
    required: 'madeAt',
    map: NEW_TABLE.replace('  books:', '  shelves:\n    columns: {}\n  books:'),
    tables: OWNERS,
  });
  expect(sql).toBe(
    'CREATE TABLE books ( owner_id bigint NOT NULL REFERENCES owners ON DELETE CASCADE, ' +
      'id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991), title text NOT NULL CHECK (char_length(title) <= 100), ' +
      'note text, made_at timestamptz NOT NULL DEFAULT now(), version bigint NOT NULL DEFAULT 1, PRIMARY KEY (owner_id, id) );',
  );
  expect({ left: left.filter((line) => /books|Book/.test(line)), undecided, columns }).toEqual({
    left: [],
    undecided: [],
    columns: ['books'],
  });
  expect(entries.map(({ column }) => column)).toEqual(['id', 'note', 'made_at']);
  expect(notes).toEqual([expect.stringMatching(/^books\.owner_id: say in the stores what a broken books_owner_id_fkey means/)]);
});

test('the first table of a project has the key of its schema, and what no column holds is undecided', async () => {
  const map = 'tables:\n  books:\n    read: [Book]\n    create: [NewBook]\n    columns: {}\n';
  const { sql, undecided } = await plan({ properties: 'tags: { type: array, items: { type: string } }', map, tables: 'DROP TABLE books' });
  expect(sql).toBe(
    'CREATE TABLE books ( id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991), ' +
      'title text NOT NULL CHECK (char_length(title) <= 100), PRIMARY KEY (id) );',
  );
  expect(undecided).toEqual([expect.stringMatching(/^books\.tags: tags is of type array/)]);
});

test('nothing of the contract becomes code, and reserved words are quoted', async () => {
  const hostile = '`${process.exit(1)}\\`; DROP TABLE books; --';
  const { left, text } = await plan({ properties: `order: { type: string, enum: [${JSON.stringify(hostile)}] }` });
  expect(text).toContain('ADD COLUMN "order" text CHECK ("order" IN (');
  await expect(database.db('books').insert({ title: 'x', order: 'y' })).rejects.toThrow(/books_order_check/);
  await database.db('books').insert({ title: 'x', order: hostile });
  expect(left).toEqual([]);
});

test.each([
  ['{ id: id }', '{ id: id, a_b: aB }'],
  ['{}', '{ a_b: aB }'],
  ['{\n        id: id,\n      }', '{\n        id: id, a_b: aB\n      }'],
  ['\n      id: id # the key\n      title: title', '\n      id: id # the key\n      title: title\n      a_b: aB'],
])('the schema map gets an entry: %j', (columns, expected) => {
  const text = (value: string) => `# A comment.\ntables:\n  books:\n    columns: ${value}\n    read: [Book] # read\n`;
  expect(mapColumn(text(columns), { table: 'books', column: 'a_b', property: 'aB' })).toBe(text(expected));
});

test.each(['account_id', 'books.account_id'])('a property named like the excepted column %s is left to a person', async (excepted) => {
  const { entries, actions, undecided } = await plan({
    properties: 'accountId: { type: integer }',
    columns: ', account_id bigint',
    map: `${MAP}not in the contract:\n  columns: { ${excepted}: the account that owns the row }\n`,
  });
  expect({ entries, actions }).toEqual({ entries: [], actions: [] });
  expect(undecided).toEqual([
    expect.stringMatching(/accountId: the schema map excepts the column books\.account_id .*; rename the property/),
  ]);
});

test('a new table gives no property the column of its owner', async () => {
  const { undecided, entries } = await plan({
    properties: 'accountId: { type: integer }',
    tables: 'DROP TABLE books; CREATE TABLE notes (account_id integer NOT NULL, id integer PRIMARY KEY);',
    map: `${MAP}  notes: { read: [Note], columns: { id: id } }\nnot in the contract:\n  columns: { account_id: the account that owns the row }\n`,
  }).catch((error: unknown) => ({ undecided: [(error as Error).message], entries: [] }));
  expect(undecided.join('\n')).toContain('accountId: the schema map excepts the column books.account_id');
  expect(entries.map(({ property }) => property)).not.toContain('accountId');
});
