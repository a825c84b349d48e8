/** CORS: what pages of configured origins may read, on every response; others get nothing; what cannot be meant does not boot. */
import { createServer as createHttpServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { createRequestHandler, createServer, serverOptions, type CorsOptions } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { createTestLog, listenOnFreePort, withApp } from 'specwright/testing';
import { APP, corsOf, LOCAL, NOTES, notes, send } from '../support/cors.ts';
import { loadContractOf, serve } from '../support/serve.ts';

const OF_PIPELINE = 'X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy';

const serveNotes = (cors: CorsOptions | undefined, more: object = {}) => serve(NOTES, { ...notes, docs: true, cors, ...more });
const app = withApp(() => serveNotes({ origins: [APP, LOCAL] }));

test('a configured origin may read the declared headers of all statuses, and those that the pipeline writes', async () => {
  const list = await send(`${app.url}/notes`, { headers: { Origin: APP } });
  expect([list.status, corsOf(list), list.headers['vary']]).toEqual([
    200,
    {
      'access-control-allow-origin': APP,
      'access-control-expose-headers': `Link, Vary, etag, Deprecation, Sunset, ${OF_PIPELINE}`,
    },
    'Origin, Accept-Language',
  ]);
  const create = await send(`${app.url}/notes`, { method: 'POST', headers: { Origin: LOCAL } });
  expect([create.status, corsOf(create), create.headers['vary']]).toEqual([
    401,
    {
      'access-control-allow-origin': LOCAL,
      'access-control-expose-headers': `Location, X-Cost, X-Price, WWW-Authenticate, X-Stability, Idempotent-Replayed, ${OF_PIPELINE}`,
    },
    'Origin',
  ]);
});

const TOO_LARGE = `{"a":"${'x'.repeat(70_000)}"}`;
const AUTHORIZED = { Authorization: 'Bearer valid', 'Content-Type': 'application/json' };

test.each<[what: string, path: string, status: number, request?: Parameters<typeof send>[1]]>([
  ['400', '/notes/x', 400],
  ['404', '/nothing', 404],
  ['a path that cannot be decoded', '/%ff', 400],
  ['405', '/notes', 405, { method: 'DELETE' }],
  ['413', '/notes', 413, { method: 'POST', headers: AUTHORIZED, body: TOO_LARGE }],
  ['417, which is refused before everything else', '/notes', 417, { headers: { Expect: 'much' } }],
  ['501', '/notes/1', 501],
  ['OPTIONS that is no preflight', '/notes', 204, { method: 'OPTIONS' }],
  ['the contract as JSON', '/openapi.json', 200],
  ['the contract as YAML', '/openapi.yaml', 200],
  ['the documentation', '/docs', 200],
  ['a file of the documentation', '/docs/docs.css', 200],
  ['the list of what there is', '/', 200],
  ['a probe', '/livez', 200],
])('%s has the headers of CORS too', async (_what, path, status, { headers, ...request } = {}) => {
  const response = await send(app.url + path, { ...request, headers: { ...headers, Origin: APP } });
  expect([response.status, response.headers['access-control-allow-origin']]).toEqual([status, APP]);
  expect(response.headers['access-control-expose-headers']).toContain('X-Request-Id');
  expect(response.rawHeaders.filter((name) => name === 'Vary')).toHaveLength(1);
  expect(response.headers['vary']).toMatch(/^Origin(, |$)/);
});

test.each([
  ['https://evil.example.com'],
  ['null'],
  [`${APP}.evil.example`],
  ['https://APP.example.com'],
  [`${APP}:443`],
  [`${APP}, ${LOCAL}`],
])('origin %s is not configured, so nothing is said, but that another one may get another answer', async (origin) => {
  const response = await send(`${app.url}/notes`, { headers: { Origin: origin } });
  expect([response.status, corsOf(response), response.headers['vary']]).toEqual([200, {}, 'Origin, Accept-Language']);
});

test('a request without Origin gets Vary alone, so that a cache gives its response to no page', async () => {
  const response = await send(`${app.url}/livez`, {});
  expect([response.status, corsOf(response), response.headers['vary']]).toEqual([200, {}, 'Origin']);
});

test('without the option there is nothing of CORS', async () => {
  for (const cors of [undefined, { origins: [] }]) {
    const { url, close } = await serveNotes(cors);
    const response = await send(`${url}/livez`, { headers: { Origin: APP } });
    await close();
    expect([response.status, corsOf(response), response.headers['vary']]).toEqual([200, {}, undefined]);
  }
});

test('every origin gets the same, and so does a request without one: nothing depends on it', async () => {
  const { url, close } = await serveNotes({ origins: ['*'] });
  for (const headers of [{ Origin: APP }, { Origin: 'null' }, {}] as Record<string, string>[]) {
    const response = await send(`${url}/nothing`, { headers });
    const exposed = `Allow, ETag, ${OF_PIPELINE}`;
    expect(corsOf(response)).toEqual({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed });
    expect(response.headers['vary']).toBeUndefined();
  }
  await close();
});

test('with credentials browsers are told that they may send cookies; without limits no limit is exposed', async () => {
  const { url, close } = await serve('paths: {}\n', { cors: { origins: [APP], credentials: true } });
  const response = await send(`${url}/nothing`, { headers: { Origin: APP } });
  await close();
  expect(corsOf(response)).toEqual({
    'access-control-allow-origin': APP,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Allow, ETag, X-Request-Id, Retry-After',
  });
});

test('429 and 503 can be read', async () => {
  const quota = { minute: 1, day: 1000 };
  const limited = await serveNotes({ origins: [APP] }, { rateLimit: { ...notes.rateLimit, plans: { plans: {}, address: quota } } });
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i < 2; i++) {
    const response = await send(`${limited.url}/notes`, { headers: { Origin: APP } });
    statuses.push(response.status);
    expect(response.headers['access-control-allow-origin']).toBe(APP);
  }
  await limited.close();
  expect(statuses).toEqual([200, 429]);
  const notReady = await serveNotes({ origins: [APP] }, { readiness: { reason: () => 'not yet', check: async () => 'not yet' } });
  for (const path of ['/notes', '/readyz']) {
    const response = await send(notReady.url + path, { headers: { Origin: APP } });
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([503, APP]);
  }
  await notReady.close();
});

test('what an application has said before is added to, and its error handler gets the headers too', async () => {
  const contract = await loadContractOf(NOTES);
  const api = createRequestHandler({ ...notes, contract, errors: 'next', cors: { origins: [APP] }, log: createTestLog() } as never);
  const outer = express()
    .use((_req, res, next) => (res.vary('Accept-Encoding'), next()))
    .use('/v1', api)
    .use(((error, _req, res, next) => (res.headersSent ? next(error) : res.status(418).end())) as express.ErrorRequestHandler);
  const { url, close } = await listenOnFreePort(createHttpServer(outer));
  for (const [path, status] of [
    ['/v1/notes', 200],
    ['/v1/notes/x', 418],
  ] as const) {
    const response = await send(url + path, { headers: { Origin: APP } });
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([status, APP]);
    expect(response.headers['vary']).toMatch(/^Accept-Encoding, Origin/);
  }
  await close();
  await api.close();
});

describe('what cannot be meant does not boot', () => {
  const contract = loadContractOf('paths: {}\n');
  const boot = async (cors: CorsOptions) =>
    createServer({ contract: await contract, handlers: {}, security: {}, cors, log: createTestLog() });

  test.each<[cors: CorsOptions, message: string]>([
    [{ origins: ['null'] }, 'cors.origins: "null" is sent by files and sandboxed pages of anyone: name an origin'],
    [{ origins: [`${APP}/`] }, `cors.origins: "${APP}/" is not written as browsers send it: write "${APP}"`],
    [{ origins: [`${APP}/app`] }, `cors.origins: "${APP}/app" is not written as browsers send it: write "${APP}"`],
    [{ origins: [`${APP}:443`] }, `cors.origins: "${APP}:443" is not written as browsers send it: write "${APP}"`],
    [
      { origins: [APP, 'http://App.example.com'] },
      'cors.origins: "http://App.example.com" is not written as browsers send it: write "http://app.example.com"',
    ],
    [
      { origins: ['https://user@app.example.com'] },
      `cors.origins: "https://user@app.example.com" is not written as browsers send it: write "${APP}"`,
    ],
    [
      { origins: ['https://bücher.example'] },
      'cors.origins: "https://bücher.example" is not written as browsers send it: write "https://xn--bcher-kva.example"',
    ],
    [{ origins: ['https://*.example.com'] }, 'cors.origins: "https://*.example.com" has a wildcard: name each origin'],
    [{ origins: ['ftp://app.example.com'] }, 'cors.origins: "ftp://app.example.com" is no origin: write "https://app.example.com"'],
    [{ origins: ['app.example.com'] }, 'cors.origins: "app.example.com" is no origin: write "https://app.example.com"'],
    [{ origins: ['localhost:5173'] }, 'cors.origins: "localhost:5173" is no origin: write "https://app.example.com"'],
    [{ origins: ['*', APP] }, 'cors.origins: "*" admits every origin: remove it, or the others'],
    [
      { origins: ['*'], credentials: true },
      'cors.credentials: browsers send no cookies where origins are "*": name the origins, or leave credentials out',
    ],
    [{ origins: [APP], maxAge: -1 }, 'cors.maxAge: -1 is no time: give a whole number of seconds from 0 on'],
    [{ origins: [APP], maxAge: 0.5 }, 'cors.maxAge: 0.5 is no time: give a whole number of seconds from 0 on'],
  ])('%j', async (cors, message) => {
    await expect(boot(cors)).rejects.toThrow(new Error(message));
  });

  test.each(['http://127.0.0.1:8080', 'http://[::1]:3000', 'https://app.example.com:8443'])('%s is an origin', async (origin) => {
    await expect(boot({ origins: [origin] })).resolves.toBeDefined();
  });
});

test('CORS_ORIGINS names the origins, and is refused with the other variables', () => {
  const corsFrom = (environment: NodeJS.ProcessEnv) => serverOptions(readEnvironment(SERVER_VARIABLES, environment)).cors;
  expect([corsFrom({}), corsFrom({ CORS_ORIGINS: '' })]).toEqual([undefined, undefined]);
  expect(corsFrom({ CORS_ORIGINS: `${APP}, ${LOCAL}` })).toEqual({ origins: [APP, LOCAL] });
  expect(corsFrom({ CORS_ORIGINS: '*' })).toEqual({ origins: ['*'] });
  expect(() => corsFrom({ CORS_ORIGINS: `${APP}/,null`, PORT: 'x' })).toThrow(
    `CORS_ORIGINS must be origins, comma-separated ("${APP}/" is not written as browsers send it: write "${APP}"; "null" is sent by files and sandboxed pages of anyone: name an origin), not "${APP}/,null"`,
  );
});
