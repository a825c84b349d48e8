/** A mock with a memory: what was created, changed and deleted is there, found from the paths, links and parameters of the contract. */
import { describe, expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { formatMockTable } from '../../src/mock/mock-server.ts';
import { createRecordStore } from '../../src/mock/state/answer-list.ts';
import { mergePatch } from '../../src/mock/state/write-record.ts';
import { HOOKS, LOOK_UPS, SHAPES, SWAGGER } from './mock-documents.ts';
import { call, serveMock } from './support/serve-mock.ts';

type Row = Readonly<Record<string, unknown>>;

test.each([
  [
    { a: 1, b: 2 },
    { a: null, c: 3 },
    { b: 2, c: 3 },
  ],
  [{ a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: 'text' }, { a: { b: { c: null } } }, { a: { b: {} } }],
])('merges %j with %j', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test('what is below a record is removed with it', () => {
  const store = createRecordStore(() => new Map());
  store.put('/users', '5', {});
  store.put('/users/5/posts', '1', {});
  store.put('/users/55/posts', '1', {});
  store.remove('/users', '5');
  expect([store.wasRemoved('/users', '5'), store.wasRemoved('/users', '55')]).toEqual([true, false]);
  expect([store.list('/users/5/posts').length, store.list('/users/55/posts').length]).toEqual([0, 1]);
});

describe('UUIDs, an envelope and records below records', () => {
  const app = withApp(() => serveMock(SHAPES, { stateful: true }));
  const send = (path: string, method = 'GET', body?: unknown, headers = {}) => call(app.url + path, method, body, headers);
  const add = async (title: string) => (await send('/drawings', 'POST', { title })).body as Row;

  test('creates, reads, replaces, merges and deletes', async () => {
    const created = await send('/drawings', 'POST', { title: 'Sky', tags: ['blue'] });
    const { id, created_at: time } = created.body as Row;
    expect(created).toMatchObject({ status: 201, body: { title: 'Sky', tags: ['blue'] } });
    expect(Object.keys(created.body as Row).sort()).toEqual(['created_at', 'id', 'tags', 'title']);
    expect(Date.now() - Date.parse(String(time))).toBeLessThan(60_000);
    const location = created.headers.get('location') ?? '';
    expect(location).toBe(`/drawings/${String(id)}`);
    const read = await send(location);
    expect(read.body).toEqual(created.body);
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'));

    const stale = await send(location, 'PUT', { title: 'Sea' }, { 'If-Match': '"0"' });
    expect(stale.status).toBe(412);
    const replaced = await send(location, 'PUT', { title: 'Sea' }, { 'If-Match': read.headers.get('etag') ?? '' });
    expect(replaced.body).toEqual({ id, created_at: time, title: 'Sea' });
    const merged = await send(location, 'PATCH', { note: 'deep' }, { 'Content-Type': 'application/merge-patch+json' });
    expect(merged.body).toEqual({ id, created_at: time, title: 'Sea', note: 'deep' });
    expect((await send(location)).body).toEqual(merged.body);

    expect((await send(location, 'DELETE')).status).toBe(204);
    expect((await send(location)).status).toBe(404);
    expect((await send(location, 'DELETE')).status).toBe(404);
    expect((await send(location, 'PUT', { title: 'Again' })).status).toBe(404);
  });

  test('lists in pages, with a filter', async () => {
    for (const title of ['a', 'b', 'b', 'c']) await add(title);
    const titles: unknown[] = [];
    let token: unknown;
    do {
      const { body } = await send(`/drawings?page_size=2${typeof token === 'string' ? `&page_token=${token}` : ''}`);
      const { data, next_page_token: next, total } = body as { data: Row[]; next_page_token?: string; total: number };
      titles.push(...data.map(({ title }) => title));
      token = next;
      expect(data.length).toBeLessThanOrEqual(2);
      if (token === undefined) expect(titles).toHaveLength(total);
    } while (token !== undefined);
    expect(titles.slice(-4)).toEqual(['a', 'b', 'b', 'c']);
    expect((await send('/drawings?title=b')).body).toMatchObject({ data: [{ title: 'b' }, { title: 'b' }], total: 2 });
    expect((await send('/drawings?page_token=nonsense')).status).toBe(400);
  });

  test('keeps what is below a record apart, as the branch of a union that it is', async () => {
    const [one, other] = [`/drawings/${String((await add('one')).id)}`, `/drawings/${String((await add('other')).id)}`];
    const before = ((await send(`${other}/shapes`)).body as Row[]).length;
    const { body } = await send(`${one}/shapes`, 'POST', { kind: 'box', width: 3 });
    expect(body).toMatchObject({ kind: 'box', width: 3, id: expect.any(Number) });
    expect((await send(`${one}/shapes/${String((body as Row)['id'])}`)).body).toEqual(body);
    expect((await send(`${one}/shapes`)).body).toContainEqual(body);
    expect((await send(`${other}/shapes`)).body).toHaveLength(before);
    await send(one, 'DELETE');
    expect((await send(`${one}/shapes`)).status).toBe(404);
  });

  test('what a client prefers is answered from the contract', async () => {
    const { id } = await add('kept');
    expect((await send(`/drawings/${String(id)}`, 'DELETE', undefined, { Prefer: 'code=404' })).status).toBe(404);
    expect((await send(`/drawings/${String(id)}`)).status).toBe(200);
  });

  test('says what each operation does', () => {
    const lines = formatMockTable(app.mock.explain()).split('\n');
    expect(lines.slice(0, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['GET /drawings', 'lists /drawings; pages: page_size, page_token; filters: title'],
      ['POST /drawings', 'adds to /drawings'],
      ['GET /drawings/{drawingId}', 'reads from /drawings by id'],
      ['PUT /drawings/{drawingId}', 'replaces in /drawings by id'],
    ]);
  });
});

describe('the pet store of Swagger', () => {
  const app = withApp(() => serveMock(SWAGGER, { stateful: true }));
  const send = (path: string, method = 'GET', body?: unknown) => call(`${app.url}/api/v3${path}`, method, body);

  test('finds a pet by its status, replaces it by the id in the body, and deletes it', async () => {
    const { body } = await send('/pet', 'POST', { name: 'Rex', photoUrls: [], status: 'sold' });
    const pet = body as Row;
    expect((await send('/pet/findByStatus?status=sold')).body).toContainEqual(pet);
    expect((await send('/pet', 'PUT', { ...pet, status: 'pending' })).body).toEqual({ ...pet, status: 'pending' });
    expect((await send('/pet/findByStatus?status=sold')).body).not.toContainEqual(expect.objectContaining({ id: pet['id'] }));
    expect((await send(`/pet/${String(pet['id'])}`)).body).toMatchObject({ status: 'pending' });
    expect((await send(`/pet/${String(pet['id'])}`, 'DELETE')).status).toBe(204);
    expect((await send(`/pet/${String(pet['id'])}`)).status).toBe(404);
    expect((await send('/pet', 'PUT', pet)).status).toBe(404);
  });

  test('has the example at first, and tells users apart by name, without their passwords', async () => {
    expect((await send('/pet/10')).body).toMatchObject({ id: 10, name: 'doggie' });
    expect((await send('/user', 'POST', { username: 'ada', password: 'secret' })).body).toMatchObject({ username: 'ada' });
    const { body } = await send('/user/ada');
    expect(body).toEqual({ username: 'ada' });
    expect((await send('/user/bob')).status).toBe(404);
  });
});

describe('OpenAPI 3.1 with webhooks', () => {
  const app = withApp(() => serveMock(HOOKS, { stateful: true }));
  const send = (path: string, method = 'GET', body?: unknown) => call(app.url + path, method, body);

  test('makes ids as their schema has them, and pages by them', async () => {
    const made: Row[] = [];
    for (const amount of [5, 6, 7]) made.push((await send('/payments', 'POST', { amount })).body as Row);
    for (const { id } of made) expect(id).toMatch(/^pay_[a-z0-9]{8}$/);
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    const page = await send(`/payments?limit=1&starting_after=${String(made[0]?.['id'])}`);
    expect(page.body).toEqual({ object: 'list', data: [made[1]], has_more: true });
    expect((await send('/payments/pay_00000000')).body).toEqual({ error: { message: 'path/payment: /payments has no pay_00000000' } });
  });

  test('remembers a thing without an id', async () => {
    expect((await send('/settings')).body).toMatchObject({ currency: 'eur' });
    expect((await send('/settings', 'PATCH', { currency: 'chf' })).body).toMatchObject({ currency: 'chf' });
    expect((await send('/settings')).body).toMatchObject({ currency: 'chf' });
  });
});

describe('look-ups', () => {
  const app = withApp(() => serveMock(LOOK_UPS, { stateful: true }));
  const send = (path: string, method = 'GET', body?: unknown) => call(app.url + path, method, body);

  test('what can neither be listed nor added to has what is asked for, until it is deleted', async () => {
    const read = await send('/rates/chf');
    expect(read.body).toEqual({ currency: 'chf', rate: expect.any(Number) });
    expect((await send('/rates/chf')).text).toBe(read.text);
    expect((await send('/rates/chf', 'DELETE')).status).toBe(204);
    expect((await send('/rates/chf')).status).toBe(404);
    expect((await send('/rates/eur')).status).toBe(200);
  });

  test('the example of an id is there at first, in lists too', async () => {
    expect((await send('/users/ada')).body).toMatchObject({ login: 'ada' });
    expect((await send('/users')).body).toContainEqual(expect.objectContaining({ login: 'ada' }));
    expect((await send('/users/bob')).status).toBe(404);
    await send('/users', 'POST', { login: 'bob' });
    expect((await send('/users/bob')).body).toEqual({ login: 'bob' });
  });

  test('a record that cannot be read has no example of its id in the list, and is deleted from it', async () => {
    const before = (await send('/guests')).body as Row[];
    expect(before.length).toBeGreaterThan(0);
    expect(before).not.toContainEqual(expect.objectContaining({ login: 'eve' }));
    expect((await send('/guests/eve', 'DELETE')).status).toBe(404);
    expect((await send(`/guests/${String(before[0]?.['login'])}`, 'DELETE')).status).toBe(204);
    expect((await send('/guests')).body).toEqual(before.slice(1));
  });

  test('a schema that nothing fits is answered with 501, and what to do', async () => {
    const { status, body } = await send('/nothing');
    expect(status).toBe(501);
    expect(body).toMatchObject({
      message: expect.stringMatching(/^no value can be made for value \(tried ".*"\): add an example to the contract$/),
    });
  });
});

test('a list without item paths has what was added, and what only searches is none', async () => {
  const note = '{ type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }';
  const json = (schema: string) => `{ description: ok, content: { application/json: { schema: ${schema} } } }`;
  const body = '{ content: { application/json: { schema: { type: object, properties: { text: { type: string } } } } } }';
  const list = json("{ type: array, items: { $ref: '#/components/schemas/Note' } }");
  const path = (name: string, status: number, answer: string) =>
    `/${name}: { get: { operationId: list-${name}, responses: { '200': ${list} } }, post: { operationId: post-${name}, requestBody: ${body}, responses: { '${status}': ${answer} } } }`;
  const { url, close } = await serveMock(
    `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  ${path('notes', 201, json("{ $ref: '#/components/schemas/Note' }"))}
  ${path('memos', 204, '{ description: ok }')}
  ${path('searches', 200, json('{ type: object, properties: { found: { type: integer } } }'))}
components: { schemas: { Note: ${note} } }`,
    { stateful: true },
  );
  const texts = async (name: string) => ((await call(`${url}/${name}`)).body as Row[]).map(({ text }) => text);
  try {
    for (const name of ['notes', 'memos', 'searches']) {
      const before = await texts(name);
      await call(`${url}/${name}`, 'POST', { text: 'Buy milk.' });
      expect(await texts(name)).toEqual(name === 'searches' ? before : [...before, 'Buy milk.']);
    }
  } finally {
    await close();
  }
});

/** Bookings whose ids have this schema. */
const bookings = (id: string) => `openapi: 3.0.3
info: { title: Bookings, version: '1' }
paths:
  /bookings:
    get: { operationId: list, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, maxItems: 1, items: { $ref: '#/components/schemas/Booking' } } } } } } }
    post:
      operationId: create
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } } } }
  /bookings/{bookingId}:
    parameters: [{ name: bookingId, in: path, required: true, schema: ${id} }]
    get: { operationId: read, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } } } } }
    delete: { operationId: remove, responses: { '204': { description: ok } } }
components: { schemas: { Booking: { type: object, required: [id, name], properties: { id: ${id}, name: { type: string } } } } }`;

describe('an id is given once', () => {
  async function withBookings(
    id: string,
    use: (parts: { create: () => Promise<Row>; remove: (id: unknown) => Promise<number> }) => Promise<void>,
  ) {
    const { url, close } = await serveMock(bookings(id), { stateful: true });
    try {
      await use({
        create: async () => (await call(`${url}/bookings`, 'POST', { name: 'Ann' })).body as Row,
        remove: async (one) => (await call(`${url}/bookings/${String(one)}`, 'DELETE')).status,
      });
    } finally {
      await close();
    }
  }

  test.each(['{ type: integer }', '{ type: string, format: uuid }'])('not again after its record was deleted: %s', async (schema) => {
    await withBookings(schema, async ({ create, remove }) => {
      const ids = new Set<unknown>();
      for (let i = 0; i < 5; i++) {
        const { id } = await create();
        ids.add(id);
        expect(await remove(id)).toBe(204);
      }
      expect(ids.size).toBe(5);
    });
  });

  test.each([
    ['{ type: integer, maximum: 5, example: 5 }', 5],
    ['{ type: integer, multipleOf: 10, maximum: 40, example: 20 }', 4],
    ['{ type: integer, enum: [3, 1, 2], example: 1 }', 3],
  ])('as its schema allows, and none when all are: %s', async (schema, all) => {
    await withBookings(schema, async ({ create }) => {
      const made: Row[] = [];
      for (let i = 0; i < all - 1; i++) made.push(await create());
      expect(new Set(made.map(({ id }) => id)).size).toBe(all - 1);
      expect(await create()).toMatchObject({ message: expect.stringMatching(/^no further id can be made for \/bookings/) });
    });
  });

  test('with more in the range of its format than the example leaves above it', async () => {
    await withBookings('{ type: integer, format: int32, example: 2147483646 }', async ({ create }) => {
      expect([await create(), await create(), await create()].map(({ id }) => id)).toEqual([2147483647, 1, 2]);
    });
  });
});
