/** Bans in PostgreSQL: refusals of a key lead to one, every store sees it, and it can be lifted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findCaller, liftBan, openCounterStore, type PostgresCounterStore } from '@specwright/accounts';
import { newAccount, withAccountsDatabase } from './support/accounts-database.ts';

const STRIKES_BEFORE_BAN = 40;
const QUARTER_HOUR_MS = 15 * 60_000;

const database = withAccountsDatabase();
let stores: PostgresCounterStore[];
beforeAll(() => {
  stores = [1, 2].map(() => openCounterStore({ url: database.url }));
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

async function newKey() {
  const { accountId, key } = await newAccount(database.db);
  return { accountId, keyId: (await findCaller(database.db, key))?.keyId ?? 0 };
}

test('bans a key after 40 early requests that two stores have recorded, and lifts the ban', async () => {
  const key = await newKey();
  const now = Date.now();
  const refusal = (at: number) => ({ arrivedAt: at, refusedAt: at, retryAt: now + 60_000, limit: 60 });
  const record = (i: number) => stores[i % 2]?.recordRefusal(key, refusal(now + i));
  expect(await record(0)).toBeUndefined();
  for (let i = 1; i < STRIKES_BEFORE_BAN; i++) expect(await record(i)).toBeUndefined();
  const ban = { ...key, until: now + STRIKES_BEFORE_BAN + QUARTER_HOUR_MS };
  expect(await record(STRIKES_BEFORE_BAN)).toEqual(ban);

  for (const store of stores) {
    const { bans, changes } = await store.bans();
    expect(bans).toEqual([ban]);
    // Each decision tells a server whether it has to read the bans again.
    expect((await store.take({ bucket: 'b', cost: 0, quota: { minute: 1, day: 1 } })).changes).toBe(changes);
  }
  expect(await liftBan(database.url, key.keyId)).toBe(true);
  for (const store of stores) expect((await store.bans()).bans).toEqual([]);
  expect(await liftBan(database.url, key.keyId)).toBe(false);
});

test('a ban is over after its duration though the clock was set back by an hour meanwhile', async () => {
  const key = await newKey();
  const began = Date.now() + 3_600_000;
  const banned = { account_id: key.accountId, key_id: key.keyId, refused_at: 0, bans: 1, banned_until: began + QUARTER_HOUR_MS };
  await database.db('api_key_bans').insert(banned);
  const active = await stores[0]?.bans();
  const [ban] = (active?.bans ?? []).filter(({ keyId }) => keyId === key.keyId);
  expect((ban?.until ?? 0) - (active?.now ?? 0)).toBeLessThanOrEqual(QUARTER_HOUR_MS);
  expect((await stores[1]?.bans())?.bans).toContainEqual(ban);
  await liftBan(database.url, key.keyId);
});

test('does not list a ban that has ended', async () => {
  const key = await newKey();
  const ended = Date.now() - QUARTER_HOUR_MS;
  await database.db('api_key_bans').insert({ account_id: key.accountId, key_id: key.keyId, banned_until: ended });
  expect((await stores[0]?.bans())?.bans).toEqual([]);
});
