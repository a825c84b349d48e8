/** Accounts: an email address belongs to one account, however it is written. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, getAccount, findAccount, listAccounts, resumeAccount, setPlan, suspendAccount, findCaller } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';

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

test('an Enterprise account has numbers of its own, and no other has: not even by hand', async () => {
  const quota = { minute: 5000, day: 1_000_000 };
  const { apiKey, record } = await createAccount(db, { email: 'big@example.com', plan: 'enterprise', quota }, NOW);
  expect(await findCaller(db, apiKey)).toMatchObject({ plan: 'enterprise', quota });
  const refused = { code: 'invalid_request' };
  await expect(createAccount(db, { email: 'none@example.com', plan: 'enterprise' }, NOW)).rejects.toMatchObject(refused);
  await expect(createAccount(db, { email: 'free@example.com', plan: 'free', quota }, NOW)).rejects.toMatchObject(refused);
  await expect(setPlan(db, record.id, 'pro', quota)).rejects.toMatchObject(refused);
  for (const wrong of [{ plan: 'free' }, { minute_limit: null }, { day_limit: null }, { minute_limit: 0 }])
    await expect(db('accounts').where({ account_id: record.id }).update(wrong)).rejects.toMatchObject({ code: '23514' });
  await setPlan(db, record.id, 'pro', undefined);
  expect(await findCaller(db, apiKey)).toEqual({ accountId: record.id, keyId: expect.any(Number), plan: 'pro' });
});

test('an account is found by its id and by its address in any case; what is not there is said so', async () => {
  const { record } = await createAccount(db, { email: 'Find.Me@example.com', plan: 'free' }, NOW);
  const found = { ...record, perMinute: null, perDay: null, suspendedAt: null };
  expect(await findAccount(db, String(record.id))).toEqual(found);
  expect(await findAccount(db, 'find.me@EXAMPLE.com')).toEqual(found);
  expect(await listAccounts(db)).toContainEqual(found);
  for (const which of ['999999', 'nobody@example.com', '', '0'])
    await expect(findAccount(db, which)).rejects.toMatchObject({ code: 'not_found' });
  await expect(suspendAccount(db, 999_999, NOW)).rejects.toMatchObject({ code: 'not_found' });
});

test('suspended twice, an account is suspended since the first time', async () => {
  const { record } = await createAccount(db, { email: 'naughty@example.com', plan: 'free' }, NOW);
  await suspendAccount(db, record.id, NOW);
  await suspendAccount(db, record.id, new Date());
  expect((await findAccount(db, String(record.id))).suspendedAt).toBe(NOW.toISOString());
  await resumeAccount(db, record.id);
  expect((await findAccount(db, String(record.id))).suspendedAt).toBeNull();
});
