/** The cache of cache: no entry outlives its key, and nothing is cached while changes are not received. */
import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  createKey,
  issueKey,
  listKeys,
  openCallerCache,
  resumeAccount,
  revokeKey,
  rotateKey,
  setPlan,
  suspendAccount,
  type CallerCache,
  type CallerCacheOptions,
} from '@specwright/accounts';
import { connect } from '@specwright/postgres';
import type { LookUpLimit, Metric } from '@specwright/server';
import { scaleTimeout, until } from 'specwright/testing';
import { PARTITIONS, partitionOf, withInvalidation } from '../src/keys/invalidation-channel.ts';
import { newAccount, withAccountsDatabase } from './support/accounts-database.ts';

const database = withAccountsDatabase();
let accountId: number;
let key: string;
let keyId: number;

const opened: CallerCache[] = [];
/** For each change of the channel, whether it is listening. */
const events: boolean[] = [];
beforeEach(async () => {
  ({ accountId, key } = await newAccount(database.db));
  keyId = (await listKeys(database.db, accountId, { after: 0, limit: 1 }))[0]?.id ?? 0;
  events.length = 0;
});
afterEach(async () => {
  for (const cache of opened.splice(0)) await cache.close();
});

/** A cache whose channel is open. Its TTL is long, so that entries are dropped for other reasons only. */
async function openCache(options: CallerCacheOptions = {}): Promise<CallerCache> {
  const log = { info: () => events.push(true), warn: () => events.push(false) };
  const cache = openCallerCache(database.db, { ttlMs: 60_000, writeDelayMs: 20, log, ...options });
  opened.push(cache);
  await until(() => events.includes(true));
  return cache;
}

/** How often the database is asked for a key. */
async function countLookUps(run: () => unknown): Promise<number> {
  let count = 0;
  const onQuery = ({ sql }: { sql: string }) => void (count += sql.includes('join "accounts"') ? 1 : 0);
  database.db.on('query', onQuery);
  await run();
  database.db.off('query', onQuery);
  return count;
}

/** Revokes a key without a notification. */
const revokeSilently = (id: number) => database.db('api_keys').where({ id }).update({ revoked_at: new Date() });
const KILL_CHANNEL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%pg_advisory_%' AND pid <> pg_backend_pid()`;

test('looks a valid key up once, and an unknown key each time', async () => {
  const cache = await openCache();
  expect(await countLookUps(async () => { for (let i = 0; i < 5; i++) await cache.find(key); })).toBe(1); // prettier-ignore
  const unknown = createKey();
  expect(await countLookUps(async () => { for (let i = 0; i < 5; i++) await cache.find(unknown); })).toBe(5); // prettier-ignore
  expect(await countLookUps(() => cache.find('psk_live_wrong'))).toBe(0);
});

test('without a channel an entry is kept for its TTL, and dropped after a pause of the process', async () => {
  const cache = openCallerCache(database.db, { ttlMs: 60_000, background: false });
  opened.push(cache);
  const caller = await cache.find(key);
  await revokeSilently(keyId);
  expect([caller?.accountId, await cache.find(key)]).toEqual([accountId, caller]);
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 1000);
  try {
    expect(await cache.find(key)).toBeUndefined();
  } finally {
    clock.mockRestore();
  }
});

test('drops an entry when its TTL ends, and when the key expires', async () => {
  const shortLived = await openCache({ ttlMs: 50 });
  await shortLived.find(key);
  await revokeSilently(keyId);
  await until(async () => (await shortLived.find(key)) === undefined, 500);

  const cache = await openCache();
  const { apiKey } = await issueKey(database.db, accountId, { name: 'x', expiresAt: new Date(Date.now() + 300).toISOString() }, new Date());
  expect(await cache.find(apiKey)).toBeDefined();
  await until(async () => (await cache.find(apiKey)) === undefined, 1000);
});

test('caches at most maxEntries cache', async () => {
  const cache = await openCache({ maxEntries: 2 });
  const others = [await newAccount(database.db), await newAccount(database.db)];
  for (const one of [key, ...others.map((other) => other.key)]) await cache.find(one);
  expect(await countLookUps(() => cache.find(others[1]?.key ?? ''))).toBe(0);
  expect(await countLookUps(() => cache.find(key))).toBe(1);
});

const CHANGES: Record<string, { change: () => Promise<unknown>; caller: object | undefined }> = {
  'revoking a key': { change: () => revokeKey(database.db, accountId, keyId, new Date(), { allowLast: true }), caller: undefined },
  'rotating it without a grace period': { change: () => rotateKey(database.db, accountId, keyId, 0, new Date()), caller: undefined },
  'suspending the account': { change: () => suspendAccount(database.db, accountId, new Date()), caller: undefined },
  'changing its plan': {
    change: () => setPlan(database.db, accountId, 'enterprise', { minute: 7, day: 70 }),
    caller: { plan: 'enterprise', quota: { minute: 7, day: 70 } },
  },
};

test.each(Object.entries(CHANGES))('%s takes effect on every server before it is answered', async (_, { change, caller }) => {
  const servers = [await openCache(), await openCache(), await openCache()];
  await until(() => events.length === 3);
  for (const cache of servers) expect(await cache.find(key)).toMatchObject({ plan: 'free' });
  await change();
  for (const cache of servers) {
    const found = await cache.find(key);
    if (caller === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(caller);
  }
});

test("a change of one account's keys leaves the entries of all other accounts on every server", async () => {
  const servers = [await openCache(), await openCache()];
  await until(() => events.length === 2);
  const others = await Promise.all(Array.from({ length: 70 }, () => newAccount(database.db)));
  const samePartition = others.filter((other) => partitionOf(other.accountId) === partitionOf(accountId));
  expect(samePartition).not.toEqual([]);
  for (const cache of servers) for (const one of [key, ...others.map((other) => other.key)]) await cache.find(one);
  await issueKey(database.db, accountId, { name: 'x' }, new Date());
  await revokeKey(database.db, accountId, keyId, new Date());
  for (const cache of servers) {
    expect(await cache.find(key)).toBeUndefined();
    const elsewhere = others.filter((other) => !samePartition.includes(other));
    expect(await countLookUps(() => Promise.all(elsewhere.map(async (other) => cache.find(other.key))))).toBe(0);
  }
  // The few accounts of its partition are looked up while its lock is released, and keep their entries.
  await sleep(scaleTimeout(300));
  for (const cache of servers)
    expect(await countLookUps(() => Promise.all(samePartition.map(async (other) => cache.find(other.key))))).toBe(0);
});

const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;

/** The share of accounts whose changes are received. */
const receiving = (cache: CallerCache) => {
  const metrics = cache.metrics() as readonly Metric[];
  return metrics.find(({ name }) => name === 'api_key_cache_receiving_changes')?.values[0]?.value;
};

test('while an account is changed no caller of its partition is used from the cache, and none is cached', async () => {
  const cache = await openCache();
  await cache.find(key);
  // The writer of a change waits for all servers to leave the partition, and is slow to end.
  const writer = connect({ url: database.url, pool: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 });
  try {
    const isLocked = writer.raw('SELECT pg_advisory_lock(730587100, ?)', [partitionOf(accountId)]).then(() => true);
    await until(async () => (await database.db.raw<{ rows: unknown[] }>(WAITING)).rows.length === 1);
    await database.db.raw('SELECT pg_notify(?, ?)', ['account_keys', String(accountId + PARTITIONS)]);
    expect(await isLocked).toBe(true);
    expect(receiving(cache)).toBe(1 - 1 / PARTITIONS);
    expect(await countLookUps(async () => { for (let i = 0; i < 3; i++) await cache.find(key); })).toBe(3); // prettier-ignore
  } finally {
    await writer.destroy();
  }
  await until(() => receiving(cache) === 1);
  expect(await countLookUps(async () => { for (let i = 0; i < 3; i++) await cache.find(key); })).toBe(1); // prettier-ignore
});

test('a channel that is lost while it waits for a writer is opened again', async () => {
  const cache = await openCache();
  const writer = connect({ url: database.url, pool: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 });
  const waiting = async () => (await database.db.raw<{ rows: { pid: number }[] }>(WAITING)).rows;
  try {
    const isLocked = writer.raw('SELECT pg_advisory_lock(730587100, ?)', [partitionOf(accountId)]).then(() => true);
    await until(async () => (await waiting()).length === 1);
    await database.db.raw('SELECT pg_notify(?, ?)', ['account_keys', String(accountId)]);
    await isLocked;
    await until(async () => (await waiting()).length === 1);
    await database.db.raw('SELECT pg_terminate_backend(?)', [(await waiting())[0]?.pid ?? 0]);
    await until(() => events.at(-1) === false);
  } finally {
    await writer.destroy();
  }
  await until(() => receiving(cache) === 1);
});

test('a caller that was cached before its account was changed is not used later either', async () => {
  const cache = await openCache();
  await cache.find(key);
  await setPlan(database.db, accountId, 'pro', undefined);
  await until(() => receiving(cache) === 1);
  expect(await cache.find(key)).toMatchObject({ plan: 'pro' });
});

test('accepts the keys of an account again after it is resumed', async () => {
  const cache = await openCache();
  await suspendAccount(database.db, accountId, new Date());
  expect(await cache.find(key)).toBeUndefined();
  await resumeAccount(database.db, accountId);
  expect(await cache.find(key)).toBeDefined();
});

test('does not cache a look-up during which the key was changed', async () => {
  const cache = await openCache();
  // A look-up that reads the row and then takes half a second.
  await database.db.raw(`ALTER TABLE accounts RENAME TO renamed_accounts;
    CREATE VIEW accounts AS SELECT a.* FROM renamed_accounts a, (SELECT pg_sleep(0.5)) slow`);
  const lookUp = cache.find(key);
  await sleep(150);
  await withInvalidation(database.db, accountId, () => revokeSilently(keyId));
  expect(await lookUp).toMatchObject({ keyId });
  await database.db.raw('DROP VIEW accounts; ALTER TABLE renamed_accounts RENAME TO accounts');
  expect(await cache.find(key)).toBeUndefined();
});

test('a caller that was cached before the channel was lost is not used once it is open again', async () => {
  const cache = await openCache();
  await cache.find(key);
  await database.db.raw(KILL_CHANNEL);
  await until(() => events.at(-1) === false);
  await revokeSilently(keyId);
  await until(() => events.at(-1) === true);
  expect(await cache.find(key)).toBeUndefined();
});

test('does not cache a look-up during which the channel was lost and opened again', async () => {
  const cache = await openCache();
  // A look-up that reads the row, and then waits for a lock.
  await database.db.raw(`ALTER TABLE accounts RENAME TO renamed_accounts;
    CREATE VIEW accounts AS SELECT a.* FROM renamed_accounts a, (SELECT pg_advisory_xact_lock_shared(1)) slow`);
  let lookUp: ReturnType<CallerCache['find']>;
  await database.db.transaction(async (holder) => {
    await holder.raw('SELECT pg_advisory_xact_lock(1)');
    // Its last statement, which tells it from those whose backends are ended.
    await holder.raw('SELECT 1');
    lookUp = cache.find(key);
    await until(async () => (await database.db.raw<{ rows: unknown[] }>(WAITING)).rows.length === 1);
    await database.db.raw(KILL_CHANNEL);
    await until(() => events.at(-1) === false);
    await revokeSilently(keyId);
    await until(() => events.at(-1) === true);
  });
  expect(await lookUp).toMatchObject({ keyId });
  await database.db.raw('DROP VIEW accounts; ALTER TABLE renamed_accounts RENAME TO accounts');
  expect(await cache.find(key)).toBeUndefined();
});

test('only look-ups of keys that were not valid before are bounded', async () => {
  const cache = await openCache();
  let bounded = 0;
  const limit: LookUpLimit = {
    lookUp: (run) => {
      bounded++;
      return run();
    },
  };
  const find = async (given: string) => {
    bounded = 0;
    return [(await cache.find(given, limit)) !== undefined, bounded];
  };
  expect([await find(key), await find(key)]).toEqual([[true, 1], [true, 0]]); // prettier-ignore
  await setPlan(database.db, accountId, 'pro', undefined);
  expect(await find(key)).toEqual([true, 0]);
  await revokeKey(database.db, accountId, keyId, new Date(), { allowLast: true });
  expect([await find(key), await find(key)]).toEqual([[false, 0], [false, 1]]); // prettier-ignore
  const unknown = createKey();
  expect([await find(unknown), await find(unknown)]).toEqual([[false, 1], [false, 1]]); // prettier-ignore
});

test('caches nothing while the channel is lost, and drops all entries when it is opened again', async () => {
  const cache = await openCache();
  await cache.find(key);
  await database.db.raw(KILL_CHANNEL);
  await until(() => events.at(-1) === false);
  expect(await countLookUps(async () => { for (let i = 0; i < 3; i++) await cache.find(key); })).toBe(3); // prettier-ignore
  await revokeSilently(keyId);
  expect(await cache.find(key)).toBeUndefined();
  await until(() => events.at(-1) === true);
  expect(events).toEqual([true, false, true]);
  expect(await cache.find(key)).toBeUndefined();

  const other = await newAccount(database.db);
  await cache.find(other.key);
  expect(await countLookUps(() => cache.find(other.key))).toBe(0);
  await suspendAccount(database.db, other.accountId, new Date());
  expect(await cache.find(other.key)).toBeUndefined();
});

test('a cache that is closed while its channel is lost does not connect again', async () => {
  const cache = await openCache();
  const client = database.db.client as { acquireRawConnection: () => Promise<EventEmitter> };
  const acquire = jest.spyOn(client, 'acquireRawConnection');
  await database.db.raw(KILL_CHANNEL);
  await until(() => events.at(-1) === false);
  await cache.close();
  acquire.mockClear();
  // The first attempt comes after 100 ms at the latest.
  await sleep(200);
  expect(acquire).not.toHaveBeenCalled();
  acquire.mockRestore();
});

/** Lets the sessions that are opened from now on lose their notifications, as a pooler in transaction mode or a silent network does. */
function loseNotifications() {
  const client = database.db.client as { acquireRawConnection: () => Promise<EventEmitter> };
  const acquire = client.acquireRawConnection;
  const state = { areLost: true, restore: () => void (client.acquireRawConnection = acquire) };
  client.acquireRawConnection = async () => {
    const connection = await acquire.call(client);
    const emit = connection.emit.bind(connection);
    connection.emit = (event: string, ...args: unknown[]) => (state.areLost && event === 'notification') || emit(event, ...args);
    return connection;
  };
  return state;
}

test('look-ups of a key at the same time are one while changes are received, and each its own while they are not', async () => {
  const find = (cache: CallerCache) => countLookUps(() => Promise.all([1, 2, 3].map(async () => cache.find(key))));
  const cache = await openCache();
  const receiving = async () => (await cache.metrics()).find(({ name }) => name === 'api_key_cache_receiving_changes')?.values[0]?.value;
  await until(async () => (await receiving()) === 1);
  expect(await find(cache)).toBe(1);
  const notifications = loseNotifications();
  const deaf = openCallerCache(database.db, { ttlMs: 60_000 });
  opened.push(deaf);
  expect(await find(deaf)).toBe(3);
  notifications.restore();
});

test('without work in the background nothing is listened for, a caller is cached for a second, and uses are written when it settles', async () => {
  const listening = async () => {
    const { rows } = await database.db.raw<{ rows: { pid: number }[] }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    return rows;
  };
  // Sessions of the tests before end a moment after their caches are closed.
  await until(async () => (await listening()).length === 0);
  const cache = openCallerCache(database.db, { background: false });
  opened.push(cache);
  expect(await countLookUps(() => cache.find(key))).toBe(1);
  expect(await countLookUps(() => cache.find(key))).toBe(0);
  expect(await listening()).toEqual([]);
  const lastUse = async () => (await listKeys(database.db, accountId, { after: 0, limit: 1 }))[0]?.lastUsedAt;
  expect(await lastUse()).toBeUndefined();
  await cache.flush();
  expect(await lastUse()).toEqual(expect.any(String));
  await revokeSilently(keyId);
  await until(async () => (await cache.find(key)) === undefined);
});

test('a caller that was cached before a pause of the process is looked up again, also if the change was not received', async () => {
  const cache = await openCache();
  await cache.find(key);
  await revokeSilently(keyId);
  expect(await cache.find(key)).toBeDefined();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 1000);
  expect(await cache.find(key)).toBeUndefined();
  clock.mockRestore();
  // The connection has survived: keys are cached again.
  const other = await newAccount(database.db);
  await until(async () => (await countLookUps(() => cache.find(other.key))) === 0);
  expect(events).toEqual([true]);
});

test('caches nothing before a test notification has arrived: LISTEN alone proves nothing', async () => {
  const notifications = loseNotifications();
  const reasons: string[] = [];
  const log = { info: () => events.push(true), warn: ({ err }: { err?: Error }) => reasons.push(err?.message ?? '') };
  const cache = openCallerCache(database.db, { ttlMs: 60_000, log });
  opened.push(cache);
  await until(() => reasons.length > 0);
  expect(reasons[0]).toMatch(/do not arrive after LISTEN.*DATABASE_DIRECT_URL/);
  expect(events).toEqual([]);
  expect(await countLookUps(async () => { for (let i = 0; i < 3; i++) await cache.find(key); })).toBe(3); // prettier-ignore
  notifications.restore();
  await until(() => events.includes(true));
});

test('caches nothing once test notifications have stopped, without an error of the connection', async () => {
  const notifications = loseNotifications();
  notifications.areLost = false;
  const cache = await openCache({ testIntervalMs: 50 });
  notifications.restore();
  await sleep(500);
  await cache.find(key);
  expect(await countLookUps(() => cache.find(key))).toBe(0);
  expect(events).toEqual([true]);
  notifications.areLost = true;
  await until(() => events.includes(false));
  // On the next connection they arrive.
  await until(() => events.at(-1) === true);
  await cache.find(key);
  expect(await countLookUps(() => cache.find(key))).toBe(0);
});

test('fifty concurrent changes each take effect on every server before they are answered', async () => {
  const servers = [await openCache(), await openCache()];
  await until(() => events.length === 2);
  const keys = await Promise.all(Array.from({ length: 50 }, () => issueKey(database.db, accountId, { name: 'x' }, new Date())));
  const late: unknown[] = [];
  await Promise.all(
    keys.map(async ({ record, apiKey }) => {
      for (const cache of servers) await cache.find(apiKey);
      await revokeKey(database.db, accountId, record.id, new Date());
      for (const cache of servers) if ((await cache.find(apiKey)) !== undefined) late.push(record.id);
    }),
  );
  expect(late).toEqual([]);
  // Once every change has been received the caches are enabled again.
  await until(async () => (await countLookUps(async () => servers[0]?.find(key))) === 0);
});

test('a server that does not respond delays a change by a second, and not longer', async () => {
  const silent = connect({ url: database.url, pool: 1 });
  await silent.raw('SELECT pg_advisory_lock_shared(730587100, ?)', [partitionOf(accountId)]);
  const start = performance.now();
  await suspendAccount(database.db, accountId, new Date());
  const took = performance.now() - start;
  await silent.destroy();
  expect([took > 900, took < 3000]).toEqual([true, true]);
});

test('records the last use once for many uses on many servers, and again a minute later', async () => {
  const servers = [await openCache(), await openCache()];
  const read = async () =>
    await database
      .db('api_keys')
      .where({ id: keyId })
      .first<{ version: number; at: string | null }>({ version: 'version', at: 'last_used_at' });
  await Promise.all(servers.flatMap((cache) => Array.from({ length: 10 }, async () => cache.find(key))));
  await until(async () => (await read()).at !== null);
  for (const cache of servers.splice(0)) await cache.close();
  expect((await read()).version).toBe(1);

  const minuteAgo = new Date(Date.now() - 61_000).toISOString();
  await database.db('api_keys').where({ id: keyId }).update({ last_used_at: minuteAgo });
  const later = await openCache();
  await later.find(key);
  await until(async () => (await read()).at !== minuteAgo);
  expect((await read()).version).toBe(1);
});

test('close returns when the uses that were collected are written', async () => {
  const cache = await openCache({ writeDelayMs: 60_000 });
  await cache.find(key);
  let isClosed = false;
  const closing = await database.db.transaction(async (holder) => {
    await holder.raw('LOCK TABLE api_keys');
    const closed = cache.close().then(() => (isClosed = true));
    await until(async () => (await database.db.raw<{ rows: unknown[] }>(WAITING)).rows.length === 1);
    expect(isClosed).toBe(false);
    return { closed };
  });
  await closing.closed;
  expect(await database.db('api_keys').where({ id: keyId }).first('last_used_at')).toEqual({ last_used_at: expect.anything() });
});

test('a use that cannot be written fails no request', async () => {
  const errors: string[] = [];
  const log = { info: () => events.push(true), warn: (_fields: object, message: string) => errors.push(message) };
  const cache = await openCache({ log });
  await database.db.raw('ALTER TABLE api_keys ADD CONSTRAINT never_used CHECK (last_used_at IS NULL) NOT VALID');
  expect(await cache.find(key)).toBeDefined();
  await until(() => errors.includes('the last use of keys could not be written'));
  await database.db.raw('ALTER TABLE api_keys DROP CONSTRAINT never_used');
});
