/** The API keys of an account: issued, listed, rotated and revoked, and which of them are valid. */
import { expect, test } from '@jest/globals';
import { findCaller, getKey, issueKey, listKeys, revokeKey, rotateKey } from '@specwright/accounts';
import { connect } from '@specwright/postgres';
import { ALL_SCOPES } from '@specwright/server';
import { newAccount, withAccountsDatabase } from './support/accounts-database.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const PAGE = { after: 0, limit: 1000 };
const database = withAccountsDatabase();

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const codeOf = (attempt: Promise<unknown>) => attempt.catch((error: unknown) => (error as { code?: string }).code);
const isValid = async (key: string) => (await findCaller(database.db, key)) !== undefined;
const firstKeyId = async (accountId: number) => (await listKeys(database.db, accountId, PAGE))[0]?.id ?? 0;

/** Moves the expiry of a key as if that much time had passed. */
const age = (id: number, seconds: number) =>
  database
    .db('api_keys')
    .where({ id })
    .update({ expires_at: database.db.raw('expires_at - make_interval(secs => ?)', [seconds]) });

test('issues a key, and reads it back without its secret', async () => {
  const { accountId, key } = await newAccount(database.db);
  const expiresAt = inSeconds(3600);
  const { record, apiKey, version } = await issueKey(database.db, accountId, { name: 'Till 2', expiresAt }, NOW);
  expect(record).toEqual({
    id: expect.any(Number),
    name: 'Till 2',
    prefix: apiKey.slice(0, 13),
    createdAt: NOW.toISOString(),
    expiresAt,
  });
  expect(await getKey(database.db, accountId, record.id)).toEqual({ record, version });
  const keys = await listKeys(database.db, accountId, PAGE);
  expect(keys).toEqual([{ id: expect.any(Number), name: 'First key', prefix: key.slice(0, 13), createdAt: expect.any(String) }, record]);
  expect(await findCaller(database.db, apiKey)).toEqual({ accountId, keyId: record.id, plan: 'free', scopes: ALL_SCOPES });
});

test('lists keys by their ids, whichever was changed last and however the table is read', async () => {
  const { accountId } = await newAccount(database.db);
  for (const name of ['b', 'c']) await issueKey(database.db, accountId, { name }, NOW);
  const ids = (await listKeys(database.db, accountId, PAGE)).map(({ id }) => id);
  await database.db('api_keys').where({ id: ids[0] }).update({ name: 'changed' });
  // As PostgreSQL does where most rows are of one account.
  const alter = (setting: string) => database.db.raw(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ${setting}`);
  await alter('SET enable_indexscan = off');
  await alter('SET enable_bitmapscan = off');
  const db = connect({ url: database.url, pool: 1 });
  try {
    expect((await listKeys(db, accountId, PAGE)).map(({ id }) => id)).toEqual(ids);
  } finally {
    await db.destroy();
    await alter('RESET ALL');
  }
});

test('a key has the scopes that it was issued with, and keeps them when it is rotated', async () => {
  const { accountId } = await newAccount(database.db);
  const scopesOf = async (key: string) => (await findCaller(database.db, key))?.scopes;
  for (const scopes of [['pets:read', 'pets:write'], []]) {
    const issued = await issueKey(database.db, accountId, { name: 'x', scopes }, NOW);
    expect(issued.record.scopes).toEqual(scopes);
    const rotated = await rotateKey(database.db, accountId, issued.record.id, 0, NOW);
    expect(await scopesOf(rotated.apiKey)).toEqual(scopes);
  }
  const { apiKey } = await issueKey(database.db, accountId, { name: 'x', scopes: ALL_SCOPES }, NOW);
  expect(await scopesOf(apiKey)).toBe(ALL_SCOPES);
});

test('accepts a key until it expires, and not after', async () => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey } = await issueKey(database.db, accountId, { name: 'x', expiresAt: inSeconds(60) }, NOW);
  await age(record.id, 50);
  expect(await isValid(apiKey)).toBe(true);
  await age(record.id, 11);
  expect(await isValid(apiKey)).toBe(false);
  // It is still listed, so that people see why it is refused. It can be revoked but not rotated.
  expect(await codeOf(rotateKey(database.db, accountId, record.id, 60, NOW))).toBe('key_inactive');
  await revokeKey(database.db, accountId, record.id, NOW);
  expect(await codeOf(getKey(database.db, accountId, record.id))).toBe('not_found');
});

test('rejects an expiry that has passed, and years that JSON cannot express', async () => {
  const { accountId } = await newAccount(database.db);
  expect(await codeOf(issueKey(database.db, accountId, { name: 'x', expiresAt: inSeconds(-1) }, NOW))).toBe('key_inactive');
  // A year of five digits would be no date-time of JSON Schema.
  const late = { name: 'x', expiresAt: '9999-12-31T23:59:59-14:00' };
  expect(await codeOf(issueKey(database.db, accountId, late, NOW))).toBe('invalid_request');
  const early = { name: 'x', expiresAt: '0001-01-01T00:00:00+14:00' };
  expect(await codeOf(issueKey(database.db, accountId, early, NOW))).toBe('invalid_request');
  expect(await listKeys(database.db, accountId, PAGE)).toHaveLength(1);
});

test('rotates a key: the old one is valid until the grace period ends, the new one has its name and expiry', async () => {
  const { accountId } = await newAccount(database.db);
  const expiresAt = inSeconds(1_000_000);
  const old = await issueKey(database.db, accountId, { name: 'Till 2', expiresAt }, NOW);
  const next = await rotateKey(database.db, accountId, old.record.id, 3600, NOW);
  expect(next.record).toMatchObject({ name: 'Till 2', expiresAt });
  const { record, version } = await getKey(database.db, accountId, old.record.id);
  expect(record.replacedBy).toBe(next.record.id);
  expect(version).not.toBe(old.version);
  expect(Math.abs(Date.parse(record.expiresAt ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000);
  await age(record.id, 3500);
  expect([await isValid(old.apiKey), await isValid(next.apiKey)]).toEqual([true, true]);
  await age(record.id, 200);
  expect([await isValid(old.apiKey), await isValid(next.apiKey)]).toEqual([false, true]);
  expect(await codeOf(rotateKey(database.db, accountId, record.id, 60, NOW))).toBe('key_inactive');
});

test('does not prolong a key by its grace period, and revokes it if that is 0', async () => {
  const { accountId } = await newAccount(database.db);
  const expiresAt = inSeconds(100);
  const short = await issueKey(database.db, accountId, { name: 'x', expiresAt }, NOW);
  await rotateKey(database.db, accountId, short.record.id, 3600, NOW);
  expect((await getKey(database.db, accountId, short.record.id)).record.expiresAt).toBe(expiresAt);

  const old = await issueKey(database.db, accountId, { name: 'x' }, NOW);
  const next = await rotateKey(database.db, accountId, old.record.id, 0, NOW);
  expect([await isValid(old.apiKey), await isValid(next.apiKey)]).toEqual([false, true]);
  expect(await codeOf(getKey(database.db, accountId, old.record.id))).toBe('not_found');
});

test('refuses and does not list a revoked key, which cannot be revoked again', async () => {
  const { accountId } = await newAccount(database.db);
  const { record, apiKey, version } = await issueKey(database.db, accountId, { name: 'x' }, NOW);
  expect(await codeOf(revokeKey(database.db, accountId, record.id, NOW, { precondition: (v) => v !== version }))).toBe(
    'precondition_failed',
  );
  expect(await isValid(apiKey)).toBe(true);
  await revokeKey(database.db, accountId, record.id, NOW, { precondition: (v) => v === version });
  expect(await isValid(apiKey)).toBe(false);
  expect((await listKeys(database.db, accountId, PAGE)).map(({ id }) => id)).not.toContain(record.id);
  expect(await codeOf(revokeKey(database.db, accountId, record.id, NOW))).toBe('not_found');
});

test('keeps the last valid key: expired and rotated ones do not count', async () => {
  const { accountId, key } = await newAccount(database.db);
  const first = await firstKeyId(accountId);
  const expired = await issueKey(database.db, accountId, { name: 'x', expiresAt: inSeconds(60) }, NOW);
  await age(expired.record.id, 61);
  expect(await codeOf(revokeKey(database.db, accountId, first, NOW))).toBe('last_key');
  const { record } = await rotateKey(database.db, accountId, first, 3600, NOW);
  expect(await codeOf(revokeKey(database.db, accountId, record.id, NOW))).toBe('last_key');
  await revokeKey(database.db, accountId, first, NOW);
  expect(await isValid(key)).toBe(false);
  // An operator can.
  await revokeKey(database.db, accountId, record.id, NOW, { allowLast: true });
});

test('keeps one of two keys when ten concurrent requests revoke them', async () => {
  const { accountId } = await newAccount(database.db);
  await issueKey(database.db, accountId, { name: 'x' }, NOW);
  const ids = (await listKeys(database.db, accountId, PAGE)).map(({ id }) => id);
  const codes = await Promise.all(Array.from({ length: 10 }, (_, i) => codeOf(revokeKey(database.db, accountId, ids[i % 2] ?? 0, NOW))));
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(await listKeys(database.db, accountId, PAGE)).toHaveLength(1);
});

test('revoked and expired keys leave room for 100 valid ones', async () => {
  const { accountId } = await newAccount(database.db);
  await database.db.raw(
    `INSERT INTO api_keys (account_id, name, prefix, hash, created_at, revoked_at, expires_at)
     SELECT ?, 'ended', 'psk_live_', sha256(('ended ' || n)::bytea), now(),
            CASE WHEN n % 2 = 0 THEN now() END, CASE WHEN n % 2 = 1 THEN now() - interval '1 second' END
       FROM generate_series(1, 200) n`,
    [accountId],
  );
  expect(await codeOf(issueKey(database.db, accountId, { name: 'x' }, NOW))).toMatchObject({ record: { name: 'x' } });
});

test('allows 100 valid keys under concurrent requests; a rotation without grace period needs no further one', async () => {
  const { accountId } = await newAccount(database.db);
  const first = await firstKeyId(accountId);
  const codes = await Promise.all(Array.from({ length: 110 }, () => codeOf(issueKey(database.db, accountId, { name: 'x' }, NOW))));
  expect(codes.filter((code) => code === 'key_limit')).toHaveLength(11);
  expect(await listKeys(database.db, accountId, PAGE)).toHaveLength(100);
  expect(await codeOf(rotateKey(database.db, accountId, first, 60, NOW))).toBe('key_limit');
  await rotateKey(database.db, accountId, first, 0, NOW);
  expect(await listKeys(database.db, accountId, PAGE)).toHaveLength(100);
});
