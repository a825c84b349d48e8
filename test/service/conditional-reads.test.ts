/** A client that has a resource as it is gets 304 with its tag and no body, whatever the resource; one that has another gets 200. */
import { expect, test } from '@jest/globals';
import { withApp, withDatabase } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));

const created = async (response: Promise<{ body: unknown }>) => String(((await response).body as { id: number | string }).id);

test.each<[resource: string, pathIn: (shop: Shop, call: ReturnType<typeof clientWithKey>) => string | Promise<string>]>([
  ['an account', () => '/account'],
  ['a webhook', () => '/account/webhook'],
  ['a category', ({ categoryId }) => `/categories/${categoryId}`],
  ['a pet', ({ petIds }) => `/store/pets/${petIds[0]}`],
  ['a pet at its former path', ({ petIds }) => `/pets/${petIds[0]}`],
  ['an order', async ({ petIds }, call) => `/store/orders/${await created(call('POST', '/store/orders', { petId: petIds[0] }))}`],
  ['a key', async (_, call) => `/account/keys/${await created(call('POST', '/account/keys', { name: 'x' }))}`],
  ['a message', async (_, call) => `/messages/${await created(call('POST', '/messages', { message: 'Hello' }))}`],
  ['the stock of a pet', ({ petIds }) => `/store/inventory/${petIds[0]}`],
])('%s', async (_, pathIn) => {
  const shop = await openShop(database.db, 3);
  const call = clientWithKey(app.url, shop.key);
  await call('PUT', '/account/webhook', { url: 'https://example.com/hook' });
  const path = await pathIn(shop, call);
  const first = await call('GET', path);
  expect(first.status).toBe(200);
  const tag = first.headers.get('ETag') ?? '';
  const get = (known: string) => fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${shop.key}`, 'If-None-Match': known } });
  const fresh = await get(tag);
  expect([fresh.status, fresh.headers.get('ETag'), await fresh.text()]).toEqual([304, tag, '']);
  expect((await get('"another"')).status).toBe(200);
});
