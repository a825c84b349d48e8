/** A body that is going to be refused is neither asked for nor read. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { createEmptyStore, UNLIMITED } from '../support/service/limits.ts';
import { bodyOf, headerOf, openConnection, sendRaw } from '../support/service/raw-http.ts';

const database = withDatabase();
let reason: string | undefined;
const app = withApp(() => startApp(database.db, { readiness: { reason: () => reason, check: async () => reason } }));
const account = withFixture(() => newAccount(database.db));

const HUGE = 20_000_000_000;
type Fields = Readonly<Record<string, string | number>>;
const head = (fields: Fields, path = '/categories', method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const authorization = () => `Bearer ${account.key}`;
const expecting = { Expect: '100-continue' };

describe('100 Continue', () => {
  test('is sent when the body is wanted, and the request is served', async () => {
    const body = JSON.stringify({ name: 'Dogs' });
    const connection = openConnection(app.server);
    connection.socket.write(head({ ...expecting, Authorization: authorization(), 'Content-Length': body.length }));
    expect(await connection.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.socket.write(body);
    expect(await connection.until(/"name"/)).toMatch(/HTTP\/1.1 201 Created/);
    connection.socket.destroy();
  });

  test.each<[status: number, fields: () => Fields, path: string, method: string]>([
    [401, () => ({ 'Content-Length': HUGE }), '/categories', 'POST'],
    [413, () => ({ 'Content-Length': HUGE, Authorization: authorization() }), '/categories', 'POST'],
    [413, () => ({ 'Content-Length': 65_537, Authorization: authorization() }), '/categories', 'POST'],
    [404, () => ({ 'Content-Length': HUGE }), '/nowhere', 'POST'],
    [405, () => ({ 'Content-Length': 5 }), '/categories', 'PATCH'],
    [400, () => ({ 'Content-Length': 5, Authorization: authorization(), 'Content-Encoding': 'lzma' }), '/categories', 'POST'],
    [400, () => ({ 'Content-Length': 5, Authorization: authorization(), Host: 'y' }), '/categories', 'POST'],
    [401, () => ({ 'Transfer-Encoding': 'chunked' }), '/categories', 'POST'],
    [200, () => ({ 'Content-Length': HUGE, Authorization: authorization() }), '/pets', 'GET'],
  ])('is not sent before %s', async (status, fields, path, method) => {
    const answer = await sendRaw(app.server, head({ ...expecting, ...fields() }, path, method));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(headerOf(answer, 'Connection')).toBe('close');
  });

  test('is not sent before 429', async () => {
    const limited = await startApp(database.db, { rateLimit: { store: createEmptyStore(), plans: UNLIMITED } });
    const answer = await sendRaw(limited.server, head({ ...expecting, Authorization: authorization(), 'Content-Length': 5 }));
    expect(answer).toMatch(/^HTTP\/1.1 429 Too Many Requests/);
    await limited.close();
  });

  test('is not sent before 503', async () => {
    reason = 'the database lacks migrations';
    expect(await sendRaw(app.server, head({ ...expecting, 'Content-Length': 5 }))).toMatch(/^HTTP\/1.1 503 /);
    reason = undefined;
  });
});

test('a client that sends its body without waiting for 100 can still read the answer: the connection is closed in two steps', async () => {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const errors: Error[] = [];
  let received = '';
  socket.on('error', (error) => errors.push(error)).on('data', (data) => (received += data.toString()));
  socket.write(head({ ...expecting, 'Content-Length': 100_000 }));
  await once(socket, 'end');
  for (let i = 0; i < 3; i++) {
    socket.write('x'.repeat(1000));
    await sleep(50);
  }
  expect([errors, received.slice(0, 12), socket.destroyed]).toEqual([[], 'HTTP/1.1 401', false]);
  socket.destroy();
});

test('a refused body of exactly 1 MiB is read, so that the connection can be used again', async () => {
  for (const [length, connection] of [
    [1024 * 1024, 'keep-alive'],
    [1024 * 1024 + 1, 'close'],
  ] as const) {
    const { socket, until } = openConnection(app.server);
    socket.write(head({ 'Content-Length': length }));
    socket.write('x'.repeat(length));
    expect(headerOf(await until(/\r\n\r\n\{.*\}/), 'Connection')).toBe(connection);
    socket.destroy();
  }
});

describe('a body that is announced as large', () => {
  /** Writes as long as the server reads. @returns how many bytes the system took, and the response. */
  async function flood(fields: Fields, path: string, method: string): Promise<{ sent: number; answer: string }> {
    const { socket, closed, received } = openConnection(app.server);
    const chunk = Buffer.alloc(65_536, 0x20);
    const framed = 'Transfer-Encoding' in fields ? Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]) : chunk;
    socket.write(head(fields, path, method));
    const write = () => {
      while (!socket.destroyed && socket.write(framed));
    };
    socket.on('drain', write).on('connect', write);
    const ended = await closed;
    return { sent: socket.bytesWritten - socket.writableLength, answer: ended || received() };
  }

  // A connection is kept for a second after its answer: all at once.
  test('is answered and not read', async () => {
    const cases: [name: string, status: number, fields: Fields, path?: string, method?: string][] = [
      ['without a key', 401, { 'Content-Length': HUGE }],
      ['by its length', 413, { 'Content-Length': HUGE, Authorization: authorization() }],
      ['without a length', 413, { 'Transfer-Encoding': 'chunked', Authorization: authorization() }],
      ['compressed', 413, { 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip', Authorization: authorization() }],
      ['for a path that does not exist', 404, { 'Content-Length': HUGE }, '/nowhere'],
      ['for an operation that reads none', 200, { 'Content-Length': HUGE, Authorization: authorization() }, '/pets', 'GET'],
    ];
    const found = await Promise.all(
      cases.map(async ([name, , fields, path = '/categories', method = 'POST']) => {
        const { sent, answer } = await flood(fields, path, method);
        // What the buffers of both sides take, of 20 GB.
        return [name, Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1]), (bodyOf(answer) as { status?: number }).status, sent < 16_000_000];
      }),
    );
    expect(found).toEqual(cases.map(([name, status]) => [name, status, status < 400 ? undefined : status, true]));
  });

  test('a refused body of some 100 kB is dropped, and the connection goes on', async () => {
    const { socket, until } = openConnection(app.server);
    socket.write(`${head({ 'Content-Length': 100_000 })}${' '.repeat(100_000)}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await until(/"ok"/)).toMatch(/^HTTP\/1.1 401 [^]*HTTP\/1.1 200 OK/);
    socket.destroy();
  });
});
