/** What is not quite HTTP gets an answer in the contract's form too, and the server goes on. */
import { STATUS_CODES } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createMemoryStore } from '@specwright/server/limits';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';
import { bodyOf, headerOf, sendRaw } from '../support/service/raw-http.ts';
import { UNLIMITED } from '../support/service/limits.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

const exchange = (text: string, enough?: RegExp) => sendRaw(app.server, text, enough);

test.each<[name: string, text: string, status: number, code: string]>([
  ['a malformed request line', 'HELLO\r\n\r\n', 400, 'invalid_request'],
  ['an unknown HTTP version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
  ['a malformed header', 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400, 'invalid_request'],
  [
    'two Content-Length fields',
    'POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'invalid_request',
  ],
  [
    'Content-Length with Transfer-Encoding',
    'POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'invalid_request',
  ],
  ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['no Host', 'GET /pets HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['two Hosts', 'GET /pets HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['the same Host twice', 'GET /pets HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['an empty Host', 'GET /pets HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a Host that is a URL', 'GET /pets HTTP/1.1\r\nHost: http://x/\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a Host with a user', 'GET /pets HTTP/1.1\r\nHost: me@x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a Host with a bad port', 'GET /pets HTTP/1.1\r\nHost: x:80x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400, 'invalid_request'],
  ['an unknown Expect', 'GET /pets HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nConnection: close\r\n\r\n', 417, 'expectation_failed'],
  ['a path that is not UTF-8', 'GET /pets/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a malformed percent-encoding', 'GET /pets/%2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a target that is no URL', 'GET http://[/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'not_found'],
])('%s', async (_name, text, status, code) => {
  const answer = await exchange(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`));
  for (const name of ['X-Request-Id', 'Date', 'X-RateLimit-Remaining', 'RateLimit']) expect(headerOf(answer, name)).toMatch(/.+/);
  expect(headerOf(answer, 'X-Content-Type-Options')).toBe('nosniff');
  expect(headerOf(answer, 'Cache-Control')).toMatch(/no-store|private/);
  expect(answer).toMatch(/\r\nContent-Type: application\/json\r\n/i);
  expect(bodyOf(answer)).toEqual({ code, message: expect.stringMatching(/.+/), status });
});

test('a Host that was refused is refused again', async () => {
  for (let i = 0; i < 2; i++)
    expect(await exchange('GET /livez HTTP/1.1\r\nHost: me@x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
});

test.each(['x', 'X.example:8080', '127.0.0.1:3000', '[::1]:3000', '[fe80::1]', 'xn--bcher-kva.example', 'a_b'])(
  'serves Host: %s',
  async (host) => {
    expect(await exchange(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 OK/);
  },
);

test('what Node cannot parse is counted by its address, told the true count, and logged with its id', async () => {
  const limited = await startApp(database.db, {
    rateLimit: { store: createMemoryStore(), plans: { ...UNLIMITED, address: { minute: 2, day: 9 } } },
  });
  const send = () => sendRaw(limited.server, 'HELLO\r\n\r\n');
  const answers = [await send(), await send(), await send()];
  expect(answers.map((answer) => headerOf(answer, 'X-RateLimit-Remaining'))).toEqual(['1', '0', '0']);
  expect(answers.map((answer) => (bodyOf(answer) as { code: string }).code)).toEqual([
    'invalid_request',
    'invalid_request',
    'rate_limited',
  ]);
  expect(headerOf(answers[2] as string, 'Retry-After')).toMatch(/^\d+$/);
  const lines = limited.log.filter(({ message }) => message === 'answered what is not a request');
  expect(lines.map(({ requestId, status }) => [requestId, status])).toEqual(
    answers.map((answer, i) => [headerOf(answer, 'X-Request-Id'), i === 2 ? 429 : 400]),
  );
  await limited.close();
});

test('an unknown Expect has a log line and is counted as any request', async () => {
  const limited = await startApp(database.db, {
    rateLimit: { store: createMemoryStore(), plans: { ...UNLIMITED, address: { minute: 9, day: 9 } } },
  });
  const answer = await sendRaw(limited.server, 'GET /pets HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n');
  expect([headerOf(answer, 'X-RateLimit-Remaining'), answer.slice(0, 31)]).toEqual(['8', 'HTTP/1.1 417 Expectation Failed']);
  expect(limited.log).toContainEqual(expect.objectContaining({ requestId: headerOf(answer, 'X-Request-Id'), status: 417 }));
  await limited.close();
});

test('serves a request target in absolute form (RFC 9112, section 3.2.2)', async () => {
  const answer = await exchange(
    `GET http://example.com/pets?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

test('answers two pipelined requests in order', async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n\r\n`;
  const answer = await exchange(one('/pets') + one('/nowhere'), /not_found/);
  expect(answer).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1.1 404 /);
});

test('serves other requests after a connection closed in the middle of a body', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST /categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"`,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
});
