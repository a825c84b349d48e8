/** Bans, to the unit: who comes back too early too often is out for 15 minutes, an hour, a day; per key, over restarts, until lifted. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { insertKey, unban } from '@specwright/accounts';
import { countStatuses, createDatabase, type JsonResponse, type TestDatabase, until } from '@specwright/testing';
import { afterRefusal, NO_STRIKES, strikesBeforeBan, type StrikeRecord } from '../../packages/server/src/limits/strikes.ts';
import { newAccount, startApp, type TestApp } from '../support/app.ts';
import { clientWithKey, type ErrorBody } from '../support/client.ts';
import { createClock, realLimits, type Clock } from '../support/limits.ts';
import { startProcess } from '../support/process.ts';

// A hundred requests one after the other, several times: a busy machine takes its time.
jest.setTimeout(60_000);

describe('the arithmetic', () => {
  const early = (record: StrikeRecord, at: number, limit = 60) =>
    afterRefusal(record, { arrivedAt: at, refusedAt: at, retryAt: Math.max(60_000, at + 1000), limit });
  const times = (count: number, record: StrikeRecord, at: number, limit = 60) =>
    Array.from({ length: count }).reduce<StrikeRecord>((before) => early(before, at, limit), record);

  test.each([
    [60, 40],
    [300, 160],
    [1000, 510],
    [5, 40],
  ])('with %i a minute, ten are free and the ban comes with early request %i', (limit, count) => {
    expect(strikesBeforeBan(limit)).toBe(count);
    const refused = early(NO_STRIKES, 1, limit);
    expect(times(count - 1, refused, 2, limit).bannedUntil).toBe(0);
    expect(times(count, refused, 2, limit).bannedUntil).toBe(2 + 15 * 60_000);
  });

  test('of a burst that arrived before the first refusal none is early', () => {
    let record = afterRefusal(NO_STRIKES, { arrivedAt: 5, refusedAt: 10, retryAt: 60_000, limit: 60 });
    for (let i = 0; i < 500; i++) record = afterRefusal(record, { arrivedAt: 9, refusedAt: 20, retryAt: 60_000, limit: 60 });
    expect(record).toMatchObject({ strikes: 0, bannedUntil: 0 });
  });

  test('who waits for Retry-After has no strike', () => {
    expect(early(early(NO_STRIKES, 1), 60_000)).toMatchObject({ strikes: 0, refusedAt: 60_000 });
  });

  test('strikes of different minutes do not add up', () => {
    const waiting = { ...early(NO_STRIKES, 1), retryAt: 86_400_000 };
    const first = times(39, waiting, 2);
    expect(times(39, first, 60_002)).toMatchObject({ strikes: 39, bannedUntil: 0 });
  });

  test('a ban is not prolonged; the next ones last an hour, then a day; after a quiet week it begins again', () => {
    const ban = (record: StrikeRecord, at: number) =>
      Array.from({ length: 40 }).reduce<StrikeRecord>(
        (before) => afterRefusal(before, { arrivedAt: at + 1, refusedAt: at + 1, retryAt: at + 60_000, limit: 60 }),
        afterRefusal(record, { arrivedAt: at, refusedAt: at, retryAt: at + 60_000, limit: 60 }),
      );
    const minutes = (record: StrikeRecord, at: number) => (record.bannedUntil - at - 1) / 60_000;
    let record = ban(NO_STRIKES, 0);
    expect(minutes(record, 0)).toBe(15);
    expect(ban(record, 1000)).toEqual(record);
    let at = record.bannedUntil;
    for (const length of [60, 24 * 60, 24 * 60]) {
      record = ban(record, at);
      expect(minutes(record, at)).toBe(length);
      at = record.bannedUntil;
    }
    at += 8 * 86_400_000;
    expect(minutes(ban(record, at), at)).toBe(15);
  });
});

describe('over HTTP', () => {
  let database: TestDatabase;
  let clock: Clock;
  const opened: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    database = await createDatabase();
    clock = createClock();
  });
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });
  afterAll(() => database.drop());

  async function serve(): Promise<TestApp & { statements: () => Promise<number> }> {
    const { options, store } = realLimits(database.url, clock);
    const app = await startApp(database.db, options);
    opened.push(app.close, store.close);
    return {
      ...app,
      statements: async () => Number((await database.db('rate_limit_counters').sum({ n: 'asked_at' }).first<{ n: string }>()).n),
    };
  }
  const get = (app: TestApp, key: string) => clientWithKey(app.url, key)<ErrorBody>('GET', '/categories?limit=1');
  async function series(app: TestApp, key: string, count: number): Promise<JsonResponse<ErrorBody>[]> {
    const answers = [];
    for (let i = 0; i < count; i++) answers.push(await get(app, key));
    return answers;
  }
  const keyId = async (accountId: number) =>
    (await database.db('api_keys').where({ account_id: accountId }).min({ id: 'id' }).first<{ id: number }>()).id;

  test('60 pass, one is refused, 39 come back too early, the next is banned; Retry-After says how long', async () => {
    const app = await serve();
    const { key } = await newAccount(database.db);
    expect(countStatuses(await series(app, key, 60))).toEqual({ 200: 60 });
    const refused = await series(app, key, 40);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['rate_limited']));
    const banned = await get(app, key);
    expect([banned.status, banned.body.code, banned.headers.get('retry-after')]).toEqual([429, 'api_key_banned', '900']);
    expect(banned.headers.get('x-ratelimit-remaining')).toBe('0');

    const before = await app.statements();
    const still = await series(app, key, 50);
    expect(new Set(still.map(({ body }) => body.code))).toEqual(new Set(['api_key_banned']));
    expect(await app.statements()).toBe(before);

    // GET /rate-limit is answered, and tells the ban.
    const told = await clientWithKey(app.url, key)<{ ban: { retryAfter: number } }>('GET', '/rate-limit');
    expect(told.status).toBe(200);
    expect(told.body.ban.retryAfter).toBeGreaterThan(880);

    clock.pass(900);
    expect((await get(app, key)).status).toBe(200);
  });

  async function banKey(app: TestApp) {
    const { accountId, key } = await newAccount(database.db);
    await series(app, key, 101);
    expect((await get(app, key)).body.code).toBe('api_key_banned');
    return { accountId, key };
  }

  test("the ban is the key's, not the account's", async () => {
    const app = await serve();
    const { accountId, key } = await banKey(app);
    const other = await database.db.transaction((trx) => insertKey(trx, accountId, new Date()));
    expect((await get(app, other)).body.code).toBe('rate_limited');
    clock.pass(60);
    expect((await get(app, other)).status).toBe(200);
    expect((await get(app, key)).body.code).toBe('api_key_banned');
  });

  test('every other server knows it with its next request, and one that is started later too', async () => {
    const [first, second] = [await serve(), await serve()];
    await get(second, (await newAccount(database.db)).key);
    const { key } = await banKey(first);
    clock.pass(60);
    expect((await get(second, key)).body.code).toBe('api_key_banned');
    expect((await get(await serve(), key)).body.code).toBe('api_key_banned');
  });

  test('it is lifted by command line, and every server follows', async () => {
    const app = await serve();
    const { accountId, key } = await banKey(app);
    clock.pass(60);
    const id = await keyId(accountId);
    const lift = () =>
      startProcess({
        program: 'packages/accounts/src/commands/limits.ts',
        args: ['unban', '--key', String(id)],
        env: { DATABASE_URL: database.url },
      });
    const lifted = lift();
    expect(await lifted.exited).toMatchObject({ code: 0 });
    expect(lifted.output.stdout).toBe(`key ${id}: the ban is lifted\n`);
    await until(async () => (await get(app, key)).status === 200);
    const again = lift();
    expect(await again.exited).toMatchObject({ code: 1 });
    expect(again.output.stderr).toMatch(`key ${id} is not banned`);
  }, 60_000);

  test('a burst of requests that were sent together bans nobody', async () => {
    const app = await serve();
    const { key } = await newAccount(database.db);
    await Promise.all(Array.from({ length: 90 }, () => get(app, key)));
    expect((await get(app, key)).body.code).toBe('rate_limited');
    expect(await unban(database.url, 987_654)).toBe(false);
  });
});
