/** A second run of `add-migration` writes nothing, whatever the schemas of a table say differently. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource, readDocument } from '@specwright/contract/document';
import { withDatabase } from 'specwright/testing';
import { mapOfRecords, planTwice } from './support/second-migration.ts';

const database = withDatabase({ schema: 'empty' });

const MAP = `tables:
  books:
    read: [Book]
    create: [NewBook]
    patch: [BookPatch]
    columns: { id: id, a: a }
`;
const ID = 'id: { type: integer, format: int32, minimum: 1, readOnly: true }';
const bookSpec = (read: string, created: string, patched: string, required = 'id') =>
  parseSource(
    'spec.yaml',
    `openapi: 3.0.3
info: { title: Books, version: 1.0.0 }
paths: {}
components:
  schemas:
    Book: { type: object, required: [${required}], properties: { ${ID}, ${read && `a: ${read}`} } }
    NewBook: { type: object, properties: { ${created && `a: ${created}`} } }
    BookPatch: { type: object, properties: { ${patched && `a: ${patched}`} } }
`,
  );
const withColumn = (column: string) => `CREATE TABLE books (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a ${column})`;

const TEXT = '{ type: string }';
const SHORT = '{ type: string, nullable: true, minLength: 2, maxLength: 40 }';
const INTEGER = '{ type: integer, format: int64 }';

test.each<[name: string, read: string, created: string, patched: string, column: string, check: string]>([
  ['limits of what is created alone', TEXT, SHORT, '', 'text', 'CHECK (char_length(a) BETWEEN 2 AND 40)'],
  ['limits of what is read alone', SHORT, TEXT, '', 'text', ''],
  ['different limits of requests', TEXT, SHORT, '{ type: string, nullable: true, maxLength: 9 }', 'text', 'BETWEEN 2 AND 9)'],
  ['limits of integers', INTEGER, '{ type: integer, format: int64, minimum: 1, maximum: 9 }', '', 'bigint', 'CHECK (a BETWEEN 1 AND 9)'],
  ['enums', '{ type: string, enum: [x, y, z] }', '{ type: string, enum: [x, y] }', '', 'text', `CHECK (a IN ('x', 'y'))`],
  [
    'an enum beside a length',
    TEXT,
    '{ type: string, enum: [x, y], maxLength: 4 }',
    '{ type: string, nullable: true }',
    'text',
    `IN ('x', 'y'))`,
  ],
  ['lengths of a varchar', TEXT, SHORT, '', 'varchar(60)', 'TYPE varchar(40)'],
  ['a smaller integer', '{ type: integer, format: int32 }', '', '', 'smallint', 'TYPE integer'],
])('with %s', async (_, read, created, patched, column, written) => {
  const { first, second } = await planTwice(database.db, bookSpec(read, created, patched), MAP, withColumn(column));
  const sql = first.actions.map((action) => ('part' in action ? action.part : action.statement)).join('\n');
  if (written === '') expect(sql).toBe('');
  else expect(sql).toContain(written);
  expect(second.actions).toEqual([]);
});

test('with different defaults of requests', async () => {
  const source = bookSpec(TEXT, '{ type: string, default: x }', '{ type: string, default: y }', 'id, a');
  const { first, second } = await planTwice(database.db, source, MAP, withColumn(`text NOT NULL DEFAULT 'z'`));
  expect(first.actions).toEqual([{ table: 'books', part: `ALTER COLUMN a SET DEFAULT 'x'` }]);
  expect(second).toMatchObject({ actions: [], undecided: [expect.stringContaining('disagree on the default of a')] });
});

test('what is created has limits that what is read lacks: no difference is left', async () => {
  const { second } = await planTwice(database.db, bookSpec(TEXT, SHORT, ''), MAP, withColumn('text'));
  expect(second).toMatchObject({ undecided: [], entries: [] });
});

test('limits that the schemas of requests disagree on are left to a person, who is told the column', async () => {
  const { second } = await planTwice(database.db, bookSpec(TEXT, SHORT, '{ type: string, nullable: true }'), MAP, withColumn('text'));
  expect(second.undecided).toEqual([
    expect.stringMatching(/^books\.a: the schemas of books disagree on m\w+ of a, .* what all of them allow/),
  ]);
});

const documentsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:openapi|petstore|bookings|library|v\d)\.yaml$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));

const DOCUMENTS = ['spec', 'examples', 'test/gates/foreign', 'packages/server/test/types', 'packages/specwright/template/spec'].flatMap(
  (folder) => documentsIn(resolve(folder)),
);

test('there are documents', () => expect(DOCUMENTS.length).toBeGreaterThan(14));

test.each(DOCUMENTS.map((file) => [file.slice(resolve('.').length + 1), file]))('with a table for each record of %s', async (_, file) => {
  const source = readDocument(file);
  const { second } = await planTwice(database.db, source, mapOfRecords(source));
  expect({ actions: second.actions, entries: second.entries }).toEqual({ actions: [], entries: [] });
});
