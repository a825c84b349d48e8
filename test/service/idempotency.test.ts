/** A POST with an `Idempotency-Key` is done once: retries get the first response, and other requests with the key are refused. */
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createClient, dumpRows, withApp, withDatabase, withFixture, type JsonClient, type JsonResponse } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { publishEvents } from '@specwright/postgres/events';
import { startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { findRecordNouns } from '../support/service/record-nouns.ts';
import { openShop, readStock } from '../support/service/shop.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const shop = withFixture(
  () => openShop(database.db, 1000),
  () => undefined,
);

const send: JsonClient = (...request) => clientWithKey(app.url, shop.key)(...request);
const withKey = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const code = ({ body }: JsonResponse): string => (body as ErrorBody).code;

/** A request waits a second for the others with its key, and on a busy machine they take longer: it is sent again, as a client does. */
const sendUntilDone: JsonClient = async (...request) => {
  for (;;) {
    const answer = await send<never>(...request);
    if (answer.status !== 409 || code(answer) !== 'idempotency_key_in_use') return answer;
  }
};

let made = 0;
const newKey = async () => (await send<{ id: number }>('POST', '/account/keys', { name: 'Till' })).body.id;

/** Every POST: a path, and a body that is as good as another one. */
const POSTS: Record<string, () => Promise<{ path: string; body: () => object }>> = {
  createPet: async () => ({ path: '/pets', body: () => ({ name: `Pet ${++made}`, categoryId: shop.categoryId }) }),
  createCategory: async () => ({ path: '/categories', body: () => ({ name: `Category ${++made}` }) }),
  createOrder: async () => ({ path: '/store/orders', body: () => ({ petId: shop.petIds[0], quantity: ++made }) }),
  createAccount: async () => ({ path: '/accounts', body: () => ({ email: `idempotency-${++made}@example.com` }) }),
  sendMessage: async () => ({ path: '/messages', body: () => ({ message: `Message ${++made}` }) }),
  replayMessages: async () => ({
    path: '/messages/replays',
    body: () => ({ since: `2026-11-21T09:00:${String(++made).padStart(2, '0')}Z` }),
  }),
  createKey: async () => ({ path: '/account/keys', body: () => ({ name: `Key ${++made}` }) }),
  rotateKey: async () => ({ path: `/account/keys/${await newKey()}/rotation`, body: () => ({ gracePeriod: ++made }) }),
};

const essence = ({ status, headers, body }: JsonResponse) => ({
  status,
  headers: ['Location', 'ETag', 'Content-Type', 'Content-Length', 'X-Stability'].map((name) => headers.get(name)),
  body,
});

test('every POST of the contract is here', async () => {
  // A noun that is only records is retried by the contract walk.
  const records = (await findRecordNouns()).map(({ functions }) => functions.create.name);
  // A streamed upload cannot be compared with a retry.
  const ids = app.contract.operations.filter(({ id, method }) => method === 'post' && id !== 'createPhoto').map(({ id }) => id);
  const own = ids.filter((id) => id in POSTS || !records.includes(id));
  expect(own.sort()).toEqual(Object.keys(POSTS).sort());
  expect(
    app.contract.operations
      .filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids.sort());
});

describe.each(Object.entries(POSTS))('%s', (_, prepare) => {
  test('answers a retry with the first response and changes nothing', async () => {
    const { path, body } = await prepare();
    const [headers, sent] = [withKey(), body()];
    const first = await send('POST', path, sent, headers);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    await publishEvents(database.db);
    const before = await dumpRows(database.db);
    const retry = await send('POST', path, sent, headers);
    expect(essence(retry)).toEqual(essence(first));
    expect(retry.headers.get('Idempotent-Replayed')).toBe('true');
    expect(retry.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    expect(await dumpRows(database.db)).toBe(before);
  });

  test('refuses the key for another body or another operation with 400 and changes nothing', async () => {
    const { path, body } = await prepare();
    const headers = withKey();
    expect((await send('POST', path, body(), headers)).status).toBeLessThan(300);
    await publishEvents(database.db);
    const before = await dumpRows(database.db);
    const others = [await send('POST', path, body(), headers)];
    // By its address: whoever has an account is somebody else.
    if (path !== '/accounts')
      others.push(
        await send(
          'POST',
          path === '/pets' ? '/categories' : '/pets',
          { name: 'x', ...(path === '/pets' ? {} : { categoryId: shop.categoryId }) },
          headers,
        ),
      );
    for (const refused of others) expect([refused.status, code(refused)]).toEqual([400, 'idempotency_key_reused']);
    expect(await dumpRows(database.db)).toBe(before);
  });

  test('without a key is done each time', async () => {
    const { path, body } = await prepare();
    const sent = body();
    const [first, second] = [await send('POST', path, sent), await send('POST', path, sent)];
    expect(first.status).toBeLessThan(300);
    // A replay makes no record: it says how many messages it has queued.
    if (path === '/messages/replays') expect(second.body).toEqual({ replayed: 0 });
    else expect(second.status === 409 || (second.body as { id: unknown }).id !== (first.body as { id: unknown }).id).toBe(true);
  });
});

test('the order of properties makes no other request', async () => {
  const headers = withKey();
  const [first, retry] = [
    await send<{ id: number }>('POST', '/store/orders', { petId: shop.petIds[0], quantity: 1 }, headers),
    await send<{ id: number }>('POST', '/store/orders', { quantity: 1, petId: shop.petIds[0] }, headers),
  ];
  expect([retry.status, retry.body.id]).toEqual([201, first.body.id]);
});

test('a refused request leaves the key free, and its retry is judged anew', async () => {
  const body = { petId: (await openShop(database.db, 0)).petIds[0], quantity: 1 };
  const empty = await openShop(database.db, 0);
  const call = clientWithKey(app.url, empty.key);
  const headers = withKey();
  const order = { petId: empty.petIds[0], quantity: 2 };
  expect(code(await call('POST', '/store/orders', order, headers))).toBe('out_of_stock');
  // Somebody else's pet: the transaction is rolled back by a violated constraint.
  expect(code(await call('POST', '/store/orders', body, headers))).toBe('invalid_reference');
  await call('PUT', `/store/inventory/${empty.petIds[0]}`, { quantity: 2 });
  const done = await call('POST', '/store/orders', order, headers);
  expect([done.status, done.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
  expect(await readStock(database.db, empty.accountId)).toMatchObject([{ stock: 0, reserved: 2 }]);
});

test.each([
  ['empty', ''],
  ['with a space', 'a b'],
  ['not ASCII', 'é'],
  ['longer than 255 characters', 'x'.repeat(256)],
])('refuses a key that is %s with 400', async (_, key) => {
  const refused = await send('POST', '/categories', { name: 'x' }, { 'Idempotency-Key': key });
  expect([refused.status, code(refused)]).toEqual([400, 'invalid_request']);
  expect((refused.body as ErrorBody).message).toContain('header/Idempotency-Key');
});

test('requests with one key at once are done once, and all get the first response', async () => {
  const order = { petId: shop.petIds[0], quantity: 1 };
  const headers = withKey();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => sendUntilDone<{ id: number }>('POST', '/store/orders', order, headers)),
  );
  expect(countStatuses(answers)).toEqual({ 201: 30 });
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ headers: sent }) => sent.get('Idempotent-Replayed') === 'true')).toHaveLength(29);
});

test('requests with one key and different bodies at once: one is done, the others are refused', async () => {
  const headers = withKey();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => sendUntilDone('POST', '/categories', { name: `Category ${i}` }, headers)),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 400: 9 });
});

test('a retry of a rotation still gives the new key, which is valid', async () => {
  const id = await newKey();
  const headers = withKey();
  const rotate = () => send<{ apiKey: string }>('POST', `/account/keys/${id}/rotation`, { gracePeriod: 0 }, headers);
  const [first, retry] = [await rotate(), await rotate()];
  expect(retry.body.apiKey).toBe(first.body.apiKey);
  expect((await clientWithKey(app.url, retry.body.apiKey)('GET', '/account')).status).toBe(200);
});

test('a retry is authenticated and needs a valid key', async () => {
  const headers = withKey();
  const { body } = await send<{ apiKey: string; id: number }>('POST', '/account/keys', { name: 'Gone' }, withKey());
  const gone = clientWithKey(app.url, body.apiKey);
  expect((await gone('POST', '/categories', { name: 'x' }, headers)).status).toBe(201);
  await send('DELETE', `/account/keys/${body.id}`);
  expect((await gone('POST', '/categories', { name: 'x' }, headers)).status).toBe(401);
  expect((await createClient(app.url)('POST', '/categories', { name: 'x' }, headers)).status).toBe(401);
  // Any other key of the account gets the response.
  expect((await send('POST', '/categories', { name: 'x' }, headers)).headers.get('Idempotent-Replayed')).toBe('true');
});
