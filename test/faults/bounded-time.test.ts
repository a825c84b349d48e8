/** Whatever the database or the network to it does, every request ends in time with 503, and service resumes by itself. */
import { afterEach, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { scaleTimeout, until, withApp, withDatabase, withFixture, type JsonClient } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startTcpProxy } from '../support/tools/tcp-proxy.ts';
import { startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, readStock } from '../support/service/shop.ts';

const TIMEOUT_MS = scaleTimeout(400);

const database = withDatabase();
const proxy = withApp(() => startTcpProxy(database.url));
const app = withFixture(
  async () => {
    // Who waits behind another waits for two locks in turn: for the row's queue, and for the transaction that has the row.
    const bounds = { acquireTimeoutMs: TIMEOUT_MS, statementTimeoutMs: TIMEOUT_MS, lockTimeoutMs: TIMEOUT_MS / 4 };
    const db = connect({ url: proxy.url, pool: 4, ...bounds });
    return { ...(await startApp(db, { requestTimeoutMs: 5 * TIMEOUT_MS })), db };
  },
  async ({ close, db }) => {
    await close();
    await db.destroy();
  },
);
const shop = withFixture(() => openShop(database.db, 100));
afterEach(() => proxy.restore());

const OPERATIONS: Record<string, (call: JsonClient) => ReturnType<JsonClient>> = {
  'a read': (call) => call('GET', '/pets'),
  'an insert': (call) => call('POST', '/categories', { name: 'Cats' }),
  'a transaction': (call) => call('POST', '/store/orders', { petId: shop.petIds[0] }),
  'a change of keys': (call) => call('POST', '/account/keys', { name: 'Till' }),
};

/** Sends each operation three times at once. */
const sendAll = () => {
  const call = clientWithKey(app.url, shop.key);
  return Promise.all(Object.values(OPERATIONS).flatMap((operation) => [1, 2, 3].map(() => operation(call))));
};

test('while the network is silent every request is 503 with Retry-After and a reason in the log; afterwards all are served', async () => {
  expect(countStatuses(await sendAll())).toMatchObject({ 200: 3 });
  proxy.silence();
  app.log.length = 0;
  for (let round = 0; round < 2; round++) {
    const began = performance.now();
    const answers = await sendAll();
    expect(performance.now() - began).toBeLessThan(6 * TIMEOUT_MS + scaleTimeout(500));
    expect(answers.map(({ status, headers }) => [status, headers.get('Retry-After')])).toEqual(answers.map(() => [503, '1']));
    // Those of the second round may be counted only: an outage is logged once in ten seconds.
    const reasons = app.log.filter(({ level }) => level === 'error').map(({ err }) => (err as Error).message);
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toMatch(/has not answered within|timeout exceeded|connection timeout|timeout expired/);
  }
  await proxy.restore();
  const restored = performance.now();
  await until(async () => (await sendAll()).every(({ status }) => status < 300));
  expect(performance.now() - restored).toBeLessThan(scaleTimeout(2000));
  const [stock] = await readStock(database.db, shop.accountId);
  expect(stock?.total).toBe(100);
});

test('a row that a stranger keeps locked fails the requests for it alone, and says why', async () => {
  const call = clientWithKey(app.url, shop.key);
  const stranger = await database.db.transaction();
  await stranger('pets').where({ account_id: shop.accountId }).forUpdate().select('id');
  const orders = [1, 2, 3].map(() => call('POST', '/store/orders', { petId: shop.petIds[0] }));
  const read = await call('GET', '/pets');
  const refused = await Promise.all(orders);
  await stranger.rollback();
  expect(read.status).toBe(200);
  for (const { status, body, headers } of refused) {
    const expected = { code: 'service_unavailable', message: 'another request is changing the same data', status: 503 };
    expect([status, body, headers.get('Retry-After')]).toEqual([503, expected, '1']);
  }
  expect((await call('POST', '/store/orders', { petId: shop.petIds[0] })).status).toBe(201);
});

test('a corrupt stream fails the requests on its connections, and the next ones are served', async () => {
  proxy.corrupt((chunk) => Buffer.from(chunk.map((byte, i) => (i < 8 ? byte ^ 0xff : byte))));
  const answers = await sendAll();
  for (const { status } of answers) expect([200, 201, 503]).toContain(status);
  expect(countStatuses(answers)[503]).toBeGreaterThan(0);
  await until(async () => (await sendAll()).every(({ status }) => status < 300));
});
