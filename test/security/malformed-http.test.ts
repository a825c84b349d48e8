/** What is not quite HTTP gets an answer in the contract's form too, and the server goes on. */
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from '@specwright/testing';
import { newAccount, startApp } from '../support/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

/** Sends bytes and reads until the server closes, or until what came satisfies `enough`. */
function exchange(text: string, enough: RegExp = /$^/): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
      if (enough.test(received)) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.write(text);
  });
}

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
  ['an unknown Expect', 'GET /pets HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n', 417, 'expectation_failed'],
  ['a path that is not UTF-8', 'GET /pets/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['a malformed percent-encoding', 'GET /pets/%2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['OPTIONS for the whole server', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'not_found'],
])('%s', async (_name, text, status, code) => {
  const answer = await exchange(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\nContent-Type: application\/json\r\n/i);
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as object;
  expect(body).toEqual({ code, message: expect.stringMatching(/.+/), status });
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
