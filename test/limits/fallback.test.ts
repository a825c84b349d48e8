/** Rate limits while their database is gone or slow: counted by this process from what it knows, with the headers, and paid back. */
import { afterEach, expect, test } from '@jest/globals';
import { openCounterStore } from '@specwright/accounts';
import { scaleTimeout, until, withDatabase } from 'specwright/testing';
import { startPostgresProxy } from '../support/tools/postgres-proxy.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';

const database = withDatabase();

test('answers with local counters while the database is gone, and with the shared ones afterwards', async () => {
  const proxy = await startPostgresProxy(database.url);
  const store = openCounterStore({ url: proxy.url });
  const app = await startApp(database.db, { rateLimit: { store, instances: 2, timeoutMs: 2000 } });
  const { key } = await newAccount(database.db);
  const get = () => clientWithKey(app.url, key)('GET', '/categories');
  expect((await get()).headers.get('x-ratelimit-limit')).toBe('60');
  const port = Number(new URL(proxy.url).port);
  await proxy.close();
  const local = await get();
  expect([local.status, local.headers.get('x-ratelimit-remaining')]).toEqual([200, '28']); // half of the 59 that were left, less this one
  const restarted = await startPostgresProxy(database.url, port);
  await until(() => app.log.some(({ message }) => message.includes('answers again')));
  expect((await get()).headers.get('x-ratelimit-remaining')).toBe('57');
  expect(app.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    expect.stringMatching('does not answer'),
  ]);
  await app.close();
  await store.close();
  await restarted.close();
});

const opened: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Holds a lock on the counters, as a migration or an operator may. @returns a function that ends it. */
async function lockCounters(): Promise<() => PromiseLike<unknown>> {
  const trx = await database.db.transaction();
  opened.push(() => trx.rollback());
  await trx.raw('LOCK TABLE rate_limit_counters IN EXCLUSIVE MODE');
  return () => trx.commit();
}

test.each([1, 2])(
  '%i servers admit 60 requests of a Free key while the counters are locked, and say when they do not know',
  async (instances) => {
    const stores = Array.from({ length: instances }, () => openCounterStore({ url: database.url }));
    opened.push(...stores.map((store) => store.close));
    const apps = await Promise.all(
      stores.map((store) => startApp(database.db, { rateLimit: { store, instances, timeoutMs: scaleTimeout(500) } })),
    );
    opened.push(...apps.map((app) => app.close));
    const { accountId, key } = await newAccount(database.db);
    const get = (i: number, path = '/categories') => clientWithKey(apps[i % instances]?.url ?? '', key)<{ code?: string }>('GET', path);
    const times = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, (_, i) => get(i)));
      return answers.filter(({ status }) => status === 200).length;
    };
    expect(await times(18)).toBe(18);
    // What a server has not heard of the others is beyond the limit by its part: here each has heard of all but one request.
    for (let i = 0; i < 2; i++) expect((await get(i)).status).toBe(200);
    const unlock = await lockCounters();
    expect(await times(150)).toBe(40);
    expect(await times(150)).toBe(0);
    const unknown = await get(0, '/rate-limit');
    expect([unknown.status, unknown.body.code, unknown.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);

    await unlock();
    for (const app of apps) await until(() => app.log.some(({ message }) => message.includes('answers again')));
    const row = await database
      .db('rate_limit_counters')
      .where({ bucket: `account:${accountId}` })
      .first<{ minute_used: number; day_used: number }>('minute_used', 'day_used');
    expect(row).toEqual({ minute_used: 60, day_used: 60 });
    expect(await times(10)).toBe(0);
    expect((await get(0, '/rate-limit')).status).toBe(200);
  },
);
