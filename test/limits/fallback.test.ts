/** Rate limits while their database is gone: counted by this process, with the headers, until it is back. */
import { expect, test } from '@jest/globals';
import { openCounterStore } from '@specwright/accounts';
import { startPostgresProxy, until, withDatabase } from '@specwright/testing';
import { newAccount, startApp } from '../support/app.ts';
import { clientWithKey } from '../support/client.ts';

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
  expect([local.status, local.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
  const restarted = await startPostgresProxy(database.url, port);
  await until(() => app.log.some(({ message }) => message.includes('answers again')));
  expect((await get()).headers.get('x-ratelimit-remaining')).toBe('58');
  expect(app.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    expect.stringMatching('does not answer'),
  ]);
  await app.close();
  await store.close();
  await restarted.close();
});
