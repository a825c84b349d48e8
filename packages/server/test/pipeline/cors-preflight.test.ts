/** Preflights of CORS: answered from the operations of a path, to configured origins, and counted against no limit. */
import { createServer as createHttpServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { createRequestHandler, createServer } from '@specwright/server';
import { createTestLog, listenOnFreePort, withApp } from 'specwright/testing';
import { APP, corsOf, LOCAL, NOTES, notes, send, type Answer } from '../support/cors.ts';
import { loadContractOf, serve } from '../support/serve.ts';

const cors = { origins: [APP, LOCAL] };
const calls: string[] = [];
const note = (name: string) => () => void calls.push(name);
const app = withApp(() =>
  serve(NOTES, {
    ...notes,
    cors,
    use: [(_req: unknown, _res: unknown, next: () => void) => (calls.push('use'), next())],
    routes: (express: { use: (handler: unknown) => void }) =>
      express.use((_req: unknown, _res: unknown, next: () => void) => (calls.push('routes'), next())),
    steps: { before: [note('before')], after: [note('after')] },
  }),
);

const preflight = (path: string, method: string, { origin = APP, url = app.url, more = {} } = {}): Promise<Answer> =>
  send(url + path, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': method, ...more } });

const allowed = (headers: string, methods: string) => ({
  'access-control-allow-origin': APP,
  'access-control-allow-methods': methods,
  'access-control-allow-headers': headers,
  'access-control-max-age': '7200',
});
const READ_ALWAYS = 'X-Request-Id, traceparent, tracestate';
const CREDENTIALS = 'Authorization, X-Api-Key';

test.each([
  ['a read without security', '/notes', 'GET', `If-None-Match, ${READ_ALWAYS}`, 'GET, POST, HEAD, OPTIONS'],
  ['HEAD, which is GET', '/notes', 'HEAD', `If-None-Match, ${READ_ALWAYS}`, 'GET, POST, HEAD, OPTIONS'],
  [
    'a write with a body, a key and credentials',
    '/notes',
    'POST',
    `${CREDENTIALS}, Content-Type, Idempotency-Key, ${READ_ALWAYS}`,
    'GET, POST, HEAD, OPTIONS',
  ],
  [
    'a method that the path lacks, whose 405 a page may read',
    '/notes',
    'PUT',
    `${CREDENTIALS}, ${READ_ALWAYS}`,
    'GET, POST, HEAD, OPTIONS',
  ],
  ['a path with an operation for OPTIONS', '/notes/1', 'GET', READ_ALWAYS, 'GET, OPTIONS, HEAD'],
  ['an operation for OPTIONS', '/notes/1', 'OPTIONS', `Authorization, ${READ_ALWAYS}`, 'GET, OPTIONS, HEAD'],
  ['the contract', '/openapi.json', 'GET', `${CREDENTIALS}, ${READ_ALWAYS}`, 'GET, HEAD, OPTIONS'],
])('answers %s', async (_what, path, method, headers, methods) => {
  const response = await preflight(path, method, { more: { 'Access-Control-Request-Headers': 'authorization,x-secret' } });
  expect([response.status, corsOf(response)]).toEqual([204, allowed(headers, methods)]);
  expect([response.headers['vary'], response.headers['allow']]).toEqual(['Origin, Access-Control-Request-Method', methods]);
});

test('is asked for neither credentials nor middleware nor routes nor steps of the service; what comes after the response runs', async () => {
  calls.length = 0;
  expect((await preflight('/notes', 'POST')).status).toBe(204);
  expect(calls).toEqual(['after']);
});

test('is not counted against the limits, and tells them', async () => {
  const remaining = async () => Number((await preflight('/notes', 'POST')).headers['x-ratelimit-remaining']);
  const before = await remaining();
  for (let i = 0; i < 3; i++) expect(await remaining()).toBe(before);
});

test.each([
  ['an origin that is not configured', { Origin: 'https://evil.example.com', 'Access-Control-Request-Method': 'POST' }],
  ['null', { Origin: 'null', 'Access-Control-Request-Method': 'POST' }],
  ['no origin', { 'Access-Control-Request-Method': 'POST' }],
])('%s gets OPTIONS as without CORS: counted, with Allow alone', async (_what, headers) => {
  const options = () => send(`${app.url}/notes`, { method: 'OPTIONS', headers: headers });
  const [first, second] = [await options(), await options()];
  expect([first.status, corsOf(first), first.headers['allow'], first.headers['vary']]).toEqual([
    204,
    {},
    'GET, POST, HEAD, OPTIONS',
    'Origin',
  ]);
  expect(Number(second.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
});

test('an operation for OPTIONS is called for what is no preflight', async () => {
  const response = await send(`${app.url}/notes/1`, { method: 'OPTIONS', headers: { Origin: APP, Authorization: 'Bearer valid' } });
  expect([response.status, response.headers['allow'], response.headers['access-control-allow-origin']]).toEqual([204, undefined, APP]);
});

test('a path that is not served is 404', async () => {
  expect((await preflight('/nothing', 'GET')).status).toBe(404);
});

test('refuses a request that is none of HTTP, as any other', async () => {
  const response = await preflight('/notes', 'GET', { more: { Expect: 'much' } });
  expect([response.status, response.headers['access-control-allow-origin']]).toEqual([417, APP]);
});

test('every origin gets the same; maxAge is given', async () => {
  const { url, close } = await serve(NOTES, { ...notes, cors: { origins: ['*'], maxAge: 0 } });
  const response = await preflight('/notes', 'GET', { url, origin: 'null' });
  await close();
  expect(corsOf(response)).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '0' });
  expect(response.headers['vary']).toBe('Access-Control-Request-Method');
});

test('allows cookies where they are credentials', async () => {
  const { url, close } = await serve(NOTES, { ...notes, cors: { ...cors, credentials: true } });
  expect(corsOf(await preflight('/notes', 'POST', { url }))).toMatchObject({ 'access-control-allow-credentials': 'true' });
  await close();
});

test('speaks for the requested method: where the next handler has it, it is asked', async () => {
  const contract = await loadContractOf(NOTES);
  const api = createRequestHandler({ ...notes, contract, cors, unmatched: 'next', log: createTestLog() } as never);
  const server = createHttpServer((req, res) => api(req, res, () => void res.writeHead(202).end()));
  const { url, close } = await listenOnFreePort(server);
  const statuses = [];
  for (const [path, method] of [
    ['/notes', 'GET'],
    ['/notes', 'POST'],
    ['/notes', 'OPTIONS'],
    ['/notes', 'PUT'],
    ['/other', 'GET'],
  ] as const)
    statuses.push((await preflight(path, method, { url })).status);
  await close();
  await api.close();
  expect(statuses).toEqual([204, 204, 204, 202, 202]);
});

test('each of several contracts answers for its own paths', async () => {
  const other = `paths:\n  /notes: { put: { operationId: put, parameters: [{ name: X-Two, in: header, schema: { type: string } }], responses: { '204': { description: ok, headers: { X-Three: { schema: { type: string } } } } } } }\n`;
  const [one, two] = await Promise.all([loadContractOf(NOTES), loadContractOf(other)]);
  const server = createServer({
    services: [
      { ...notes, base: '/v1', contract: one },
      { base: '/v2', contract: two, handlers: { put: () => undefined }, security: {} },
    ],
    rateLimit: notes.rateLimit,
    cors,
    log: createTestLog(),
  } as never);
  const { url, close } = await listenOnFreePort(server);
  expect(corsOf(await preflight('/v1/notes', 'GET', { url }))).toEqual(
    allowed(`If-None-Match, ${READ_ALWAYS}`, 'GET, POST, HEAD, OPTIONS'),
  );
  expect(corsOf(await preflight('/v2/notes', 'PUT', { url }))).toEqual(allowed(`X-Two, ${READ_ALWAYS}`, 'PUT, OPTIONS'));
  expect(corsOf(await preflight('/', 'GET', { url }))).toEqual(allowed(READ_ALWAYS, 'GET, HEAD, OPTIONS'));
  const written = await send(`${url}/v2/notes`, { method: 'PUT', headers: { Origin: LOCAL } });
  expect(written.headers['access-control-expose-headers']).toBe('X-Three, X-Request-Id, Retry-After');
  await close();
});
