/** The generated client against the service: every operation, errors by status, headers, pages, retries. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { orThrow, paginate, ResponseError, type Client, type Results } from '../../generated/client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';
import { createEmptyStore } from '../support/service/limits.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db, { webhooks: { allowPrivate: true } }));
const client = withFixture(
  async () => petStore(app.url, (await newAccount(database.db)).key),
  () => undefined,
);

const newCategory = async () => (await orThrow(client.createCategory({ body: { name: 'Dogs' } }))).body.id;
const newPet = async () => (await orThrow(client.createPet({ body: { name: 'Rex', categoryId: await newCategory() } }))).body.id;
// Of an order no property is required.
const newOrder = async () => (await orThrow(client.createOrder({ body: {} }))).body.id ?? 0;
const newKey = async () => (await orThrow(client.createKey({ body: { name: 'Till' } }))).body.id;
const setWebhook = () => client.setWebhook({ body: { url: 'http://127.0.0.1:8080/hook' } });

/** A call of each operation that there was when the client was made: it is tested here, so an operation that is new needs none. */
const CALLS: { readonly [Op in keyof Client]?: () => Promise<Results[Op]> } = {
  listPets: () => client.listPets({ query: { status: ['available', 'sold'], limit: 2 } }),
  createPet: async () => client.createPet({ body: { name: 'Rex', categoryId: await newCategory() } }),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- every operation
  getPet: async () => client.getPet({ path: { petId: await newPet() } }),
  replacePet: async () => client.replacePet({ path: { petId: await newPet() }, body: { name: 'Bo', categoryId: await newCategory() } }),
  deletePet: async () => client.deletePet({ path: { petId: await newPet() } }),
  updatePet: async () =>
    client.updatePet({ path: { petId: await newPet() }, contentType: 'application/merge-patch+json', body: { status: 'pending' } }),
  listCategories: () => client.listCategories(),
  createCategory: () => client.createCategory({ body: { name: 'Cats', description: 'Quiet.' } }),
  getCategory: async () => client.getCategory({ path: { categoryId: await newCategory() } }),
  replaceCategory: async () => client.replaceCategory({ path: { categoryId: await newCategory() }, body: { name: 'Birds' } }),
  deleteCategory: async () => client.deleteCategory({ path: { categoryId: await newCategory() } }),
  updateCategory: async () => client.updateCategory({ path: { categoryId: await newCategory() }, body: { name: 'Fish' } }),
  getStorePet: async () => client.getStorePet({ path: { petId: await newPet() } }),
  listOrders: () => client.listOrders({ query: { complete: false } }),
  createOrder: () => client.createOrder({ body: { shipDate: '2026-12-24T12:00:00Z' } }),
  getOrder: async () => client.getOrder({ path: { orderId: await newOrder() } }),
  deleteOrder: async () => client.deleteOrder({ path: { orderId: await newOrder() } }),
  updateOrder: async () => client.updateOrder({ path: { orderId: await newOrder() }, body: { shipDate: null } }),
  listInventory: () => client.listInventory({ query: { status: ['available'] } }),
  getInventory: async () => client.getInventory({ path: { petId: await newPet() } }),
  setInventory: async () => client.setInventory({ path: { petId: await newPet() }, body: { quantity: 3 } }),
  createAccount: () => petStore(app.url).createAccount({ body: { email: `${randomUUID()}@example.com` } }),
  getAccount: () => client.getAccount(),
  getRateLimit: () => client.getRateLimit(),
  sendMessage: () => client.sendMessage({ body: { message: 'Hello' } }),
  getMessage: async () =>
    client.getMessage({ path: { messageId: (await orThrow(client.sendMessage({ body: { message: 'Hi' } }))).body.id } }),
  setWebhook,
  getWebhook: async () => {
    await setWebhook();
    return client.getWebhook();
  },
  deleteWebhook: async () => {
    await setWebhook();
    return client.deleteWebhook();
  },
  listKeys: () => client.listKeys(),
  createKey: () => client.createKey({ body: { name: 'Till' } }),
  getKey: async () => client.getKey({ path: { keyId: await newKey() } }),
  revokeKey: async () => client.revokeKey({ path: { keyId: await newKey() } }),
  rotateKey: async () => client.rotateKey({ path: { keyId: await newKey() }, body: { gracePeriod: 60 } }),
};

test.each(Object.entries(CALLS))('%s succeeds with what the contract declares', async (_, call) => {
  const { status, body, headers, response } = await orThrow<Results[keyof Results]>(call());
  expect(body === undefined).toBe(status === 204);
  expect(headers).toMatchObject({
    'X-Request-Id': response.headers.get('X-Request-Id'),
    'X-RateLimit-Remaining': Number(response.headers.get('X-RateLimit-Remaining')),
  });
});

test('errors and headers are typed by status', async () => {
  const petId = await newPet();
  const { headers } = await orThrow(client.getStorePet({ path: { petId } }));
  const unchanged = await client.getStorePet({ path: { petId }, headers: { 'If-None-Match': headers.ETag } });
  expect([unchanged.status, unchanged.body]).toEqual([304, undefined]);
  const stale = await client.updatePet({ path: { petId }, headers: { 'If-Match': '"9"' }, body: { name: 'Bo' } });
  expect(stale).toMatchObject({ status: 412, ok: false, body: { code: 'precondition_failed', status: 412 } });
  const missing = await client.getStorePet({ path: { petId: petId + 1 } });
  if (missing.status !== 404) throw new Error(`${missing.status}`);
  expect(missing.body.code).toBe('not_found');
  const refused = orThrow(petStore(app.url, 'psk_live_none').getStorePet({ path: { petId } }));
  await expect(refused).rejects.toThrow(ResponseError);
  await expect(refused).rejects.toMatchObject({ status: 401, body: { code: 'unauthorized' } });
});

test('a page that is refused ends paginate with its error, and the wait for Retry-After is a number', async () => {
  const limited = await startApp(database.db, { rateLimit: { store: createEmptyStore() } });
  const refused = petStore(limited.url, (await newAccount(database.db)).key, { retry: { maxDelayMs: 1000 } });
  const reply = await refused.listPets();
  if (reply.status !== 429) throw new Error(`${reply.status}`);
  expect(reply.headers['Retry-After']).toBeGreaterThan(1000);
  expect(reply.headers['X-RateLimit-Remaining']).toBe(0);
  await expect(paginate(refused, 'listPets').next()).rejects.toMatchObject({ status: 429 });
  await limited.close();
});

test('a retried POST whose first response was lost is done once', async () => {
  let sent = 0;
  const losing: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (++sent === 1) throw new TypeError('fetch failed');
    return response;
  };
  const { key } = await newAccount(database.db);
  const lossy = petStore(app.url, key, { fetch: losing, retry: true });
  const { headers, body } = await orThrow(lossy.createCategory({ body: { name: 'Dogs' } }));
  expect(headers['Idempotent-Replayed']).toBeDefined();
  expect((await orThrow(lossy.listCategories())).body).toEqual([body]);
});
