/** The stream of stock events as clients have it: over a connection that ends, and from the transaction of an Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { scaleTimeout, withApp, withDatabase } from 'specwright/testing';
import { listen } from '../../generated/client.ts';
import type { Schemas } from '../../generated/contract.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { stockEvents } from '../../src/db/stock-events.ts';
import { startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

type InventoryEvent = Schemas['InventoryEvent'];

const database = withDatabase();
const app = withApp(() => startApp(database.db));

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
    expect((await stream.next()).value).toMatchObject({ event: 'reset', data: { reason: 'started' } });
    await set(other, 7);
    await set(shop, 1);
    const changed = { event: 'changed', data: { petId: shop.petIds[0], quantity: 1, status: 'available' } };
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
  const stream = stockEvents.follow(database.db, shop.accountId);
  expect(await next(stream)).toMatchObject({ event: 'reset' });
  for (const [path, body, quantity] of [
    ['/store/orders', { petId: shop.petIds[0], quantity: 2 }, 3],
    ['/pets', { name: 'Bo', categoryId: shop.categoryId }, 0],
  ] as const) {
    const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    expect((await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(201);
    expect(await take(stream, 1)).toEqual([quantity]);
  }
});
