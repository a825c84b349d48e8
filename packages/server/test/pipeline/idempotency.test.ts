/** The header `Idempotency-Key` of any contract: what is asked of the store, what may be stored, and what is answered without one. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bearer, FrameworkError, type IdempotencyStore, type IdempotentRequest, type UnvalidatedResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

type Reply = (status: number, payload?: object) => UnvalidatedResponse;
type Handler = (input: unknown, reply: Reply, context: { readonly db: unknown }) => UnvalidatedResponse;
type Handlers = Record<'op' | 'replace' | 'append' | 'read', Handler>;

// No 409 and no `Idempotent-Replayed`: documents of others have neither.
const YAML = `paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: idempotency-key, in: header, schema: { type: string, maxLength: 10 } }
    get: { operationId: read, responses: { '200': { description: ok } } }
    put:
      operationId: replace
      requestBody: &body { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: replaced } }
    patch:
      operationId: append
      parameters: [{ name: Content-Digest, in: header, required: true, schema: { type: string } }]
      requestBody:
        content:
          application/jsonl: { x-item-schema: { type: object } }
          application/octet-stream: { x-stream: true }
      responses: { '204': { description: appended } }
    post:
      operationId: op
      security: [{}, { token: [] }]
      parameters:
        - { name: dry, in: query, schema: { type: boolean } }
        - { name: after, in: query, schema: { type: integer, format: int64, x-int64: bigint } }
        - { name: X-Trace, in: header, schema: { type: string } }
      requestBody: *body
      responses:
        '201':
          description: made
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer } }, additionalProperties: true } } }
        '400': { description: refused, content: { application/json: { schema: { type: object } } } }
        '422': { description: refused, content: { application/json: { schema: { type: object } } } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;

/** A store in memory, which shows what it was asked. */
const asked: IdempotentRequest[] = [];
const stored = new Map<string, UnvalidatedResponse>();
let answer: Handlers['op'];
let calls = 0;
/** What the handlers got as `context.db`. */
const given: unknown[] = [];
let isInUse = false;
const handlers: Handlers = {
  op(input, reply, context) {
    calls++;
    given.push(context.db);
    return answer(input, reply, context);
  },
  replace: (_, reply) => reply(204),
  append: (_, reply) => reply(204),
  read: (_, reply) => reply(200),
};
const store: IdempotencyStore<string> = {
  async run(request, work) {
    asked.push(request);
    if (isInUse) throw new FrameworkError('idempotency_key_in_use', 'wait', { headers: { 'Retry-After': '1' } });
    const before = stored.get(request.key);
    if (before !== undefined) return { response: before, isReplay: true };
    const response = await work('transaction');
    stored.set(request.key, response);
    return { response, isReplay: false };
  },
};

const security = { token: bearer(async (name) => ({ name })) };
const app = withApp(() => serve(YAML, { handlers, db: 'pool', security, idempotency: store }));
beforeEach(() => {
  asked.length = given.length = calls = 0;
  isInUse = false;
  stored.clear();
  answer = (_, reply) => reply(201, { headers: { Location: '/things/1' }, body: { id: 1 } });
});

const send = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { method, body, headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k', ...headers } });
const post = (path = '/things/1', body = '{"a":1,"b":2}', headers?: Record<string, string>) => send('POST', path, body, headers);

test('a retry gets the response of the first request, whose handler was called once', async () => {
  const [first, retry] = [await post(), await post()];
  for (const response of [first, retry])
    expect([response.status, response.headers.get('Location'), await response.json()]).toEqual([201, '/things/1', { id: 1 }]);
  expect([first, retry].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
  expect(calls).toBe(1);
});

test('context.db is the transaction of the key, and the database of the service without one', async () => {
  await post();
  await fetch(`${app.url}/things/1`, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  expect(given).toEqual(['transaction', 'pool']);
});

test('requests that ask for the same have one fingerprint, others another', async () => {
  const same = [post(), post('/things/1', '{ "b": 2, "a": 1 }'), post('/things/1', undefined, { 'X-Trace': '2' })];
  const others = [post('/things/2'), post('/things/1?dry=true'), post('/things/1', '{"a":1,"b":3}'), post('/things/1', '{"a":1}')];
  await Promise.all([...same, ...others]);
  const fingerprints = asked.map(({ fingerprint }) => fingerprint.toString('hex'));
  expect(asked).toHaveLength(7);
  expect(new Set(fingerprints).size).toBe(5);
  expect(asked[0]).toMatchObject({ key: 'k', caller: undefined, address: 'ip:127.0.0.1' });
});

test.each(['application/jsonl', 'application/octet-stream'])(
  'a body of %s, which has not been read, is told by its digest',
  async (type) => {
    const append = (body: string) => {
      const digest = createHash('sha256').update(body).digest('base64');
      return send('PATCH', '/things/1', body, { 'Content-Type': type, 'Content-Digest': `sha-256=:${digest}:` });
    };
    for (const body of ['{"a":1}', '{"a":2}', '{"a":2}']) expect((await append(body)).status).toBe(204);
    const [first, second, third] = asked.map(({ fingerprint }) => fingerprint.toString('hex'));
    expect([first === second, second === third]).toEqual([false, true]);
  },
);

test('integers of 64 bits that differ in the last digit make other fingerprints', async () => {
  for (const after of ['9007199254740992', '9007199254740993', '9007199254740993']) await post(`/things/1?after=${after}`);
  const [first, second, third] = asked.map(({ fingerprint }) => fingerprint.toString('hex'));
  expect([first === second, second === third]).toEqual([false, true]);
});

test('a request of another operation has another fingerprint, though path and body are the same', async () => {
  await Promise.all([post(), send('PUT', '/things/1', '{"a":1,"b":2}')]);
  expect(new Set(asked.map(({ fingerprint }) => fingerprint.toString('hex'))).size).toBe(2);
});

test('the order of an array makes another request, that of properties in it does not', async () => {
  for (const list of ['[{"x":1,"y":2},3]', '[{"y":2,"x":1},3]', '[3,{"x":1,"y":2}]', '{"0":{"x":1,"y":2},"1":3}'])
    await post('/things/1', `{"list":${list}}`);
  const [first, ...others] = asked.map(({ fingerprint }) => fingerprint.toString('hex'));
  expect(others.map((other) => other === first)).toEqual([true, false, false]);
});

test('what is hashed stays the same text from version to version, as a retry may reach another one', async () => {
  await post(
    '/things/1?dry=true&after=9007199254740993',
    '{"b":[{"y":null,"x":[]},"z"],"a":{"d":1,"c":true},"10":0,"9":"é","__proto_":{}}',
  );
  await post();
  const texts = [
    '{"body":{"9":"é","10":0,"__proto_":{},"a":{"c":true,"d":1},"b":[{"x":[],"y":null},"z"]},"operation":"op","path":{"id":"1"},"query":{"after":"9007199254740993n","dry":true}}',
    '{"body":{"a":1,"b":2},"operation":"op","path":{"id":"1"},"query":{}}',
  ];
  expect(asked.map(({ fingerprint }) => fingerprint)).toEqual(texts.map((text) => createHash('sha256').update(text).digest()));
});

test('a request with credentials asks for its caller, one without for its address', async () => {
  await post();
  await post(undefined, undefined, { Authorization: 'Bearer ada' });
  expect(asked.map(({ caller }) => caller)).toEqual([undefined, { name: 'ada' }]);
});

test('a response that breaks the contract is not stored', async () => {
  answer = (_, reply) => reply(201, { headers: { Location: '/things/1' }, body: { id: 'one' } });
  expect((await post()).status).toBe(500);
  expect(stored.size).toBe(0);
});

describe('a response is validated once', () => {
  /** A store may give another response than the one that it was given. */
  let replaced: Partial<UnvalidatedResponse> | undefined;
  const replacing: IdempotencyStore<string> = {
    run: async (request, work) => {
      const { response } = await store.run(request, work);
      return { response: replaced === undefined ? response : { ...response, ...replaced }, isReplay: false };
    },
  };
  const logging = withApp(() => serve(YAML, { handlers, db: 'pool', security, idempotency: replacing, responseValidation: 'log' }));
  const postLogged = async () => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
    const response = await fetch(`${logging.url}/things/1`, { method: 'POST', body: '{}', headers });
    return { response, problems: logging.log.filter(({ level }) => level === 'error').flatMap(({ problems }) => problems) };
  };

  test('before it is stored', async () => {
    replaced = undefined;
    answer = (_, reply) => reply(201, { headers: { Location: '/things/1' }, body: { id: 'one' } });
    const { response, problems } = await postLogged();
    expect([response.status, response.headers.get('Location'), await response.json()]).toEqual([201, '/things/1', { id: 'one' }]);
    expect(problems).toEqual(['response/body/id must be integer']);
  });

  test('and the one that the store gives in its place is validated too', async () => {
    replaced = { body: { name: 'x' } };
    const { response, problems } = await postLogged();
    expect([response.status, await response.json()]).toEqual([201, { name: 'x' }]);
    expect(problems).toContain("response/body must have required property 'id'");
  });
});

test.each([400, 422])('a refusal that the handler returns is answered and not stored: %i', async (status) => {
  answer = (_, reply) => reply(status, { body: { reason: 'no' } });
  const refused = await post();
  expect([refused.status, await refused.json()]).toEqual([status, { reason: 'no' }]);
  expect(stored.size).toBe(0);
});

test('a stored response that a newer contract would not allow is sent, and logged', async () => {
  stored.set('k', { status: 201, headers: { Location: '/things/1' }, type: undefined, body: { old: true } });
  const retry = await post();
  expect([retry.status, await retry.json()]).toEqual([201, { old: true }]);
  expect(app.log.filter(({ level }) => level === 'error').at(-1)).toMatchObject({ operation: 'op', status: 201 });
});

test('a key that is in use is answered 409 with Retry-After, though the contract does not declare it', async () => {
  isInUse = true;
  const refused = await post();
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([409, '1']);
  expect(await refused.json()).toMatchObject({ code: 'idempotency_key_in_use' });
});

test('a malformed key is refused as the contract says, before the store is asked', async () => {
  expect((await post('/things/1', '{}', { 'Idempotency-Key': 'longer than ten' })).status).toBe(400);
  expect(asked).toEqual([]);
});

test('a safe method has no use for the header', async () => {
  expect((await fetch(`${app.url}/things/1`, { headers: { 'Idempotency-Key': 'k' } })).status).toBe(200);
  expect(asked).toEqual([]);
});

test("without a store the header is the handler's own, and the log names the operations at start", async () => {
  const other = await serve(YAML, { handlers, security });
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
  expect((await fetch(`${other.url}/things/1`, { method: 'POST', body: '{}', headers })).status).toBe(201);
  await other.close();
  expect(other.log.filter(({ level }) => level === 'warn')).toMatchObject([
    { operations: ['replace', 'op', 'append'], message: expect.stringContaining('Idempotency-Key') },
  ]);
});
