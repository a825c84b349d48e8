/** A mock: the pipeline of a service, which answers with examples of the contract or values that are generated from it. */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { parsePrefer } from '../../src/mock/mock-body.ts';
import { call, serveMock } from './support/serve-mock.ts';

const YAML = `openapi: 3.0.3
info: { title: Shop, version: '1' }
security: [{ key: [] }]
x-rate-limit-plans: { plans: { free: { minute: 10, day: 100 }, pro: { minute: 500, day: 5000 } }, address: { minute: 5, day: 50 } }
paths:
  /things/{thingId}:
    get:
      operationId: getThing
      parameters:
        - { name: thingId, in: path, required: true, schema: { type: integer, minimum: 1 } }
        - { name: verbose, in: query, schema: { type: boolean } }
      responses:
        '200':
          description: A thing.
          headers: { X-Cost: { required: true, schema: { type: integer, minimum: 3, maximum: 9 } }, X-Other: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '404':
          description: None.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Error' }
              examples:
                gone: { value: { message: It was sold. } }
                never: { value: { message: There never was one. } }
                broken: { value: { reason: 1 } }
        5XX: { description: Broken., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  /things:
    post:
      operationId: addThing
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses:
        '201':
          description: Made.
          content:
            application/json: { schema: { $ref: '#/components/schemas/Thing' }, example: { id: 7, name: From the contract, size: large } }
  /admin:
    get: { operationId: getAdmin, security: [{ login: [admin] }], responses: { '204': { description: ok } } }
  /photo:
    get:
      operationId: getPhoto
      security: []
      responses: { '200': { description: A photo., content: { image/png: { schema: { type: string, format: binary } } } }, '206': { description: A part of it., content: { image/png: { schema: { type: string, format: binary } } } } }
  /events:
    get:
      operationId: getEvents
      security: []
      responses: { '200': { description: Events., content: { text/event-stream: { x-item-schema: { $ref: '#/components/schemas/Thing' } } } } }
  /uploads:
    post:
      operationId: upload
      security: []
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [title, file], properties: { title: { type: string }, file: { type: string, format: binary, maxLength: 5 } } }
      responses: { '204': { description: Kept. } }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
    login: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { admin: All. } } } }
  schemas:
    Error: { type: object, required: [message], additionalProperties: false, properties: { message: { type: string } } }
    Thing:
      type: object
      additionalProperties: false
      required: [id, name]
      properties:
        id: { type: integer, minimum: 1, readOnly: true }
        name: { type: string, maxLength: 40 }
        size: { type: string, enum: [small, large] }
        made: { type: string, format: date-time }
`;

const app = withApp(() => serveMock(YAML));
const KEY = { Authorization: 'Bearer anything' };
const send = (path: string, method = 'GET', body?: unknown, headers = {}) => call(app.url + path, method, body, { ...KEY, ...headers });
const prefer = (value: string) => send('/things/7', 'GET', undefined, { Prefer: value });

const statusOnly = (...statuses: string[]) =>
  `{ get: { operationId: get${statuses.join('')}, responses: { ${statuses.map((one) => `'${one}': { description: An answer. }`).join(', ')} } } }`;

test.each<[answered: number, declared: string[]]>([
  [202, ['404', '202']],
  [302, ['default', '302', '404']],
  [200, ['404', 'default']],
  [404, ['404', '5XX']],
  [400, ['4XX']],
  [501, []],
])('answers %i where %j is declared', async (status, declared) => {
  const { url, close } = await serveMock(`openapi: 3.1.0
info: { title: Statuses, version: '1' }
paths: { /thing: ${statusOnly(...declared)} }`);
  try {
    const answer = await call(`${url}/thing`);
    expect(answer.status).toBe(status);
    if (declared.length === 0) expect(answer.body).toMatchObject({ message: expect.stringContaining('get declares no response') });
  } finally {
    await close();
  }
});

test.each([
  ['code=404', { code: 404 }],
  ['CODE = 404 ; why=test, example="a, \\"b\\"",dynamic=true', { code: 404, example: 'a, "b"', dynamic: true }],
  ['code=404, code=200, return=minimal, respond-async, wait=10', { code: 404 }],
  ['delay=200, dynamic=false', { delay: 200, dynamic: false }],
  ['code=, example', {}],
])('reads Prefer: %s', (field, expected) => {
  expect(parsePrefer(field)).toEqual(expected);
});

test('generates values of the contract that differ by input, and are the same each time', async () => {
  const [first, again, other] = [await send('/things/7'), await send('/things/7'), await send('/things/8')];
  expect(first).toMatchObject({ status: 200, body: { id: 7 } });
  expect(first.headers.get('x-mock')).toBe('true');
  expect(Number(first.headers.get('x-cost'))).toBeGreaterThanOrEqual(3);
  expect(first.headers.has('x-other')).toBe(false);
  expect(again.text).toBe(first.text);
  expect(other.body).toMatchObject({ id: 8 });
  expect(JSON.stringify(other.body).replace('"id":8', '"id":7')).not.toBe(first.text);
});

test('answers with the example, and generates one if that is asked for', async () => {
  const body = { name: 'Lamp' };
  expect((await send('/things', 'POST', body)).body).toEqual({ id: 7, name: 'From the contract', size: 'large' });
  expect((await send('/things', 'POST', body, { Prefer: 'dynamic=true' })).body).toMatchObject({ name: 'Lamp' });
});

test.each([
  ['code=404', 404, { message: 'It was sold.' }],
  ['code=404, example=never', 404, { message: 'There never was one.' }],
  ['code=503', 503, { message: expect.any(String) }],
  ['code=418', 400, { message: 'header/Prefer: getThing declares no response 418; it declares 200, 404, 5XX' }],
  [
    'code=404, example=lost',
    400,
    { message: 'header/Prefer: the response 404 of getThing has no example lost; it has gone, never, broken' },
  ],
  ['example=gone', 400, { message: 'header/Prefer: the response 200 of getThing has no example gone; it has no named examples' }],
  ['code=404, example=broken', 400, { message: expect.stringMatching(/example broken .*required/) }],
  ['code=many', 400, { message: 'header/Prefer: code must be a whole number from 100 to 599, not many' }],
  ['dynamic=1', 400, { message: 'header/Prefer: dynamic must be true or false, not 1' }],
  ['delay=60000', 400, { message: 'header/Prefer: delay must be a whole number from 0 to 10000, not 60000' }],
])('Prefer: %s answers %d', async (field, status, body) => {
  const response = await prefer(field);
  expect(response.status).toBe(status);
  expect(response.body).toMatchObject(body);
  expect(response.headers.get('x-mock')).toBe('true');
});

test('waits as long as is preferred', async () => {
  const began = performance.now();
  expect((await prefer('delay=150')).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThanOrEqual(140);
});

test('is the pipeline of a service: requests are validated, credentials needed, requests counted, retries recognized', async () => {
  expect((await call(`${app.url}/things/7`)).status).toBe(401);
  expect((await call(`${app.url}/things/7`)).headers.get('x-mock')).toBe('true');
  // Any token has the scopes.
  expect((await send('/admin')).status).toBe(204);
  expect((await send('/things/zero')).status).toBe(400);
  expect((await send('/things', 'POST', { name: 3 })).status).toBe(400);
  expect((await send('/none')).headers.get('x-mock')).toBe('true');
  // The most generous plan, as it is not known whose plan it would be.
  expect((await send('/things/7')).headers.get('x-ratelimit-limit')).toBe('500');
  const once = (name: string) => send('/things', 'POST', { name }, { 'Idempotency-Key': 'a' });
  expect((await once('Lamp')).status).toBe(201);
  expect((await once('Lamp')).headers.get('idempotent-replayed')).toBe('true');
  expect((await once('Chair')).status).toBe(400);
});

test('any page may call it, choose and read what a mock says', async () => {
  const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'prefer' };
  const preflight = await call(`${app.url}/things/7`, 'OPTIONS', undefined, headers);
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/\bPrefer\b/);
  const response = await send('/things/7', 'GET', undefined, { Origin: 'http://localhost:5173' });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toMatch(/\bX-Mock\b/);
});

test('answers with bytes, in ranges too, and with events', async () => {
  const photo = await fetch(`${app.url}/photo`);
  expect(photo.headers.get('content-type')).toBe('image/png');
  expect(
    Buffer.from(await photo.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  const part = await fetch(`${app.url}/photo`, { headers: { Range: 'bytes=1-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  const events = (await call(`${app.url}/events`)).text.match(/^data:.*$/gm) ?? [];
  expect(new Set(events).size).toBe(3);
});

test('validates uploads as they arrive', async () => {
  const upload = (text: string) => {
    const form = new FormData();
    form.set('title', 'A file');
    form.set('file', new Blob([text]), 'a.bin');
    return fetch(`${app.url}/uploads`, { method: 'POST', body: form });
  };
  expect((await upload('12345')).status).toBe(204);
  expect((await upload('123456')).status).toBe(413);
});

test('generates a value in the place of an example that is not of its format', async () => {
  const value = (format: string, type: string, example: string) =>
    `{ type: object, required: [value], properties: { value: { type: ${type}, format: ${format}, example: ${example} } } }`;
  const operation = (id: string, schema: string, example = '') =>
    `  /${id}: { get: { operationId: ${id}, responses: { '200': { description: ok, content: { application/json: { schema: ${schema}${example} } } } } } }\n`;
  const shop = await serveMock(`openapi: 3.0.3
info: { title: Formats, version: '1' }
paths:
${operation('moment', value('date-time', 'string', "'2018-01-16T08:20:27.895+0000'"))}${operation('number', value('int32', 'integer', '99999999999'))}${operation('whole', value('date-time', 'string', "'2018-01-16T08:20:27Z'"), ', example: { value: 2018-01-16 08:20 }')}${operation('short', '{ type: object, required: [a, b, c], properties: { a: { type: string, format: email, maxLength: 12 }, b: { type: string, format: email, maxLength: 6 }, c: { type: string, format: email, minLength: 30, maxLength: 31 } } }')}`);
  try {
    expect((await call(`${shop.url}/moment`)).body).toEqual({ value: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/) });
    const { value: number } = (await call(`${shop.url}/number`)).body as { value: number };
    expect(number | 0).toBe(number);
    expect((await call(`${shop.url}/whole`)).body).toEqual({ value: '2018-01-16T08:20:27Z' });
    const { a, b, c } = (await call(`${shop.url}/short`)).body as Record<string, string>;
    expect([a, b, c]).toEqual([expect.stringMatching(/^user\d*@a\.co$/), 'u@a.co', expect.stringMatching(/^user\d+x*@example\.com$/)]);
    expect(c?.length).toBe(30);
  } finally {
    await shop.close();
  }
});

test('sends events where a response of text/event-stream has a schema', async () => {
  const media = (schema: string) => `{ '200': { description: ok, content: { text/event-stream: { schema: ${schema} } } } }`;
  const shop = await serveMock(`openapi: 3.1.0
info: { title: Events, version: '1' }
paths:
  /fields: { get: { operationId: fields, responses: ${media('{ type: object, required: [event, data], properties: { event: { const: made }, data: { type: string }, other: { type: string } } }')} } }
  /values: { get: { operationId: values, responses: ${media('{ type: object, required: [n], properties: { n: { const: 1 } } }')} } }
`);
  try {
    const fields = await call(`${shop.url}/fields`);
    expect(fields.headers.get('content-type')).toBe('text/event-stream');
    expect(fields.text).toMatch(/^(event: made\ndata: [^\n]+\n\n){3}$/);
    expect((await call(`${shop.url}/values`)).text).toBe('data: {"n":1}\n\n'.repeat(3));
  } finally {
    await shop.close();
  }
});
