/** Accounts: an email address belongs to one account, however it is written. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, getAccount } from '../../src/db/accounts.ts';
import type { Database } from '../../src/db/connect.ts';
import { findCaller } from '../../src/db/keys.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

test('an account is made with its first key, and reads as it was made', async () => {
  const { record, version, apiKey } = await createAccount(db, { email: 'Ada+pets@Example.com', plan: 'pro' }, NOW);
  expect(record).toEqual({ id: expect.any(Number), email: 'Ada+pets@Example.com', plan: 'pro', createdAt: NOW.toISOString() });
  expect(await getAccount(db, record.id)).toEqual({ record, version });
  expect(await findCaller(db, apiKey)).toMatchObject({ accountId: record.id, plan: 'pro' });
});

test.each(['grace@example.com', 'GRACE@EXAMPLE.COM', 'Grace@Example.Com'])('an address is taken in any case: %s', async (email) => {
  await createAccount(db, { email: 'grace@example.com', plan: 'free' }, NOW).catch(() => undefined);
  await expect(createAccount(db, { email, plan: 'free' }, NOW)).rejects.toMatchObject({ code: 'email_taken' });
});

test('of twenty who want the same address at once, one gets it', async () => {
  const emails = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'race@example.com' : 'RACE@example.com'));
  const results = await Promise.allSettled(emails.map((email) => createAccount(db, { email, plan: 'free' }, NOW)));
  const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => (reason as { code: string }).code);
  expect(refused).toEqual(Array(19).fill('email_taken'));
});

test('an account that is gone has no valid key', async () => {
  const { record, apiKey } = await createAccount(db, { email: 'gone@example.com', plan: 'free' }, NOW);
  await db('accounts').where({ account_id: record.id }).delete();
  expect(await findCaller(db, apiKey)).toBeUndefined();
  await expect(getAccount(db, record.id)).rejects.toMatchObject({ code: 'unauthorized' });
});
