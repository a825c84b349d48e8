/** Concurrent requests of which one can succeed: exactly one does. */
import { expect, test } from '@jest/globals';
import { countDeadlocks, withApp, withDatabase, type JsonClient } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, readStock, type Shop } from '../support/service/shop.ts';

const ROUNDS = 12;

const database = withDatabase();
const app = withApp(() => startApp(database.db));

async function open(...stocks: number[]): Promise<Shop & { call: JsonClient }> {
  const shop = await openShop(database.db, ...stocks);
  return { ...shop, call: clientWithKey(app.url, shop.key) };
}

const WRITES: [string, (shop: Shop, orderId: number) => [method: string, path: string, body: object]][] = [
  ['PUT a pet', ({ petIds, categoryId }) => ['PUT', `/pets/${petIds[0]}`, { name: 'x', categoryId }]],
  ['PATCH a pet', ({ petIds }) => ['PATCH', `/pets/${petIds[0]}`, { name: 'x' }]],
  ['PUT a category', ({ categoryId }) => ['PUT', `/categories/${categoryId}`, { name: 'x' }]],
  ['PATCH a category', ({ categoryId }) => ['PATCH', `/categories/${categoryId}`, { name: 'x' }]],
  ['PUT an inventory entry', ({ petIds }) => ['PUT', `/store/inventory/${petIds[0]}`, { quantity: 7 }]],
  ['PATCH an order', (_, orderId) => ['PATCH', `/store/orders/${orderId}`, { quantity: 2 }]],
];

test.each(WRITES)('of ten concurrent requests that %s with one If-Match, one succeeds', async (_, write) => {
  const shop = await open(5);
  const order = await shop.call<{ id: number }>('POST', '/store/orders', {});
  const [method, path, body] = write(shop, order.body.id);
  const etag = (await shop.call('GET', path.replace(/^\/pets/, '/store/pets'))).headers.get('ETag') ?? '';
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.call(method, path, body, { 'If-Match': etag })));
  expect(countStatuses(answers)).toEqual({ 200: 1, 412: 9 });
  const [winner] = answers.filter(({ status }) => status === 200);
  expect(winner?.headers.get('ETag')).not.toBe(etag);
});

test('a pet deleted while it is ordered: either request fails, never both and never none', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { accountId, call, petIds } = await open(5);
    const path = `/pets/${petIds[0]}`;
    const requests = [() => call('POST', '/store/orders', { petId: petIds[0] }), () => call('DELETE', path)];
    const answers = await Promise.all((round % 2 === 0 ? requests : requests.reverse()).map((send) => send()));
    const outcome = answers.map(({ status }) => status).sort();
    expect(
      [
        [201, 409],
        [204, 400],
      ].map((pair) => pair.sort()),
    ).toContainEqual(outcome);
    expect(await readStock(database.db, accountId)).toMatchObject(outcome.includes(201) ? [{ stock: 4, reserved: 1 }] : []);
  }
});

test('deleting a pet while its orders are updated, moved and deleted never deadlocks', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { call, petIds } = await open(5, 5);
    const orders = [1, 2, 3].map(() => call<{ id: number }>('POST', '/store/orders', { petId: petIds[0] }));
    const [a, b, c] = (await Promise.all(orders)).map(({ body }) => `/store/orders/${body.id}`) as [string, string, string];
    const answers = await Promise.all([
      call('PATCH', a, { quantity: 2 }),
      call('PATCH', b, { petId: petIds[1] }),
      call('DELETE', `/pets/${petIds[0]}`),
      call('DELETE', c),
    ]);
    // Order a is open before and after, so the pet is in use whenever the deletion happens.
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 204]);
  }
  expect(await countDeadlocks(database)).toBe(0);
});

test('a category deleted while a pet is added to it: either request fails, never both and never none', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { call, categoryId } = await open();
    const requests = [() => call('POST', '/pets', { name: 'Rex', categoryId }), () => call('DELETE', `/categories/${categoryId}`)];
    const answers = await Promise.all((round % 2 === 0 ? requests : requests.reverse()).map((send) => send()));
    const outcome = answers.map(({ status }) => status).sort();
    expect(
      [
        [201, 409],
        [204, 400],
      ].map((pair) => pair.sort()),
    ).toContainEqual(outcome);
  }
});

test('a stock set while it is ordered from is the quantity set last, less the orders after that', async () => {
  const { accountId, call, petIds } = await open(50);
  const path = `/store/inventory/${petIds[0]}`;
  const orders = Array.from({ length: 20 }, () => call('POST', '/store/orders', { petId: petIds[0] }));
  const sets = Array.from({ length: 5 }, () => call<{ quantity: number }>('PUT', path, { quantity: 100 }));
  expect(countStatuses(await Promise.all(orders))).toEqual({ 201: 20 });
  for (const { body } of await Promise.all(sets)) expect(body.quantity).toBe(100);
  const [pet] = await readStock(database.db, accountId);
  expect(pet?.reserved).toBe(20);
  expect(pet?.stock).toBeGreaterThanOrEqual(80);
  expect(pet?.stock).toBeLessThanOrEqual(100);
});

test('an order deleted by ten at once is deleted once, and its units are returned once', async () => {
  const { accountId, call, petIds } = await open(5);
  const { body } = await call<{ id: number }>('POST', '/store/orders', { petId: petIds[0], quantity: 3 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `/store/orders/${body.id}`)));
  expect(countStatuses(answers)).toEqual({ 204: 1, 404: 9 });
  expect(await readStock(database.db, accountId)).toMatchObject([{ stock: 5, reserved: 0 }]);
});
