/** Several contracts in one server: each below its base, with its own handlers, errors and plans, and one limiter and admission. */
import { request as httpRequest } from 'node:http';
import { expect, test } from '@jest/globals';
import { bearer, createRequestHandler, createServer, HandlerResponse } from '@specwright/server';
import { createTestLog, listenOnFreePort, withApp, type LogLine } from 'specwright/testing';
import { loadContractOf } from '../support/serve.ts';

const contractOf = (version: string, plan: number) => `x-version: ${version}
x-rate-limit-plans:
  plans: { Free: { minute: ${plan}, day: 100 } }
  address: { minute: 60, day: 1000 }
paths:
  /things/{id}:
    get:
      operationId: getThing
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, headers: { Location: { schema: { type: string } } }, content: { application/json: { schema: { type: object, properties: { version: { type: string } } } } } }
        default: { description: error, content: { application/json: { schema: { type: object, properties: { code: { type: string }, message: { type: string }, status: { type: integer } } } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

const log: LogLine[] = [];
async function options() {
  const [v1, v2] = await Promise.all([loadContractOf(contractOf('1.0.0', 3)), loadContractOf(contractOf('2.0.0', 5))]);
  const service = (base: string, contract: unknown, version: string) => ({
    base,
    contract,
    handlers: { getThing: () => HandlerResponse.reply(200, { headers: { Location: '/things/1' }, body: { version } }) },
    security: { key: bearer(async (token: string) => token) },
  });
  return {
    services: [service('/v1', v1, '1'), service('/v2', v2, '2')],
    rateLimit: {
      subject: (caller: string, { plans }: { plans: Record<string, object> }) => ({ bucket: caller, quota: plans['Free'], key: undefined }),
    },
    metrics: { maxAgeMs: 0 },
    log: createTestLog(log),
  } as never;
}
const app = withApp(async () => listenOnFreePort(createServer(await options())));
const get = (path: string, caller = path.replaceAll('/', '')) =>
  fetch(app.url + path, { headers: { Authorization: `Bearer ${caller}`, Accept: 'application/json' } });

test('serves each contract below its base, and puts the base before its paths', async () => {
  const [one, two] = await Promise.all([get('/v1/things/1', 'bob'), get('/v2/things/1', 'bob')]);
  expect([await one.json(), await two.json()]).toEqual([{ version: '1' }, { version: '2' }]);
  expect([one.headers.get('location'), two.headers.get('location')]).toEqual(['/v1/things/1', '/v2/things/1']);
  expect((await get('/v2/things/x', 'bob')).status).toBe(400);
});

test('publishes each contract at its base, with this server, and lists them at the root', async () => {
  for (const [base, version] of [
    ['/v1', '1.0.0'],
    ['/v2', '2.0.0'],
  ] as const) {
    expect(await (await get(`${base}/openapi.json`)).json()).toMatchObject({ servers: [{ url: base }], 'x-version': version });
    expect(await (await get(`${base}/openapi.yaml`)).text()).toMatch(`url: ${base}`);
  }
  expect(await (await get('/')).json()).toMatchObject({
    services: [
      { title: 'Test', version: '1', contract: '/v1/openapi.yaml' },
      { title: 'Test', version: '1', contract: '/v2/openapi.yaml' },
    ],
    liveness: '/livez',
  });
});

test('counts the requests of a caller together, against the plan of each contract', async () => {
  const statuses: number[] = [];
  for (const path of ['/v1/things/1', '/v2/things/1', '/v1/things/1', '/v1/things/1', '/v2/things/1', '/v2/things/1'])
    statuses.push((await get(path, 'eve')).status);
  // v1 admits 3 a minute and v2 5, and both count in one bucket.
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200]);
});

test.each(['/', '/v1', '/v3/things/1', '/v1things/1', '/things/1'])('answers 404 or the index for %s', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(path === '/' ? 200 : 404);
  if (path !== '/')
    expect(await response.json()).toMatchObject({ code: 'not_found', message: `there is no ${path === '/v1' ? '/v1/' : path}` });
});

test('names each operation with its base in metrics and in the log', async () => {
  const metrics = await (await get('/metrics')).text();
  for (const base of ['/v1', '/v2']) expect(metrics).toContain(`http_route="${base}/things/{id}"`);
  expect(log).toContainEqual(expect.objectContaining({ operation: 'getThing', path: '/v2/things/{id}', status: 200 }));
});

test('serves one contract at two bases, with different handlers, and tells them apart', async () => {
  const given = (await options()) as { services: readonly [{ readonly base: string }]; log: object };
  const [service] = given.services;
  const other = { ...service, base: '/admin', handlers: { getThing: () => HandlerResponse.reply(200, { body: { version: 'admin' } }) } };
  const server = await listenOnFreePort(createServer({ ...given, services: [service, other] } as never));
  try {
    const headers = { Authorization: 'Bearer zoe' };
    const bodies = await Promise.all(
      ['/v1', '/admin'].map(async (base) => (await fetch(`${server.url}${base}/things/1`, { headers })).json()),
    );
    expect(bodies).toEqual([{ version: '1' }, { version: 'admin' }]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const base of ['/v1', '/admin']) expect(metrics).toContain(`http_route="${base}/things/{id}"`);
    expect(log).toContainEqual(expect.objectContaining({ operation: 'getThing', path: '/admin/things/{id}' }));
  } finally {
    await server.close();
  }
});

test('answers what is no HTTP request in the form of the first contract', async () => {
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    httpRequest({ hostname, port, method: 'GET', path: '/v1/things/1', headers: { 'X-Large': 'x'.repeat(20_000) } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(431);
});

test('refuses bases that are no paths or are given twice, and no services', async () => {
  const { services, ...rest } = (await options()) as { services: readonly object[] };
  const create =
    (...given: readonly object[]) =>
    () =>
      createRequestHandler({ ...rest, services: given } as never);
  expect(create()).toThrow('a server needs a contract: give createServer at least one of `services`');
  expect(create({ ...services[0], base: '/v1/' })).toThrow('the base "/v1/" is not a path: write it as "/v1", without a slash at the end');
  expect(create(...services, { ...services[0] })).toThrow('two services have the base "/v1": give each its own');
});
