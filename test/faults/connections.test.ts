/** The server survives a pool that is used up, lost connections, a database that is unreachable, and clients that disconnect. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect, type Database, type Transaction } from '@specwright/postgres';
import { scaleTimeout, until, withDatabase, type JsonClient } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startPostgresProxy } from '../support/tools/postgres-proxy.ts';
import { usedConnections } from '../support/service/used-connections.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, readStock, type Shop } from '../support/service/shop.ts';

const UNAVAILABLE = { code: 'service_unavailable', message: 'the database does not answer', status: 503 };

const database = withDatabase();
let db: Database;
let app: TestApp;
let shop: Shop;
let call: JsonClient;
beforeEach(async () => {
  const timeoutMs = scaleTimeout(10_000);
  db = connect({
    url: database.url,
    pool: 3,
    acquireTimeoutMs: scaleTimeout(250),
    statementTimeoutMs: timeoutMs,
    lockTimeoutMs: timeoutMs,
  });
  app = await startApp(db);
  shop = await openShop(database.db, 10);
  call = clientWithKey(app.url, shop.key);
});
afterEach(async () => {
  await unlock();
  await app.close();
  await db.destroy();
});

let lock: Transaction | undefined;

async function unlock(): Promise<void> {
  await lock?.rollback();
  lock = undefined;
}

const busy = () => usedConnections(db);

/** Locks the shop's stock, so that orders wait. @returns what releases it. */
async function lockStock(): Promise<() => Promise<void>> {
  lock = await database.db.transaction();
  await lock('pets').where({ account_id: shop.accountId }).forUpdate().select('id');
  return unlock;
}

/** Resolves when this many connections wait for a lock. */
const waitForLockWaiters = (count: number) =>
  until(async () => {
    const { rows } = await database.db.raw<{ rows: { n: number }[] }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n === count;
  });

describe('when every connection is busy', () => {
  test('answers 503 within the acquire timeout, and 200 once a connection is free', async () => {
    const release = await lockStock();
    const orders = Array.from({ length: 3 }, () => call('POST', '/store/orders', { petId: shop.petIds[0] }));
    await waitForLockWaiters(3);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('GET', '/pets')));
    expect(performance.now() - began).toBeLessThan(scaleTimeout(2000));
    for (const { status, body, headers } of answers) expect([status, body, headers.get('Retry-After')]).toEqual([503, UNAVAILABLE, '1']);
    await release();
    expect(countStatuses(await Promise.all(orders))).toEqual({ 201: 3 });
    expect((await call('GET', '/pets')).status).toBe(200);
    expect(await readStock(database.db, shop.accountId)).toMatchObject([{ stock: 7, reserved: 3 }]);
  });
});

const terminateAll = () =>
  database.db.raw(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid = ANY(?)`,
    [pids],
  );
let pids: number[] = [];

/** The backends of the pool under test: each query is under way long enough for the others to need a connection too. */
async function backends(): Promise<number[]> {
  const all = await Promise.all(
    Array.from({ length: 3 }, () => db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid, pg_sleep(0.5)')),
  );
  return all.map(({ rows }) => rows[0]?.pid ?? 0);
}

describe('when the database terminates every connection', () => {
  test('rolls back requests in progress with 503, and serves the next ones', async () => {
    pids = await backends();
    const release = await lockStock();
    const orders = Array.from({ length: 3 }, () => call('POST', '/store/orders', { petId: shop.petIds[0] }));
    await waitForLockWaiters(3);
    await terminateAll();
    for (const { status, body } of await Promise.all(orders)) expect([status, body]).toEqual([503, UNAVAILABLE]);
    await release();
    expect(countStatuses(await Promise.all(Array.from({ length: 6 }, () => call('GET', '/pets'))))).toEqual({ 200: 6 });
    expect(await readStock(database.db, shop.accountId)).toMatchObject([{ stock: 10, reserved: 0 }]);
  });

  test('of an idle pool, at most one request for each connection is answered 503, and the next ones 200', async () => {
    pids = await backends();
    await terminateAll();
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('GET', '/pets')));
    const failed = answers.filter(({ status }) => status !== 200);
    expect(failed.map(({ body }) => body)).toEqual(failed.map(() => UNAVAILABLE));
    expect(failed.length).toBeLessThanOrEqual(pids.length);
    expect(countStatuses(await Promise.all(Array.from({ length: 6 }, () => call('GET', '/pets'))))).toEqual({ 200: 6 });
  });
});

test('answers 503 while the database is unreachable, and serves requests when it is back', async () => {
  const proxy = await startPostgresProxy(database.url);
  const proxied = connect({ url: proxy.url, pool: 3 });
  const other = await startApp(proxied);
  const send = clientWithKey(other.url, shop.key);
  expect((await send('GET', '/pets')).status).toBe(200);
  await proxy.close();
  for (let i = 0; i < 3; i++) {
    const { status, body } = await send('GET', '/pets');
    expect([status, body]).toEqual([503, UNAVAILABLE]);
  }
  const again = await startPostgresProxy(database.url, Number(new URL(proxy.url).port));
  expect((await send('POST', '/store/orders', { petId: shop.petIds[0] })).status).toBe(201);
  await other.close();
  await proxied.destroy();
  await again.close();
});

describe('a client that disconnects', () => {
  /** Sends bytes on a connection that can be reset. */
  function connectAndSend(text: string): { reset: () => void; socket: ReturnType<typeof connectTcp> } {
    const { port } = new URL(app.url);
    const socket = connectTcp(Number(port), '127.0.0.1');
    socket.write(text);
    return { reset: () => socket.resetAndDestroy(), socket };
  }

  const head = (length: number) =>
    `POST /store/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('in the middle of its body leaves no connection and no error', async () => {
    const clients = Array.from({ length: 20 }, () => connectAndSend(`${head(100)}{"petId"`));
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
    await until(async () => (await connections()) === 20);
    for (const { reset } of clients) reset();
    await until(async () => (await connections()) === 0);
    await until(() => busy() === 0);
    expect((await call('GET', '/store/orders')).body).toEqual([]);
    expect(app.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('while its order is created leaves the stock balanced and no connection in use', async () => {
    const release = await lockStock();
    const body = JSON.stringify({ petId: shop.petIds[0] });
    const clients = [1, 2, 3].map(() => connectAndSend(head(body.length) + body));
    await waitForLockWaiters(3);
    for (const { reset } of clients) reset();
    await until(async () => (await connections()) === 0);
    await release();
    await until(async () => busy() === 0);
    // The clients cannot know whether their orders were created; each was, as a whole.
    expect(await readStock(database.db, shop.accountId)).toMatchObject([{ stock: 7, reserved: 3, total: 10 }]);
    expect((await call('GET', '/pets')).status).toBe(200);
    expect(app.log.filter(({ message }) => message === 'the client went away')).toHaveLength(3);
    expect(app.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  const connections = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
});
