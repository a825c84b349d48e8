/** Statements by a map of columns: what is given is written, what is not given is left alone or gets its default. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { returning, toAllColumns, toColumns, toRecord } from '@specwright/postgres';
import { withDatabase } from 'specwright/testing';

const BOOK = { title: 'title', subTitle: 'sub_title', pages: 'page_count' } as const;

const database = withDatabase({ schema: 'empty' });
beforeAll(() => database.db.raw(`CREATE TABLE books (title text NOT NULL, sub_title text, page_count int NOT NULL DEFAULT 1)`));
beforeEach(() => database.db('books').delete());

const insert = async (values: { title: string; subTitle?: string; pages?: number }) =>
  (await database.db('books').insert(toColumns(BOOK, values)).returning(returning(BOOK)))[0] as unknown;
const update = async (columns: object) => (await database.db('books').update(columns).returning(returning(BOOK)))[0] as unknown;

test('an insert gives the columns of the properties, under the names of the properties', async () => {
  expect(await insert({ title: 'Emma', subTitle: 'A novel', pages: 474 })).toEqual({ title: 'Emma', subTitle: 'A novel', pages: 474 });
  expect(await database.db('books').first()).toEqual({ title: 'Emma', sub_title: 'A novel', page_count: 474 });
});

test('a property that is absent or undefined is left to the database, null is written', async () => {
  const inserted = await insert({ title: 'Emma', subTitle: 'A novel', ...{ pages: undefined } });
  expect(inserted).toEqual({ title: 'Emma', subTitle: 'A novel', pages: 1 });
  expect(await update(toColumns(BOOK, { pages: 474 }))).toEqual({ title: 'Emma', subTitle: 'A novel', pages: 474 });
  expect(await update(toColumns(BOOK, { subTitle: null }))).toEqual({ title: 'Emma', subTitle: null, pages: 474 });
});

test('a replacement gives what is absent its default', async () => {
  await insert({ title: 'Emma', subTitle: 'A novel', pages: 474 });
  expect(await update(toAllColumns(database.db, BOOK, { title: 'Persuasion' }))).toEqual({ title: 'Persuasion', subTitle: null, pages: 1 });
});

test('a value that has no column in the map is never written', () => {
  const values = { title: 'Emma', owner: 7 };
  expect(toColumns(BOOK, values as { title: string })).toEqual({ title: 'Emma' });
});

test('a record has no property for a column that is NULL', () => {
  expect(toRecord({ title: 'Emma', subTitle: null, pages: 0 })).toEqual({ title: 'Emma', pages: 0 });
});
