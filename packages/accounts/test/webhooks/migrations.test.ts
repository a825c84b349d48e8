/** The migration refers to accounts where there are some, and runs at once in many processes. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { migrate, schemaProblem, type Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from 'specwright/testing';
import { schema } from './support/webhooks-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase({ schema: 'empty' });
});
afterEach(() => database.drop());

const foreignKeys = (db: Database) =>
  db('pg_constraint')
    .where({ contype: 'f' })
    .whereRaw(`connamespace = 'public'::regnamespace`)
    .orderBy('conname')
    .pluck<string[]>('conname');

test('makes its tables without accounts', async () => {
  await migrate(database.db, schema);
  expect(await foreignKeys(database.db)).toEqual([]);
  expect(await schemaProblem(database.db, schema)).toBeUndefined();
});

test('refers to accounts, if there are any', async () => {
  const { db } = database;
  await db.raw('CREATE TABLE accounts (account_id bigint PRIMARY KEY)');
  await migrate(db, schema);
  expect(await foreignKeys(db)).toEqual(['webhook_deliveries_account_id_fkey', 'webhooks_account_id_fkey']);
});

test('twenty processes may run them at once', async () => {
  const ran = await Promise.all(Array.from({ length: 20 }, () => migrate(database.db, schema)));
  expect(ran.flat()).toEqual(['webhooks_0001_webhooks']);
});
