/** The migrations keep the webhooks that a service had before, refuse a table of another kind, and run at once in many processes. */
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

test('refers to accounts, if there are any, and keeps webhooks with their rows', async () => {
  const { db } = database;
  await db.raw(`
    CREATE TABLE accounts (account_id bigint PRIMARY KEY);
    CREATE TABLE webhooks (
      account_id bigint PRIMARY KEY REFERENCES accounts, url text NOT NULL, secret text NOT NULL, version bigint GENERATED ALWAYS AS IDENTITY,
      created_at timestamptz NOT NULL, failures integer NOT NULL DEFAULT 0, paused_until timestamptz);
    INSERT INTO accounts VALUES (7);
    INSERT INTO webhooks (account_id, url, secret, created_at) VALUES (7, 'https://example.com/', 'whsec_x', now())`);
  await migrate(db, schema);
  expect(await db('webhooks').select('account_id', 'secret')).toEqual([{ account_id: 7, secret: 'whsec_x' }]);
  expect(await foreignKeys(db)).toEqual(['webhook_deliveries_account_id_fkey', 'webhooks_account_id_fkey']);
});

test('refuses a table of the same name that is another', async () => {
  await database.db.raw('CREATE TABLE webhooks (account_id bigint, address text)');
  await expect(migrate(database.db, schema)).rejects.toThrow('column "url" does not exist');
  expect(await database.db('pg_tables').where({ tablename: 'webhook_deliveries' })).toEqual([]);
});

test('twenty processes may run them at once', async () => {
  const ran = await Promise.all(Array.from({ length: 20 }, () => migrate(database.db, schema)));
  expect(ran.flat()).toEqual(['webhooks_0001_webhooks', 'webhooks_0002_delivery_ends']);
});
