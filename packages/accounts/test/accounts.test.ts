/** Accounts: created, found, changed and suspended. */
import { expect, test } from '@jest/globals';
import {
  ACCOUNT_ERRORS,
  createAccount,
  findAccount,
  findCaller,
  getAccount,
  listAccounts,
  listKeys,
  resumeAccount,
  setPlan,
  suspendAccount,
} from '@specwright/accounts';
import { connect, connectOptions } from '@specwright/postgres';
import { ALL_SCOPES } from '@specwright/server';
import { findKeys } from '../src/keys/api-keys.ts';
import { withAccountsDatabase } from './support/accounts-database.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const database = withAccountsDatabase();

test('creates an account with its first key, and reads it back', async () => {
  const { record, version, apiKey } = await createAccount(database.db, { email: 'Ada+pets@Example.com', plan: 'pro' }, NOW);
  expect(record).toEqual({ id: expect.any(Number), email: 'Ada+pets@Example.com', plan: 'pro', createdAt: NOW.toISOString() });
  expect(await getAccount(database.db, record.id)).toEqual({ record, version });
  expect(await findCaller(database.db, apiKey)).toMatchObject({ accountId: record.id, plan: 'pro' });
});

test.each(['grace@example.com', 'GRACE@EXAMPLE.COM', 'Grace@Example.Com'])(
  'rejects an email address that is taken, in any case: %s',
  async (email) => {
    await createAccount(database.db, { email: 'grace@example.com', plan: 'free' }, NOW).catch(() => undefined);
    await expect(createAccount(database.db, { email, plan: 'free' }, NOW)).rejects.toMatchObject({ code: 'email_taken' });
  },
);

test('creates one account for twenty concurrent requests with one email address', async () => {
  const emails = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'race@example.com' : 'RACE@example.com'));
  const results = await Promise.allSettled(emails.map((email) => createAccount(database.db, { email, plan: 'free' }, NOW)));
  const codes = results.filter((result) => result.status === 'rejected').map(({ reason }) => (reason as { code: string }).code);
  expect(codes).toEqual(Array(19).fill('email_taken'));
});

test('deletes the keys of an account together with it', async () => {
  const { record, apiKey } = await createAccount(database.db, { email: 'gone@example.com', plan: 'free' }, NOW);
  await database.db('accounts').where({ account_id: record.id }).delete();
  expect(await findCaller(database.db, apiKey)).toBeUndefined();
  await expect(getAccount(database.db, record.id)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('requires limits for the plan enterprise and for no other, in the table too', async () => {
  const { db } = database;
  const quota = { minute: 5000, day: 1_000_000 };
  const { apiKey, record } = await createAccount(db, { email: 'big@example.com', plan: 'enterprise', quota }, NOW);
  expect(await findCaller(db, apiKey)).toMatchObject({ plan: 'enterprise', quota });
  const invalid = { code: 'invalid_request' };
  await expect(createAccount(db, { email: 'none@example.com', plan: 'enterprise' }, NOW)).rejects.toMatchObject(invalid);
  await expect(createAccount(db, { email: 'free@example.com', plan: 'free', quota }, NOW)).rejects.toMatchObject(invalid);
  await expect(setPlan(db, record.id, 'pro', quota)).rejects.toMatchObject(invalid);
  for (const columns of [{ plan: 'free' }, { minute_limit: null }, { day_limit: null }, { minute_limit: 0 }])
    await expect(db('accounts').where({ account_id: record.id }).update(columns)).rejects.toMatchObject({ code: '23514' });
  await setPlan(db, record.id, 'pro', undefined);
  expect(await findCaller(db, apiKey)).toEqual({ accountId: record.id, keyId: expect.any(Number), plan: 'pro', scopes: ALL_SCOPES });
});

test('finds an account by its id, and by its email address in any case', async () => {
  const { record } = await createAccount(database.db, { email: 'Find.Me@example.com', plan: 'free' }, NOW);
  const details = { ...record, perMinute: null, perDay: null, suspendedAt: null };
  expect(await findAccount(database.db, String(record.id))).toEqual(details);
  expect(await findAccount(database.db, 'find.me@EXAMPLE.com')).toEqual(details);
  expect(await listAccounts(database.db)).toContainEqual(details);
  for (const idOrEmail of ['999999', 'nobody@example.com', '', '0'])
    await expect(findAccount(database.db, idOrEmail)).rejects.toMatchObject({ code: 'not_found' });
  await expect(suspendAccount(database.db, 999_999, NOW)).rejects.toMatchObject({ code: 'not_found' });
});

test('keeps the time of the first suspension', async () => {
  const { record } = await createAccount(database.db, { email: 'suspended@example.com', plan: 'free' }, NOW);
  await suspendAccount(database.db, record.id, NOW);
  await suspendAccount(database.db, record.id, new Date());
  expect((await findAccount(database.db, String(record.id))).suspendedAt).toBe(NOW.toISOString());
  await resumeAccount(database.db, record.id);
  expect((await findAccount(database.db, String(record.id))).suspendedAt).toBeNull();
});

test('what the state of an account forbids is a conflict', () => {
  expect(ACCOUNT_ERRORS).toEqual({ email_taken: 409, key_limit: 409, last_key: 409, key_inactive: 409 });
});

test('has moments as text in a pool that reads them as Date, too', async () => {
  const db = connect({ ...connectOptions(database.db), dates: 'date' });
  try {
    expect(await db.raw<{ rows: object[] }>('SELECT now() AS now')).toMatchObject({ rows: [{ now: expect.any(Date) }] });
    const created = await createAccount(db, { email: 'dates@example.com', plan: 'free' }, NOW);
    const { id } = created.record;
    await suspendAccount(db, id, NOW);
    const records = [
      created.record,
      (await getAccount(db, id)).record,
      await findAccount(db, String(id)),
      (await listAccounts(db)).find((account) => account.id === id),
      (await listKeys(db, id, { after: 0, limit: 1 }))[0],
      (await findKeys(db, created.apiKey))[0],
    ];
    const createdAt = NOW.toISOString();
    expect(records).toMatchObject([
      { createdAt },
      { createdAt },
      { createdAt, suspendedAt: createdAt },
      { createdAt },
      { createdAt },
      { createdAt },
    ]);
  } finally {
    await db.destroy();
  }
});
