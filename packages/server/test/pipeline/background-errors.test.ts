/** Errors of work that nothing waits for: they are logged, the client's connection is closed, and the process goes on. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from 'specwright/testing';
import { inBackground, isThenable } from '@specwright/contract';
import { createTestLog } from '../support/log.ts';
import { rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things: { get: { operationId: op, responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } } } }
`;

const unhandled: unknown[] = [];
const remember = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', remember);
});
afterEach(() => void process.off('unhandledRejection', remember));
const turn = () => new Promise((resolve) => setImmediate(resolve));

const errors = {
  body: (): object => {
    throw new Error('no body can be made');
  },
};

test('`errors.body` that throws at the deadline of a request closes its connection, and is logged', async () => {
  let isSlow = true;
  const op = (_input: unknown, reply: (status: number, payload: object) => unknown) =>
    isSlow ? new Promise(() => undefined) : reply(200, { body: {} });
  const app = await serve(YAML, { handlers: { op }, errors, requestTimeoutMs: 50 });
  await expect(fetch(`${app.url}/things`)).rejects.toThrow();
  await turn();
  expect(unhandled).toEqual([]);
  expect(app.log).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'the error could not be answered', err: new Error('no body can be made') }),
  );
  isSlow = false;
  expect((await fetch(`${app.url}/things`)).status).toBe(200);
  await app.close();
});

test.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
  ['CONNECT', 'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
])('`errors.body` that throws for %s closes the connection, and is logged', async (_name, bytes) => {
  const app = await serve(YAML, { errors });
  const client = await rawClient(app.url);
  client.write(bytes);
  await until(() => client.isClosed());
  await turn();
  expect([unhandled, client.received()]).toEqual([[], '']);
  expect(app.log).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'what is not a request could not be answered', err: expect.any(Error) }),
  );
  await app.close();
});

test('work in the background logs its error; without a log it is a warning of the process', async () => {
  const lines: never[] = [];
  inBackground(Promise.reject(new Error('broken')), createTestLog(lines), 'it failed');
  await turn();
  expect(lines).toEqual([{ level: 'error', message: 'it failed', err: new Error('broken') }]);
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  inBackground(Promise.reject(new Error('broken')));
  expect((await warned).message).toBe('work in the background failed: broken');
  expect(unhandled).toEqual([]);
});

test.each<[unknown, boolean]>([
  [Promise.resolve(), true],
  [{ then: () => undefined }, true],
  [Object.assign(() => undefined, { then: () => undefined }), true],
  [{ then: 1 }, false],
  [{}, false],
  [() => undefined, false],
  [null, false],
  [undefined, false],
  ['then', false],
])('%p: await waits for it: %p', (value, expected) => {
  expect(isThenable(value)).toBe(expected);
});
