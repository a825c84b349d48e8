/** The keys of an account: made, listed, replaced and revoked, and which of them are good. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getKey, issueKey, listKeys, revokeKey, rotateKey, findCaller } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { newAccount } from '../../../test/support/app.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const PAGE = { after: 0, limit: 1000 };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const codeOf = (attempt: Promise<unknown>) => attempt.catch((error: unknown) => (error as { code?: string }).code);
const isGood = async (key: string) => (await findCaller(db, key)) !== undefined;
const firstOf = async (accountId: number) => (await listKeys(db, accountId, PAGE))[0]?.id ?? 0;

/** Moves what is known of a key as if that much time had passed. */
const age = (id: number, seconds: number) =>
  db('api_keys')
    .where({ id })
    .update({ expires_at: db.raw('expires_at - make_interval(secs => ?)', [seconds]) });

test('a key reads as it was made, and its secret is told once', async () => {
  const { accountId, key } = await newAccount(db);
  const expiresAt = soon(3600);
  const { record, apiKey, version } = await issueKey(db, accountId, { name: 'Till 2', expiresAt }, NOW);
  expect(record).toEqual({
    id: expect.any(Number),
    name: 'Till 2',
    prefix: apiKey.slice(0, 13),
    createdAt: NOW.toISOString(),
    expiresAt,
  });
  expect(await getKey(db, accountId, record.id)).toEqual({ record, version });
  const keys = await listKeys(db, accountId, PAGE);
  expect(keys).toEqual([{ id: expect.any(Number), name: 'First key', prefix: key.slice(0, 13), createdAt: expect.any(String) }, record]);
  expect(await findCaller(db, apiKey)).toEqual({ accountId, keyId: record.id, plan: 'free' });
});

test('a key is good until it expires, and not after', async () => {
  const { accountId } = await newAccount(db);
  const { record, apiKey } = await issueKey(db, accountId, { name: 'x', expiresAt: soon(60) }, NOW);
  await age(record.id, 50);
  expect(await isGood(apiKey)).toBe(true);
  await age(record.id, 11);
  expect(await isGood(apiKey)).toBe(false);
  // It is still listed, so that people see why it is refused, and can be revoked, but not be replaced.
  expect(await codeOf(rotateKey(db, accountId, record.id, 60, NOW))).toBe('key_inactive');
  await revokeKey(db, accountId, record.id, NOW);
  expect(await codeOf(getKey(db, accountId, record.id))).toBe('not_found');
});

test('one that would have expired already is not made', async () => {
  const { accountId } = await newAccount(db);
  expect(await codeOf(issueKey(db, accountId, { name: 'x', expiresAt: soon(-1) }, NOW))).toBe('key_inactive');
  // A year of five digits would be no date-time of JSON Schema.
  const late = { name: 'x', expiresAt: '9999-12-31T23:59:59-14:00' };
  expect(await codeOf(issueKey(db, accountId, late, NOW))).toBe('invalid_request');
  expect(await codeOf(issueKey(db, accountId, { name: 'x', expiresAt: '0001-01-01T00:00:00+14:00' }, NOW))).toBe('key_inactive');
  expect(await listKeys(db, accountId, PAGE)).toHaveLength(1);
});

test('replaced with a grace period, the old key is good until that ends; the new one has its name and its end', async () => {
  const { accountId } = await newAccount(db);
  const expiresAt = soon(1_000_000);
  const old = await issueKey(db, accountId, { name: 'Till 2', expiresAt }, NOW);
  const next = await rotateKey(db, accountId, old.record.id, 3600, NOW);
  expect(next.record).toMatchObject({ name: 'Till 2', expiresAt });
  const { record, version } = await getKey(db, accountId, old.record.id);
  expect(record.replacedBy).toBe(next.record.id);
  expect(version).not.toBe(old.version);
  expect(Math.abs(Date.parse(record.expiresAt ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000);
  await age(record.id, 3500);
  expect([await isGood(old.apiKey), await isGood(next.apiKey)]).toEqual([true, true]);
  await age(record.id, 200);
  expect([await isGood(old.apiKey), await isGood(next.apiKey)]).toEqual([false, true]);
  expect(await codeOf(rotateKey(db, accountId, record.id, 60, NOW))).toBe('key_inactive');
});

test('a grace period does not prolong a key, and one of 0 revokes it', async () => {
  const { accountId } = await newAccount(db);
  const expiresAt = soon(100);
  const short = await issueKey(db, accountId, { name: 'x', expiresAt }, NOW);
  await rotateKey(db, accountId, short.record.id, 3600, NOW);
  expect((await getKey(db, accountId, short.record.id)).record.expiresAt).toBe(expiresAt);

  const old = await issueKey(db, accountId, { name: 'x' }, NOW);
  const next = await rotateKey(db, accountId, old.record.id, 0, NOW);
  expect([await isGood(old.apiKey), await isGood(next.apiKey)]).toEqual([false, true]);
  expect(await codeOf(getKey(db, accountId, old.record.id))).toBe('not_found');
});

test('a revoked key is refused, is listed no more, and cannot be revoked again', async () => {
  const { accountId } = await newAccount(db);
  const { record, apiKey, version } = await issueKey(db, accountId, { name: 'x' }, NOW);
  expect(await codeOf(revokeKey(db, accountId, record.id, NOW, { precondition: (v) => v !== version }))).toBe('precondition_failed');
  expect(await isGood(apiKey)).toBe(true);
  await revokeKey(db, accountId, record.id, NOW, { precondition: (v) => v === version });
  expect(await isGood(apiKey)).toBe(false);
  expect((await listKeys(db, accountId, PAGE)).map(({ id }) => id)).not.toContain(record.id);
  expect(await codeOf(revokeKey(db, accountId, record.id, NOW))).toBe('not_found');
});

test('the last valid key stays: expired ones and ones that were replaced do not count as others', async () => {
  const { accountId, key } = await newAccount(db);
  const first = await firstOf(accountId);
  const expired = await issueKey(db, accountId, { name: 'x', expiresAt: soon(60) }, NOW);
  await age(expired.record.id, 61);
  expect(await codeOf(revokeKey(db, accountId, first, NOW))).toBe('last_key');
  const { record } = await rotateKey(db, accountId, first, 3600, NOW);
  expect(await codeOf(revokeKey(db, accountId, record.id, NOW))).toBe('last_key');
  await revokeKey(db, accountId, first, NOW);
  expect(await isGood(key)).toBe(false);
  // An operator can end it all the same.
  await revokeKey(db, accountId, record.id, NOW, { evenLast: true });
});

test('of ten who revoke two keys at once, one key is left', async () => {
  const { accountId } = await newAccount(db);
  await issueKey(db, accountId, { name: 'x' }, NOW);
  const ids = (await listKeys(db, accountId, PAGE)).map(({ id }) => id);
  const codes = await Promise.all(Array.from({ length: 10 }, (_, i) => codeOf(revokeKey(db, accountId, ids[i % 2] ?? 0, NOW))));
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(await listKeys(db, accountId, PAGE)).toHaveLength(1);
});

test('an account has a hundred valid keys at most, however many ask at once; replacing one at once needs no room', async () => {
  const { accountId } = await newAccount(db);
  const first = await firstOf(accountId);
  const codes = await Promise.all(Array.from({ length: 110 }, () => codeOf(issueKey(db, accountId, { name: 'x' }, NOW))));
  expect(codes.filter((code) => code === 'key_limit')).toHaveLength(11);
  expect(await listKeys(db, accountId, PAGE)).toHaveLength(100);
  expect(await codeOf(rotateKey(db, accountId, first, 60, NOW))).toBe('key_limit');
  await rotateKey(db, accountId, first, 0, NOW);
  expect(await listKeys(db, accountId, PAGE)).toHaveLength(100);
});
