/** Streams of stock events: none is lost over a connection that ends, a notification that does not arrive or a server in between. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { scaleTimeout, startTcpProxy, until, withApp, withDatabase, withFixture } from 'specwright/testing';
import { listen } from '../../generated/client.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { openStockFeed, type InventoryEvent, type StockFeed, type StockFeedOptions } from '../../src/db/stock-feed.ts';
import { startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { connectForEvents, numberStockEvents } from '../../src/db/stock-numbers.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

const database = withDatabase();
/** Streams find what they have on a server, and events are made elsewhere. */
const app = withApp(() => startApp(database.db));

/** Whether each feed listens, as its log says. */
const listening = new WeakMap<StockFeed, () => boolean>();
const feeds: StockFeed[] = [];
function openFeed(options: StockFeedOptions = {}, db = database.db): StockFeed {
  let isListening = false;
  const log = { info: () => void (isListening = true), warn: () => void (isListening = false) };
  const feed = openStockFeed(db, { log, pollIntervalMs: { listening: 60_000, deaf: 60_000 }, ...options });
  listening.set(feed, () => isListening);
  feeds.push(feed);
  return feed;
}
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.close()));
});

/** A stream that listens, after its first event. */
async function started(feed: StockFeed, { accountId }: Shop): Promise<AsyncIterableIterator<InventoryEvent>> {
  const stream = feed.follow(accountId);
  expect((await next(stream)).data).toEqual({ reason: 'started' });
  await until(() => listening.get(feed)?.() === true);
  return stream;
}

async function next(stream: AsyncIterator<InventoryEvent>): Promise<InventoryEvent> {
  const timeout = sleep(scaleTimeout(5000), undefined, { ref: false }).then(() => Promise.reject(new Error('no event has come')));
  const result = await Promise.race([stream.next(), timeout]);
  if (result.done === true) throw new Error('the stream has ended');
  return result.value;
}

const set = ({ accountId, petIds }: Shop, ...quantities: number[]) =>
  quantities.reduce<Promise<unknown>>(
    (before, quantity) => before.then(() => setInventory(database.db, accountId, petIds[0], { quantity })),
    Promise.resolve(),
  );

/** Events that have their numbers. */
async function setAndNumber(...args: Parameters<typeof set>): Promise<void> {
  await set(...args);
  await numberStockEvents(database.db);
}

const quantityOf = ({ data }: InventoryEvent) => ('quantity' in data ? data.quantity : data);

async function take(stream: AsyncIterator<InventoryEvent>, count: number): Promise<unknown[]> {
  const quantities = [];
  while (quantities.length < count) quantities.push(quantityOf(await next(stream)));
  return quantities;
}

test('a client gets each change as it happens, of its account alone, and after a lost connection what it has missed', async () => {
  const [shop, other] = [await openShop(database.db, 0), await openShop(database.db, 0)];
  const responses: Response[] = [];
  const client = petStore(app.url, shop.key);
  const fetched = globalThis.fetch;
  globalThis.fetch = async (...args) => {
    const response = await fetched(...args);
    responses.push(response);
    return response;
  };
  try {
    const stream = listen(client, 'listenToInventory');
    expect((await stream.next()).value).toMatchObject({ event: 'reset', id: '1', data: { reason: 'started' } });
    await set(other, 7);
    await set(shop, 1);
    const changed = { event: 'changed', id: '2', data: { petId: shop.petIds[0], quantity: 1, status: 'available' } };
    expect((await stream.next()).value).toMatchObject(changed);
    app.server.closeAllConnections();
    await set(shop, 2, 3, 4);
    expect(await take(stream as AsyncIterator<InventoryEvent>, 3)).toEqual([2, 3, 4]);
    await stream.return(undefined);
  } finally {
    globalThis.fetch = fetched;
  }
  expect(responses.map(({ headers }) => headers.get('X-Stability'))).toEqual(['experimental', 'experimental']);
});

test('what is changed in the transaction of an Idempotency-Key is notified when that commits', async () => {
  const shop = await openShop(database.db, 5);
  const stream = await started(openFeed(), shop);
  for (const [path, body, quantity] of [
    ['/store/orders', { petId: shop.petIds[0], quantity: 2 }, 3],
    ['/pets', { name: 'Bo', categoryId: shop.categoryId }, 0],
  ] as const) {
    const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    expect((await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(201);
    expect(await take(stream, 1)).toEqual([quantity]);
  }
});

test('a stream after an event has all that follow it, also more than a page', async () => {
  const shop = await openShop(database.db, 0);
  await setAndNumber(shop, ...Array.from({ length: 230 }, (_, i) => i + 1));
  const stream = openFeed().follow(shop.accountId, 1);
  expect(await take(stream, 230)).toEqual(Array.from({ length: 230 }, (_, i) => i + 1));
});

test('where events are not kept any more, or the id was never given, the stream says so and goes on from now', async () => {
  const shop = await openShop(database.db, 0);
  await setAndNumber(shop, 1, 2, 3);
  await database.db('stock_events').where({ account_id: shop.accountId }).where('id', '<=', 2).delete();
  const feed = openFeed();
  expect(quantityOf(await next(feed.follow(shop.accountId, 2)))).toBe(2);
  const expired = { id: '4', event: 'reset', data: { reason: 'expired' } };
  expect(await next(feed.follow(shop.accountId, 1))).toEqual(expired);
  expect(await next(feed.follow(shop.accountId, 99))).toEqual(expired);
  await database.db('stock_events').where({ account_id: shop.accountId }).delete();
  const stream = feed.follow(shop.accountId, 3);
  expect(await next(stream)).toEqual(expired);
  await until(() => listening.get(feed)?.() === true);
  await set(shop, 9);
  expect(await next(stream)).toMatchObject({ id: '5', data: { quantity: 9 } });
});

test('an event that is missing between two others is a reset, after what comes before it', async () => {
  const shop = await openShop(database.db, 0);
  await setAndNumber(shop, 1, 2, 3, 4);
  await database.db('stock_events').where({ account_id: shop.accountId, id: 4 }).delete();
  const stream = openFeed().follow(shop.accountId, 1);
  expect(await take(stream, 2)).toEqual([1, 2]);
  expect(await next(stream)).toEqual({ id: '5', event: 'reset', data: { reason: 'expired' } });
});

test('a stream that is read so slowly that events are deleted before says so', async () => {
  const shop = await openShop(database.db, 0);
  await setAndNumber(shop, ...Array.from({ length: 110 }, (_, i) => i));
  const stream = openFeed().follow(shop.accountId, 1);
  await next(stream);
  await database.db('stock_events').where({ account_id: shop.accountId }).delete();
  expect((await take(stream, 100)).at(-1)).toEqual({ reason: 'expired' });
});

test('what is committed while the connection is lost comes when it is open again', async () => {
  const shop = await openShop(database.db, 0);
  const feed = openFeed();
  const stream = await started(feed, shop);
  await database.db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_advisory_lock_shared%' AND pid <> pg_backend_pid()`,
  );
  await until(() => listening.get(feed)?.() === false);
  await set(shop, 1, 2);
  expect(await take(stream, 2)).toEqual([1, 2]);
});

const deaf = withFixture(
  async () => {
    const proxy = await startTcpProxy(database.url);
    await proxy.refuse();
    return { proxy, db: connect({ url: database.url, directUrl: proxy.url }) };
  },
  async ({ proxy, db }) => {
    await db.destroy();
    await proxy.close();
  },
);

test('without notifications events are polled', async () => {
  const shop = await openShop(database.db, 0);
  const stream = openFeed({ pollIntervalMs: { listening: 60_000, deaf: 30 } }, deaf.db).follow(shop.accountId);
  await next(stream);
  await set(shop, 1, 2);
  expect(await take(stream, 2)).toEqual([1, 2]);
});

test('a notification that was lost is made up for by a poll', async () => {
  const shop = await openShop(database.db, 0);
  const stream = await started(openFeed({ pollIntervalMs: { listening: 30, deaf: 30 } }), shop);
  await database.db.raw(
    `WITH counter AS (UPDATE stock_event_counters SET last_id = last_id + 1 WHERE account_id = :accountId RETURNING last_id)
     INSERT INTO stock_events (account_id, id, pet_id, quantity, status) SELECT :accountId, last_id, 1, 8, 'sold' FROM counter`,
    { accountId: shop.accountId },
  );
  expect(await take(stream, 1)).toEqual([8]);
});

test('streams to which nothing happens ask the database nothing, and all of a process poll together', async () => {
  const shops = [await openShop(database.db, 0), await openShop(database.db, 0)];
  const pool = connectForEvents(database.db);
  const feed = openFeed({ pollIntervalMs: { listening: 50, deaf: 60_000 }, pool });
  const streams = await Promise.all(Array.from({ length: 200 }, (_, i) => started(feed, shops[i % 2] as Shop)));
  const pending = streams.map((stream) => stream.next());
  const statements: string[] = [];
  const record = ({ sql }: { sql: string }) => void statements.push(sql);
  pool.on('query', record);
  let elapsed = 0;
  // On a busy machine the first reads of the streams are still under way.
  await until(async () => {
    statements.length = 0;
    const start = performance.now();
    await sleep(250);
    elapsed = performance.now() - start;
    return !statements.some((sql) => /from stock_events|from "stock_events"/i.test(sql));
  });
  pool.off('query', record);
  const polls = statements.filter((sql) => sql.includes('stock_event_counters'));
  expect(polls.length).toBeGreaterThan(0);
  expect(polls.length).toBeLessThanOrEqual(2 + elapsed / 50);
  await set(shops[0] as Shop, 5);
  const woken = await Promise.all(pending.filter((_, i) => i % 2 === 0));
  expect(woken.map(({ value }) => quantityOf(value as InventoryEvent))).toEqual(woken.map(() => 5));
  // What is closed while it waits ends at once, and a feed that has no streams asks nothing any more.
  for (const stream of streams) await stream.return?.();
  expect((await Promise.all(pending.filter((_, i) => i % 2 === 1))).every(({ done }) => done === true)).toBe(true);
  await sleep(60);
  statements.length = 0;
  pool.on('query', record);
  await sleep(150);
  pool.off('query', record);
  expect(statements.filter((sql) => sql.includes('stock_event'))).toEqual([]);
});

test('a feed that is closed ends its streams', async () => {
  const feed = openFeed();
  const stream = await started(feed, await openShop(database.db, 0));
  const pending = stream.next();
  await feed.close();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});
