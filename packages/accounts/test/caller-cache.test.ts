/** The short memory of callers: never longer than a key is good, and not at all while nobody tells of changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { resumeAccount, setPlan, suspendAccount, issueKey, listKeys, revokeKey, rotateKey, startCallers, type Callers, type CallersOptions, createKey } from '@specwright/accounts';
import { announced } from '../src/invalidation-channel.ts';
import { connect, type Database } from '@specwright/postgres';
import { newAccount } from '../../../test/support/app.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/until.ts';

let database: TestDatabase;
let db: Database;
let accountId: number;
let key: string;
let keyId: number;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(async () => {
  ({ accountId, key } = await newAccount(db));
  keyId = (await listKeys(db, accountId, { after: 0, limit: 1 }))[0]?.id ?? 0;
  events.length = 0;
});

const started: Callers[] = [];
const events: boolean[] = [];
afterEach(async () => {
  for (const callers of started.splice(0)) await callers.close();
});

/** A long memory, so that what is forgotten was forgotten for another reason. */
async function listening(options: CallersOptions = {}): Promise<Callers> {
  const callers = startCallers(db, { memory: 60_000, writeAfter: 20, log: { info: () => events.push(true), warn: () => events.push(false) }, ...options });
  started.push(callers);
  await until(() => events.includes(true));
  return callers;
}

/** How often the database is asked for a key. */
async function lookUps(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const record = ({ sql }: { sql: string }) => void (count += sql.includes('join "accounts"') ? 1 : 0);
  db.on('query', record);
  await work();
  db.off('query', record);
  return count;
}

/** Announced to nobody. */
const breakQuietly = (id: number) => db('api_keys').where({ id }).update({ revoked_at: new Date() });
const listener = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_advisory_%' AND pid <> pg_backend_pid()`;

test('a good key is looked up once, a bad one each time', async () => {
  const callers = await listening();
  expect(await lookUps(async () => { for (let i = 0; i < 5; i++) await callers.find(key); })).toBe(1); // prettier-ignore
  const nobody = createKey();
  expect(await lookUps(async () => { for (let i = 0; i < 5; i++) await callers.find(nobody); })).toBe(5); // prettier-ignore
  expect(await lookUps(() => callers.find('psk_live_wrong'))).toBe(0);
});

test('what is remembered ends with the memory, and with the key', async () => {
  const forgetful = await listening({ memory: 50 });
  await forgetful.find(key);
  await breakQuietly(keyId);
  await until(async () => (await forgetful.find(key)) === undefined, 500);

  const callers = await listening();
  const { apiKey } = await issueKey(db, accountId, { name: 'x', expiresAt: new Date(Date.now() + 300).toISOString() }, new Date());
  expect(await callers.find(apiKey)).toBeDefined();
  await until(async () => (await callers.find(apiKey)) === undefined, 1000);
});

test('no more keys are remembered than may be', async () => {
  const callers = await listening({ mostRemembered: 2 });
  const others = [await newAccount(db), await newAccount(db)];
  for (const one of [key, ...others.map((other) => other.key)]) await callers.find(one);
  expect(await lookUps(() => callers.find(others[1]?.key ?? ''))).toBe(0);
  expect(await lookUps(() => callers.find(key))).toBe(1);
});

const CHANGES: Record<string, { act: () => Promise<unknown>; then: object | undefined }> = {
  'revoking a key': { act: () => revokeKey(db, accountId, keyId, new Date(), { evenLast: true }), then: undefined },
  'replacing it at once': { act: () => rotateKey(db, accountId, keyId, 0, new Date()), then: undefined },
  'suspending the account': { act: () => suspendAccount(db, accountId, new Date()), then: undefined },
  'changing its plan': {
    act: () => setPlan(db, accountId, 'enterprise', { minute: 7, day: 70 }),
    then: { plan: 'enterprise', quota: { minute: 7, day: 70 } },
  },
};

test.each(Object.entries(CHANGES))('%s is noticed by every server', async (_, { act, then }) => {
  const servers = [await listening(), await listening(), await listening()];
  await until(() => events.length === 3);
  for (const callers of servers) expect(await callers.find(key)).toMatchObject({ plan: 'free' });
  await act();
  for (const callers of servers) {
    const found = await callers.find(key);
    if (then === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(then);
  }
});

test('a suspended account comes back with its keys', async () => {
  const callers = await listening();
  await suspendAccount(db, accountId, new Date());
  expect(await callers.find(key)).toBeUndefined();
  await resumeAccount(db, accountId);
  expect(await callers.find(key)).toBeDefined();
});

test('a change during a look-up is not overlooked: what was found before it is not remembered', async () => {
  const callers = await listening();
  // Looks, and then takes its time to answer.
  await db.raw(`ALTER TABLE accounts RENAME TO accounts_itself;
    CREATE VIEW accounts AS SELECT a.* FROM accounts_itself a, (SELECT pg_sleep(0.5)) slow`);
  const lookUp = callers.find(key);
  await sleep(150);
  await announced(db, () => breakQuietly(keyId));
  expect(await lookUp).toMatchObject({ keyId });
  await db.raw('DROP VIEW accounts; ALTER TABLE accounts_itself RENAME TO accounts');
  expect(await callers.find(key)).toBeUndefined();
});

test('while the channel is lost every key is looked up, and afterwards nothing of before is believed', async () => {
  const callers = await listening();
  await callers.find(key);
  await db.raw(listener);
  await until(() => events.at(-1) === false);
  expect(await lookUps(async () => { for (let i = 0; i < 3; i++) await callers.find(key); })).toBe(3); // prettier-ignore
  await breakQuietly(keyId);
  expect(await callers.find(key)).toBeUndefined();
  await until(() => events.at(-1) === true);
  expect(events).toEqual([true, false, true]);
  expect(await callers.find(key)).toBeUndefined();

  const other = await newAccount(db);
  await callers.find(other.key);
  expect(await lookUps(() => callers.find(other.key))).toBe(0);
  await suspendAccount(db, other.accountId, new Date());
  expect(await callers.find(other.key)).toBeUndefined();
});

test('fifty changes at once, and each is believed by every server before it is answered', async () => {
  const servers = [await listening(), await listening()];
  await until(() => events.length === 2);
  const keys = await Promise.all(Array.from({ length: 50 }, () => issueKey(db, accountId, { name: 'x' }, new Date())));
  const late: unknown[] = [];
  await Promise.all(
    keys.map(async ({ record, apiKey }) => {
      for (const callers of servers) await callers.find(apiKey);
      await revokeKey(db, accountId, record.id, new Date());
      for (const callers of servers) if ((await callers.find(apiKey)) !== undefined) late.push(record.id);
    }),
  );
  expect(late).toEqual([]);
  await sleep(300); // in doubt no longer
  expect(await lookUps(async () => { await servers[0]?.find(key); await servers[0]?.find(key); })).toBe(1); // prettier-ignore
});

test('a server that has gone silent holds a change up for a second, and no longer', async () => {
  const silent = connect({ url: database.url, pool: 1 });
  await silent.raw('SELECT pg_advisory_lock_shared(7305871005)');
  const start = performance.now();
  await suspendAccount(db, accountId, new Date());
  const took = performance.now() - start;
  await silent.destroy();
  expect([took > 900, took < 3000]).toEqual([true, true]);
});

test('the last use is on record soon after, once for many uses on many servers, and again a minute later', async () => {
  const servers = [await listening(), await listening()];
  const read = async () =>
    await db('api_keys').where({ id: keyId }).first<{ version: number; at: string | null }>({ version: 'version', at: 'last_used_at' });
  await Promise.all(servers.flatMap((callers) => Array.from({ length: 10 }, () => callers.find(key))));
  await until(async () => (await read()).at !== null);
  for (const callers of servers.splice(0)) await callers.close();
  expect((await read()).version).toBe(2);

  const minuteAgo = new Date(Date.now() - 61_000).toISOString();
  await db('api_keys').where({ id: keyId }).update({ last_used_at: minuteAgo });
  const later = await listening();
  await later.find(key);
  await until(async () => (await read()).at !== minuteAgo);
  expect((await read()).version).toBe(3);
});

test('a use that cannot be written fails nobody', async () => {
  const errors: string[] = [];
  const log = { info: () => events.push(true), warn: (_fields: object, message: string) => errors.push(message) };
  const callers = await listening({ log });
  await db.raw('ALTER TABLE api_keys ADD CONSTRAINT never_used CHECK (last_used_at IS NULL) NOT VALID');
  expect(await callers.find(key)).toBeDefined();
  await until(() => errors.includes('the last use of keys could not be written'));
  await db.raw('ALTER TABLE api_keys DROP CONSTRAINT never_used');
});
