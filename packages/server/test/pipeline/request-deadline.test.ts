/** The deadline of a request: 503 in time whatever the handler waits for, and an AbortSignal and a logger for the handler. */
import { once } from 'node:events';
import { request } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createServer, loadContract } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/server/document';
import { createTestLog, listenOnFreePort, until, withApp, withFixture, type LogLine } from '@specwright/testing';
import { documentOf } from '../support/contract.ts';
import { rawClient } from '../support/raw-client.ts';

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
        '503': { description: not now, content: { application/json: { schema: { type: object } } } }
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
      responseValidation: 'off',
      requestTimeoutMs: TIMEOUT_MS,
      log: createTestLog(lines),
    } as never),
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
