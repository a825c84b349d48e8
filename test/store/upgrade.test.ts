/** A database of version 1.0, whose accounts had no migrations of their own, is migrated without the loss of a row. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { dumpSchema, migrate, schemaProblem, type Database, type Migration } from '@specwright/postgres';
import { createDatabase, withDatabase, type TestDatabase } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';

const FOLDER = new URL('./fixtures/version-1.0/', import.meta.url);

/** Each migration of version 1.0, followed by rows of every table that it made. */
const PREVIOUS: readonly Migration[] = readdirSync(FOLDER)
  .sort()
  .map((file) => ({
    name: file.replace('.sql', ''),
    migration: {
      up: async (knex) => {
        await knex.raw(readFileSync(new URL(file, FOLDER), 'utf8'));
      },
    },
  }));

type Rows = Record<string, object[]>;

const fresh = withDatabase();
let old: TestDatabase;
beforeEach(async () => {
  old = await createDatabase({ schema: 'empty' });
});
afterEach(() => old.drop());

async function tableNames(db: Database): Promise<string[]> {
  const tables = await db('pg_catalog.pg_tables').where({ schemaname: 'public' }).orderBy('tablename').pluck<string[]>('tablename');
  return tables.filter((table) => !table.startsWith('migrations'));
}

async function readRows(db: Database): Promise<Rows> {
  const rows: Rows = {};
  for (const table of await tableNames(db)) {
    const result = await db.raw<{ rows: { row: object }[] }>('SELECT to_jsonb(t) AS row FROM ?? t ORDER BY t::text', [table]);
    rows[table] = result.rows.map(({ row }) => row);
  }
  return rows;
}

/** Version 1.0 recorded names alone. */
async function migratePrevious(db: Database, count = PREVIOUS.length): Promise<void> {
  await migrate(db, { migrations: PREVIOUS.slice(0, count) });
  await db.raw('ALTER TABLE migrations DROP COLUMN digest');
}

const migrationNames = (db: Database) => db('migrations').orderBy('name').pluck<string[]>('name');

test('the fixture has rows in every table of version 1.0', async () => {
  await migratePrevious(old.db);
  const rows = await readRows(old.db);
  expect(await tableNames(fresh.db)).toEqual(expect.arrayContaining(Object.keys(rows)));
  expect(Object.entries(rows).filter(([, { length }]) => length === 0)).toEqual([]);
});

test.each(PREVIOUS.map(({ name }, i) => [name, i + 1] as const))('migrates a database at %s with all its rows', async (_, count) => {
  const { db } = old;
  await migratePrevious(db, count);
  const before = await readRows(db);
  expect(await schemaProblem(db, schema)).toMatch(/^the database lacks migrations \(accounts_0001_accounts.*: run `npm run migrate`$/);

  await migrate(db, schema);
  const after = await readRows(db);
  for (const [table, rows] of Object.entries(before)) {
    expect(after[table]).toHaveLength(rows.length);
    // A later migration may have added columns.
    for (const row of rows) expect(after[table]).toContainEqual(expect.objectContaining(row));
  }
  expect(await dumpSchema(db)).toBe(await dumpSchema(fresh.db));
  expect(await migrationNames(db)).toEqual(await migrationNames(fresh.db));
  expect(await schemaProblem(db, schema)).toBeUndefined();
  expect(await migrate(db, schema)).toEqual([]);
});

test('gives an Enterprise account of 0001 the limits of the Business plan', async () => {
  await migratePrevious(old.db, 1);
  await migrate(old.db, schema);
  const account = await old.db('accounts').where({ plan: 'enterprise' }).first<object>('minute_limit', 'day_limit');
  expect(account).toEqual({ minute_limit: 1000, day_limit: 100_000 });
});
