/** Exact over any number of servers: of more requests than are left, exactly what is left is admitted. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openLimitStore } from '@specwright/accounts';
import { newAccount, startApp } from '../../../test/support/app.ts';
import { client, tally } from '../../../test/support/client.ts';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createClock, realLimits } from '../../../test/support/limits.ts';
import { endProcesses, startProcess } from '../../../test/support/process.ts';
import { countDeadlocks } from '../../../test/support/shop.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await endProcesses();
  await database.drop();
});

test('four applications with pools of their own admit 300 of 500 requests at once', async () => {
  const { key } = await newAccount(database.db, 'pro');
  const clock = createClock();
  const real = [1, 2, 3, 4].map(() => realLimits(database.url, clock));
  const apps = await Promise.all(real.map(({ options }) => startApp(database.db, options)));
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => client(apps[i % 4]?.url ?? '', key)('GET', '/categories')));
  expect(tally(answers)).toEqual({ 200: 300, 429: 200 });
  const left = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i));
  for (const app of apps) await app.close();
  for (const { store } of real) await store.close();
}, 60_000);

test('four server processes, 500 clients at once, one key with 300 left: exactly 300 are admitted', async () => {
  const { key } = await newAccount(database.db, 'pro');
  // Four servers and their clients share this machine's processors: the database is given time, not the limits.
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', INSTANCES: '4', RATE_LIMIT_TIMEOUT: '15000' };
  const servers = [1, 2, 3, 4].map(() => startProcess({ env }));
  const urls = await Promise.all(servers.map((server) => server.url()));
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => client(urls[i % 4] ?? '', key)('GET', '/categories')));
  expect(tally(answers)).toEqual({ 200: 300, 429: 200 });
  for (const { child } of servers) child.kill('SIGTERM');
  expect((await Promise.all(servers.map(({ exited }) => exited))).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
}, 60_000);

test('stores that ask for the same buckets in different orders do not deadlock, and count every unit', async () => {
  const stores = [1, 2, 3].map(() => openLimitStore({ url: database.url }));
  const buckets = Array.from({ length: 40 }, (_, i) => `bucket ${i}`);
  const quota = { minute: 50, day: 1000 };
  const rounds = stores.flatMap((store, s) =>
    Array.from({ length: 25 }, async (_, round) => {
      // A few turns later, so that each round is a statement of its own.
      for (let i = 0; i < round * 3; i++) await new Promise(setImmediate);
      const order = (round + s) % 2 === 0 ? buckets : buckets.toReversed();
      return Promise.all(order.map(async (bucket) => ({ bucket, ...(await store.take({ bucket, cost: 1, quota })) })));
    }),
  );
  const taken = (await Promise.all(rounds)).flat();
  const admitted = buckets.map((bucket) => taken.filter((one) => one.bucket === bucket && one.admitted).length);
  expect(admitted).toEqual(buckets.map(() => 50));
  for (const store of stores) await store.close();
  expect(await countDeadlocks(database)).toBe(0);
});
