/** Who gives numbers to stock events: many accounts in a transaction, woken by each commit, and ended only when nothing is under way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { startTcpProxy, until, withDatabase } from 'specwright/testing';
import { createOrder } from '../../src/db/orders.ts';
import { renewStockEventIds } from '../../src/db/stock-epoch.ts';
import { readStockEvents } from '../../src/db/stock-events.ts';
import { openStockFeed } from '../../src/db/stock-feed.ts';
import { numberStockEvents, StockNumbering } from '../../src/db/stock-numbers.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();

test('the events of all accounts get their numbers in one transaction', async () => {
  const shops = [await openShop(database.db, 1), await openShop(database.db, 2)];
  await numberStockEvents(database.db);
  const { rows } = await database.db.raw<{ rows: object[] }>('SELECT DISTINCT xmin::text FROM stock_events WHERE account_id = ANY (?)', [
    shops.map(({ accountId }) => accountId),
  ]);
  expect(rows).toHaveLength(1);
});

test('an order that is one statement has its event numbered by the server that took it', async () => {
  const { accountId, petIds } = await openShop(database.db, 5);
  await numberStockEvents(database.db);
  const feed = openStockFeed(database.db);
  try {
    const { lastId } = await readStockEvents(database.db, accountId, 0, 1);
    await createOrder(database.db, accountId, { petId: petIds[0] });
    await until(async () => (await readStockEvents(database.db, accountId, lastId, 1)).events[0]?.quantity === 4);
  } finally {
    await feed.close();
  }
});

test('a numbering under way has ended when it is closed', async () => {
  const { accountId } = await openShop(database.db, 1);
  const numbering = new StockNumbering(database.db);
  const trx = await database.db.transaction();
  await trx.raw('SELECT FROM pending_stock_events WHERE account_id = ? FOR UPDATE', [accountId]);
  const run = numbering.run();
  await until(async () => {
    const { rows } = await database.db.raw<{ rows: object[] }>('SELECT FROM pg_locks WHERE NOT granted');
    return rows.length > 0;
  });
  const closed = numbering.close().then(() => 'closed');
  const first = await Promise.race([closed, sleep(50)]);
  // Before anything is expected: what fails here must not leave a lock behind.
  await trx.rollback();
  await run;
  expect([first, await closed]).toEqual([undefined, 'closed']);
});

test('a stream that cannot begin fails at once, so that its client is told', async () => {
  const proxy = await startTcpProxy(database.url);
  await proxy.refuse();
  const feed = openStockFeed(database.db, { pool: connect({ url: proxy.url, pool: 1 }) });
  try {
    await expect(feed.follow(1).next()).rejects.toMatchObject({ code: 'service_unavailable' });
  } finally {
    await feed.close();
    await proxy.close();
  }
});

test('a recovery fails if the ids of events cannot be renewed', async () => {
  const query = async (sql: string) => {
    if (sql.includes('INSERT')) throw new Error('read-only');
    return [{ present: true }];
  };
  await expect(renewStockEventIds(query as never)).rejects.toThrow('read-only');
});
