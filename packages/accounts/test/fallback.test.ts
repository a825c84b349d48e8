/** When the shared store is lost: local counters at this instance's part of the limit, told in the log, and back again by itself. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { openLimitStore } from '@specwright/accounts';
import { createLimiter, createMemoryStore } from '@specwright/server';
import { createTestLog, newAccount, startApp, type LogLine } from '../../../test/support/app.ts';
import { client } from '../../../test/support/client.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { startProxy } from '../../../test/support/proxy.ts';
import { until } from '../../../test/support/until.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const quota = { minute: 60, day: 1000 };
const ask = { bucket: 'b', cost: 1, quota };

/** A limiter whose store can be made to hang. */
function start(instances = 1) {
  const memory = createMemoryStore();
  const state = { hangs: false };
  const hang = new Promise<never>(() => undefined);
  const lines: LogLine[] = [];
  const shared = {
    ...memory,
    take: (one: typeof ask) => (state.hangs ? hang : memory.take(one)),
    bans: () => (state.hangs ? hang : memory.bans()),
  };
  const limiter = createLimiter({ store: shared, log: createTestLog(lines), instances });
  return { limiter, state, lines };
}

async function admitted(limiter: ReturnType<typeof start>['limiter'], count: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.take(ask)));
  return decisions.filter((decision) => decision.admitted).length;
}

test('a store that does not answer in 150 ms is waited for once; then limits are counted here, at limit / instances', async () => {
  const { limiter, state, lines } = start(4);
  expect(await admitted(limiter, 10)).toBe(10);
  state.hangs = true;
  const began = performance.now();
  expect(await admitted(limiter, 40)).toBe(15);
  expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  const then = performance.now();
  expect(await admitted(limiter, 40)).toBe(0);
  expect(performance.now() - then).toBeLessThan(100);
  expect(limiter.counts).toMatchObject({ shared: 10, local: 80, outages: 1 });
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);

  state.hangs = false;
  await until(() => lines.some(({ message }) => message.includes('answers again')));
  // The shared count is where it was: ten of sixty.
  expect(await admitted(limiter, 60)).toBe(50);
  limiter.close();
});

test('one request can always pass, however many instances there are', async () => {
  const { limiter, state } = start(1000);
  state.hangs = true;
  expect(await admitted(limiter, 5)).toBe(1);
  limiter.close();
});

test('over HTTP: a database that is lost and comes back', async () => {
  const proxy = await startProxy(database.url);
  const store = openLimitStore({ url: proxy.url });
  const app = await startApp(database.db, { rateLimit: { store: store, instances: 2, timeoutMs: 2000 } });
  const { key } = await newAccount(database.db);
  const get = () => client(app.url, key)('GET', '/categories');
  expect((await get()).headers.get('x-ratelimit-limit')).toBe('60');
  const port = Number(new URL(proxy.url).port);
  await proxy.close();
  const alone = await get();
  expect([alone.status, alone.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
  const back = await startProxy(database.url, port);
  await until(() => app.log.some(({ message }) => message.includes('answers again')));
  expect((await get()).headers.get('x-ratelimit-remaining')).toBe('58');
  expect(app.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    expect.stringMatching('does not answer'),
  ]);
  await app.close();
  await store.close();
  await back.close();
});

test('a pause of this process is not taken for one of the store', async () => {
  const memory = createMemoryStore();
  // An answer that comes as those of a database do: as input, which is read after timers have run.
  const shared = { ...memory, take: (one: typeof ask) => stat('.').then(() => memory.take(one)) };
  const limiter = createLimiter({ store: shared, log: createTestLog() });
  const taken = limiter.take(ask);
  for (const end = performance.now() + 400; performance.now() < end;);
  expect((await taken).admitted).toBe(true);
  expect(limiter.counts).toMatchObject({ shared: 1, local: 0 });
  limiter.close();
});
