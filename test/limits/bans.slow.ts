/** Bans, exactly: a key that ignores Retry-After too often is banned for 15 minutes, an hour, a day, on every server, until the ban is lifted. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { insertKey, liftBan } from '@specwright/accounts';
import { scaleTimeout, until, withDatabase, type JsonResponse } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { newAccount, startApp, type TestApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { createClock, realLimits } from '../support/service/limits.ts';
import { startProcess } from '../support/service/process.ts';

// A hundred requests one after the other, several times.
jest.setTimeout(scaleTimeout(120_000));

describe('over HTTP', () => {
  const database = withDatabase();
  const clock = createClock();
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });

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

  test('60 requests are admitted, 40 are refused, the next is banned, with its length in Retry-After', async () => {
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

  test('other keys of the account are not banned', async () => {
    const app = await serve();
    const { accountId, key } = await banKey(app);
    const other = await database.db.transaction((trx) => insertKey(trx, accountId, new Date()));
    expect((await get(app, other)).body.code).toBe('rate_limited');
    clock.pass(60);
    expect((await get(app, other)).status).toBe(200);
    expect((await get(app, key)).body.code).toBe('api_key_banned');
  });

  test('every other server bans the key, also one that is started later', async () => {
    const [first, second] = [await serve(), await serve()];
    await get(second, (await newAccount(database.db)).key);
    const { key } = await banKey(first);
    clock.pass(60);
    expect((await get(second, key)).body.code).toBe('api_key_banned');
    expect((await get(await serve(), key)).body.code).toBe('api_key_banned');
  });

  test(
    'a ban lifted by the command line is lifted on every server',
    async () => {
      const app = await serve();
      const { accountId, key } = await banKey(app);
      clock.pass(60);
      const id = await keyId(accountId);
      const lift = () =>
        startProcess({
          program: 'src/administer.ts',
          args: ['limits', 'unban', '--key', String(id)],
          env: { DATABASE_URL: database.url },
        });
      const lifted = lift();
      expect(await lifted.exited).toMatchObject({ code: 0 });
      expect(lifted.output.stdout).toBe(`key ${id}: the ban is lifted\n`);
      await until(async () => (await get(app, key)).status === 200);
      const again = lift();
      expect(await again.exited).toMatchObject({ code: 1 });
      expect(again.output.stderr).toMatch(`key ${id} is not banned`);
    },
    scaleTimeout(120_000),
  );

  test('a burst that is read long after its first requests were refused bans nobody', async () => {
    const app = await serve();
    const { key } = await newAccount(database.db);
    const text = `GET /categories?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const sockets = Array.from({ length: 200 }, () => connect(Number(new URL(app.url).port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const statuses: number[] = [];
    for (const socket of sockets) {
      socket.on('data', (data: Buffer) =>
        statuses.push(...Array.from(data.toString().matchAll(/^HTTP\/1.1 (\d+)/gm), (found) => Number(found[1]))),
      );
      socket.write(text);
      // As if the server had come to it only now.
      await sleep(3);
    }
    await until(() => statuses.length === 200);
    for (const socket of sockets) socket.destroy();
    expect(countStatuses(statuses.map((status) => ({ status })))).toEqual({ 200: 60, 429: 140 });
    expect((await get(app, key)).body.code).toBe('rate_limited');
    expect(
      await database
        .db('api_key_bans')
        .where('banned_until', '>', 0)
        .whereIn(
          'key_id',
          database
            .db('api_keys')
            .where({ prefix: key.slice(0, 13) })
            .select('id'),
        ),
    ).toEqual([]);
  });

  test('concurrent requests over the limit are no strikes', async () => {
    const app = await serve();
    const { key } = await newAccount(database.db);
    await Promise.all(Array.from({ length: 90 }, () => get(app, key)));
    expect((await get(app, key)).body.code).toBe('rate_limited');
    expect(await liftBan(database.url, 987_654)).toBe(false);
  });
});
