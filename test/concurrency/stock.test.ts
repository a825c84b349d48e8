/** Concurrent orders, updates, completions and deletions: no unit is sold twice or lost, and no response is 500. */
import { beforeEach, expect, test } from '@jest/globals';
import { countDeadlocks, withApp, withDatabase, type JsonClient } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { openShop, readStock, type Shop } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
beforeEach(() => {
  app.log.length = 0;
});

const failures = () => app.log.filter(({ level }) => level === 'error');

async function open(...stocks: number[]): Promise<Shop & { call: JsonClient }> {
  const shop = await openShop(database.db, ...stocks);
  return { ...shop, call: clientWithKey(app.url, shop.key) };
}

test('of a hundred concurrent orders for ten units ten succeed, and no unit is left', async () => {
  const { accountId, call, petIds } = await open(10);
  const orders = await Promise.all(Array.from({ length: 100 }, () => call<ErrorBody>('POST', '/store/orders', { petId: petIds[0] })));
  expect(countStatuses(orders)).toEqual({ 201: 10, 409: 90 });
  expect(new Set(orders.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(new Set(['out_of_stock']));
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 0, reserved: 10, sold: 0, status: 'pending' }]);
  expect(failures()).toEqual([]);
});

test('of forty concurrent orders of three for ten units three succeed, and one unit is left', async () => {
  const { accountId, call, petIds } = await open(10);
  const order = { petId: petIds[0], quantity: 3 };
  const orders = await Promise.all(Array.from({ length: 40 }, () => call('POST', '/store/orders', order)));
  expect(countStatuses(orders)).toEqual({ 201: 3, 409: 37 });
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 1, reserved: 9, status: 'available' }]);
});

/** Mulberry32: the requests differ from client to client, and are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test('the stock balances at every moment while orders are created, updated, moved, completed and deleted', async () => {
  const { accountId, call, petIds } = await open(8, 12, 16);
  const totals = (await readStock(database.db, accountId)).map(({ total }) => total);
  const known: number[] = [];
  const statuses: number[] = [];

  async function act(draw: (below: number) => number): Promise<void> {
    const petId = petIds[draw(3)];
    const path = `/store/orders/${known[draw(known.length)] ?? 1}`;
    const quantity = 1 + draw(3);
    const actions = [
      () => call<{ id: number }>('POST', '/store/orders', { petId, quantity }),
      () => call<{ id: number }>('POST', '/store/orders', {}),
      () => call('PATCH', path, { petId }),
      () => call('PATCH', path, { petId, quantity }),
      () => call('PATCH', path, { petId: null }),
      () => call('PATCH', path, { shipDate: '2026-12-24T12:00:00Z' }),
      () => call('PATCH', path, { complete: draw(2) === 0, quantity }),
      () => call('DELETE', path),
      () => call('GET', path),
    ];
    const answer = await (actions[draw(actions.length)] as (typeof actions)[number])();
    statuses.push(answer.status);
    if (answer.status === 201) known.push((answer.body as { id: number }).id);
  }

  let running = true;
  const watch = async () => {
    while (running) expect((await readStock(database.db, accountId)).map(({ total }) => total)).toEqual(totals);
  };
  const clientsAct = async () => {
    try {
      const clients = Array.from({ length: 20 }, (_, seed) => random(seed));
      await Promise.all(
        clients.map(async (draw) => {
          for (let i = 0; i < 20; i++) await act(draw);
        }),
      );
    } finally {
      running = false;
    }
  };
  await Promise.all([clientsAct(), watch()]);

  expect(statuses).toHaveLength(400);
  expect([...new Set(statuses)].filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
  expect(failures()).toEqual([]);
  const books = await readStock(database.db, accountId);
  expect(books.map(({ total }) => total)).toEqual(totals);
  for (const { stock, status, reserved } of books) {
    if (stock > 0) expect(status).toBe('available');
    else expect(status).toBe(reserved > 0 ? 'pending' : 'sold');
  }
});

test('the last two open orders completed concurrently leave the pet sold', async () => {
  for (let round = 0; round < 10; round++) {
    const { accountId, call, petIds } = await open(2);
    const orders = [1, 2].map(() => call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] }));
    const ids = (await Promise.all(orders)).map(({ body }) => body.id);
    const completed = await Promise.all(ids.map((id) => call('PATCH', `/store/orders/${id}`, { complete: true })));
    expect(countStatuses(completed)).toEqual({ 200: 2 });
    expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 0, reserved: 0, sold: 2, status: 'sold' }]);
  }
});

test('the last two open orders, one completed and one deleted concurrently, leave the pet available', async () => {
  for (let round = 0; round < 10; round++) {
    const { accountId, call, petIds } = await open(2);
    const orders = [1, 2].map(() => call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] }));
    const [one, other] = (await Promise.all(orders)).map(({ body }) => `/store/orders/${body.id}`) as [string, string];
    await Promise.all([call('PATCH', one, { complete: true }), call('DELETE', other)]);
    expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 1, reserved: 0, sold: 1, status: 'available' }]);
  }
});

test('orders that swap their pets concurrently never deadlock', async () => {
  const { accountId, call, petIds } = await open(6, 6);
  const orders = Array.from({ length: 6 }, (_, i) => call<{ id: number }>('POST', '/store/orders', { petId: petIds[i % 2] }));
  const paths = (await Promise.all(orders)).map(({ body }) => `/store/orders/${body.id}`);
  const swaps = Array.from({ length: 10 }, (_, round) => paths.map((path, i) => call('PATCH', path, { petId: petIds[(i + round) % 2] })));
  expect(countStatuses(await Promise.all(swaps.flat()))).toEqual({ 200: 60 });
  expect((await readStock(database.db, accountId)).map(({ total }) => total)).toEqual([6, 6]);
  expect(await countDeadlocks(database)).toBe(0);
});
