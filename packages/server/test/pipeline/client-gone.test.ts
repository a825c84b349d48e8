/** A client that ends the connection within its body is counted and logged once, as gone, and not as a request that is malformed. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bearer, HandlerResponse, type Context } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { headOf, rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const MINUTE = 1000;
const upload = (id: string, content: string, security = '[]') =>
  `  /${id}: { post: { operationId: ${id}, security: ${security}, requestBody: { content: { ${content} } }, responses: { '204': { description: ok } } } }\n`;
const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: ${MINUTE}, day: ${MINUTE} } }
  address: { minute: ${MINUTE}, day: ${MINUTE} }
paths:
${upload('json', 'application/json: { schema: { type: object } }')}${upload('stream', 'application/octet-stream: { x-stream: true }')}${upload('items', 'application/jsonl: { x-item-schema: { type: object } }')}${upload('files', 'multipart/form-data: { schema: { type: object, properties: { file: { type: string, format: binary } } } }')}${upload('mine', 'application/json: { schema: { type: object } }', '[{ key: [] }]')}  /slow: { get: { operationId: slow, security: [], responses: { '204': { description: ok } } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;
let slow: (context: Context<never, never, unknown>) => Promise<void>;
const read = async ({ body }: { body: AsyncIterable<unknown> }, reply: (status: number) => object) => {
  const parts = body[Symbol.asyncIterator]();
  while ((await parts.next()).done !== true) continue;
  return reply(204);
};
const app = withApp(() =>
  serve(YAML, {
    handlers: {
      json: () => HandlerResponse.reply(204),
      mine: () => HandlerResponse.reply(204),
      files: () => HandlerResponse.reply(204),
      stream: read,
      items: read,
      slow: async (_: unknown, reply: (status: number) => object, context: Context<never, never, unknown>) => {
        await slow(context);
        return reply(204);
      },
    },
    security: { key: bearer(async () => undefined) },
    metrics: { maxAgeMs: 0 },
    rateLimit: { subject: () => ({ bucket: 'one', quota: { minute: MINUTE, day: MINUTE }, key: undefined }) },
  }),
);

const metrics = async (): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^http_server_errors_total\{code="(\w+)"\} (\d+)$/gm)].map(([, code = '', value]): [string, number] => [
      code,
      Number(value),
    ]),
  );
};
const remaining = async () => Number((await fetch(`${app.url}/nowhere`)).headers.get('X-RateLimit-Remaining'));
const settle = async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
};
let before: { errors: Readonly<Record<string, number>>; lines: number; remaining: number };
beforeEach(async () => {
  const left = await remaining();
  await settle();
  before = { errors: await metrics(), lines: 0, remaining: left };
  await settle();
  before.lines = app.log.length;
});
const changes = async () => {
  const errors = await metrics();
  return Object.fromEntries(
    Object.entries(errors).flatMap(([code, value]) => (value === before.errors[code] ? [] : [[code, value - (before.errors[code] ?? 0)]])),
  );
};
const newLines = () => app.log.slice(before.lines).filter(({ path, level }) => path !== '/metrics' && level !== 'warn');

const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nabc';
const CASES = [
  ['json', { 'Content-Type': 'application/json', 'Content-Length': 100 }, '{"a":'],
  ['json', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }, '5\r\n{"a":\r\n'],
  ['json', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': 100 }, '{"a":'],
  ['stream', { 'Content-Length': 100 }, 'abc'],
  ['items', { 'Content-Type': 'application/jsonl', 'Content-Length': 100 }, '{}\n'],
  ['files', { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 1000 }, FORM],
] as const;

describe.each(['FIN', 'RST'])('a client that ends by %s', (by) => {
  test.each(CASES)('within the body of %s is gone, once: %j', async (path, headers, body) => {
    const client = await rawClient(app.url);
    client.write(headOf(`/${path}`, headers) + body);
    await settle();
    if (by === 'FIN') client.socket.end();
    else client.socket.resetAndDestroy();
    await until(() => client.isClosed() && newLines().length > 0);
    await settle();
    expect(client.received()).toBe('');
    expect(newLines()).toMatchObject([{ level: 'info', message: 'the client went away', operation: path }]);
    expect(await changes()).toEqual({ client_gone: 1 });
    // Itself, and the one that asks.
    expect(await remaining()).toBe(before.remaining - 2);
  });

  test('within the body of a request that was refused before has its answer', async () => {
    const client = await rawClient(app.url);
    client.write(`${headOf('/mine', { 'Content-Type': 'application/json', 'Content-Length': 100 })}{"a":`);
    expect(await client.status()).toBe(401);
    if (by === 'FIN') client.socket.end();
    else client.socket.resetAndDestroy();
    await until(() => client.isClosed());
    await settle();
    expect(newLines()).toMatchObject([{ message: 'answered', status: 401 }]);
    expect(await changes()).toEqual({ unauthorized: 1 });
    expect(await remaining()).toBe(before.remaining - 2);
  });
});

test('the requests before it on the connection are answered', async () => {
  slow = () => settle();
  const client = await rawClient(app.url);
  client.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${headOf('/stream', { 'Content-Length': 100 })}abc`);
  client.socket.end();
  await until(() => client.isClosed());
  expect(client.received()).toMatch(/^HTTP\/1\.1 204 [^]*\r\n\r\n$/);
  await until(() => newLines().length === 2);
  expect(await changes()).toEqual({ client_gone: 1 });
});

test('a handler that ends with its client is no error in the log', async () => {
  let isCalled = false;
  slow = ({ signal }) => {
    isCalled = true;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone', { cause: signal.reason }))));
  };
  const client = await rawClient(app.url);
  client.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => isCalled);
  client.socket.resetAndDestroy();
  await until(() => newLines().length > 0);
  await settle();
  expect(newLines()).toMatchObject([{ level: 'info', message: 'the client went away' }]);
  expect(await changes()).toEqual({ client_gone: 1 });
});

test('what is no request is refused as before, and a head that is cut off', async () => {
  const client = await rawClient(app.url);
  client.write('GET /slow HTTP/1.1\r\nHost: x\r\n');
  client.socket.end();
  expect(await client.status()).toBe(400);
  await until(() => client.isClosed());
  expect(newLines()).toMatchObject([{ message: 'answered what is not a request' }]);
  expect(await changes()).toEqual({ invalid_request: 1 });
});
