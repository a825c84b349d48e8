/**
 * The deadline of a request: 503 in time whatever the handler waits for and the contract declares, an AbortSignal and a logger for the
 * handler, and a slot for its work until that ends.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { AppError, createServer, loadContract } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import { createTestLog, listenOnFreePort, until, withApp, withFixture, type LogLine } from 'specwright/testing';
import { documentOf } from '../../../contract/test/support/contract.ts';
import { rawClient } from '../support/raw-client.ts';
import { untyped } from '../support/handler-styles.ts';

const TIMEOUT_MS = 150;

interface HandlerContext {
  readonly log: { info(fields: object, message: string): void };
  readonly signal: AbortSignal;
}
type AnyHandler = (input: { body: unknown }, reply: (status: number, payload: object) => never, context: HandlerContext) => unknown;

const YAML = `paths:
  /things:
    post:
      operationId: op
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }
`;

let handler: AnyHandler;
const lines: LogLine[] = [];
const folder = withFixture(
  async () => ({ path: await mkdtemp(join(tmpdir(), 'deadline-')) }),
  ({ path }) => rm(path, { recursive: true }),
);
const app = withApp(async () => {
  const file = join(folder.path, 'openapi.yaml');
  await writeFile(file, JSON.stringify(documentOf(YAML)));
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  const handlers = { op: (...args: Parameters<AnyHandler>) => handler(...args) };
  return listenOnFreePort(
    createServer({
      contract,
      handlers,
      security: {},
      metrics: { maxAgeMs: 0 },
      requestTimeoutMs: TIMEOUT_MS,
      log: createTestLog(lines),
    }),
  );
});

const call = () => fetch(`${app.url}/things`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });

test('a handler that never ends is answered 503 with Retry-After, and the log says why', async () => {
  let signal: AbortSignal | undefined;
  handler = (_input, _reply, context) => {
    signal = context.signal;
    return new Promise(() => undefined);
  };
  const began = performance.now();
  const response = await call();
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
  expect(await response.json()).toEqual({ code: 'service_unavailable', message: 'the request took too long', status: 503 });
  expect(performance.now() - began).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
  expect(signal?.aborted).toBe(true);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', operation: 'op', err: expect.objectContaining({ message: 'not answered within 150 ms' }) }),
  );
});

test('what a handler returns or throws after the deadline is not sent, and its error is logged', async () => {
  handler = async (_input, reply) => {
    await sleep(2 * TIMEOUT_MS);
    return reply(200, { body: {} });
  };
  expect((await call()).status).toBe(503);
  handler = async () => {
    await sleep(2 * TIMEOUT_MS);
    throw new Error('too late');
  };
  expect((await call()).status).toBe(503);
  await until(() => lines.some(({ message }) => message === 'failed after its deadline'));
  handler = (_input, reply) => reply(200, { body: {} });
  expect((await call()).status).toBe(200);
});

test('the time that a client takes to send its body does not count', async () => {
  handler = (_input, reply) => reply(200, { body: {} });
  const slow = request(`${app.url}/things`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Content-Length': 2 } });
  slow.write('{');
  await sleep(2 * TIMEOUT_MS);
  slow.end('}');
  const [response] = (await once(slow, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(200);
});

test('the signal is aborted when the client goes away; the logger has the id of the request', async () => {
  let signal: AbortSignal | undefined;
  const aborted = new Promise((resolve) => {
    handler = (_input, _reply, context) => {
      ({ signal } = context);
      context.log.info({}, 'in the handler');
      signal.addEventListener('abort', resolve);
      return new Promise(() => undefined);
    };
  });
  const client = await rawClient(app.url);
  client.write('POST /things HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n');
  await until(() => signal !== undefined);
  client.socket.resetAndDestroy();
  await aborted;
  expect((signal?.reason as Error).message).toBe('the client went away');
  expect(lines).toContainEqual(expect.objectContaining({ message: 'in the handler', requestId: 'mine' }));
});

describe('a 503 is sent though the contract declares none, and tells when to retry', () => {
  test.each<[string, AppError]>([
    ['1', new AppError('service_unavailable', 'the database does not answer')],
    ['7', new AppError('service_unavailable', 'later', { headers: { 'retry-after': '7' } })],
  ])('of a handler that throws it: %s', async (seconds, error) => {
    handler = async () => Promise.reject(error);
    const response = await call();
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, seconds]);
    expect(await response.json()).toMatchObject({ message: error.message });
  });
});

describe('work that no client waits for', () => {
  const metric = async (name: string) => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    return Number(new RegExp(`^http_server_admission_${name} (.*)$`, 'm').exec(text)?.[1]);
  };

  /** A handler, or an Express one, of work that ends when it is told to. */
  const STYLES: readonly (readonly [string, (work: (signal: AbortSignal) => Promise<void>) => AnyHandler])[] = [
    [
      'a handler',
      (work) =>
        async (_input, reply, { signal }) => {
          await work(signal);
          return reply(200, { body: {} });
        },
    ],
    [
      'an Express handler',
      (work) =>
        untyped(async (incoming, response) => {
          await work((incoming as unknown as { context: HandlerContext }).context.signal);
          response.json({});
        }) as AnyHandler,
    ],
  ];

  test.each(STYLES)('of %s keeps its slot until it ends, is told to end by its signal, and is a metric', async (_, handlerOf) => {
    await until(async () => (await metric('running')) === 0 || (await metric('expired')) === (await metric('running')));
    const before = await metric('running');
    let running = 0;
    let most = 0;
    let aborted = 0;
    const ended = new AbortController();
    const whenEnded = once(ended.signal, 'abort');
    handler = handlerOf(async (signal) => {
      signal.addEventListener('abort', () => aborted++);
      most = Math.max(most, ++running);
      await whenEnded;
      running--;
    });
    for (let round = 0; round < 3; round++) {
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await call()).status));
      expect(new Set(statuses)).toEqual(new Set([503]));
    }
    const limit = await metric('limit');
    expect([most + before, aborted]).toEqual([limit, most]);
    expect([await metric('running'), await metric('expired')]).toEqual([limit, limit]);
    ended.abort();
    await until(async () => (await metric('running')) === before);
    expect([running, await metric('expired')]).toEqual([0, before]);
    handler = (_input, reply) => reply(200, { body: {} });
    expect((await call()).status).toBe(200);
  });
});
