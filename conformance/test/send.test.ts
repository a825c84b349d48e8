/** Responses are read as they come, and what is no response is said. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { send } from '../src/send.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Sends a request to a server that answers these chunks, and ends the connection unless it is to stay open. */
async function answer(chunks: readonly string[], request = 'GET / HTTP/1.1\r\n\r\n', staysOpen = false) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', async () => {
      for (const chunk of chunks) {
        socket.write(chunk);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (!staysOpen) socket.end();
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return send('127.0.0.1', (server.address() as AddressInfo).port, request, 500);
}

test('a body by its length, though the connection stays open', async () => {
  const { status, headers, body } = await answer(
    ['HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: 1\r\n', 'a: 2\r\n\r\nab', 'cd'],
    undefined,
    true,
  );
  expect([status, headers['a'], body.toString()]).toEqual([200, '1, 2', 'abcd']);
});

test('a body in chunks', async () => {
  const { body } = await answer(
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'a\r\n0123456789\r\n0\r\n\r\n'],
    undefined,
    true,
  );
  expect(body.toString()).toBe('abc0123456789');
});

test('a body that ends with the connection, after an interim response', async () => {
  const { status, body } = await answer(['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\nab']);
  expect([status, body.toString()]).toEqual([201, 'ab']);
});

test('no body for HEAD', async () => {
  expect((await answer(['HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'], 'HEAD / HTTP/1.1\r\n\r\n', true)).body.length).toBe(0);
});

test.each([
  ['the connection closed without a response', [], false],
  ['the response is not complete', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'], false],
  ['no response within 500 ms', ['HTTP/1.1 200 OK\r\n'], true],
  ['not a response: SMTP', ['SMTP\r\n\r\n'], false],
])('%s', async (message, chunks, staysOpen) => {
  await expect(answer(chunks, undefined, staysOpen)).rejects.toThrow(message);
});
