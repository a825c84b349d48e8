/** The pipeline is composed after `createServer` has returned: what comes before waits for it. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, jest, test } from '@jest/globals';
import { createRequestHandler, createServer } from '@specwright/server';
import { listenOnFreePort, until } from 'specwright/testing';
import { optionsOf } from './support/serve.ts';

const YAML = `paths: { /things: { get: { operationId: getThings, responses: { '200': { description: ok } } } } }`;

/** What a server answers that has just been made. */
async function ask(request: string): Promise<string> {
  const server = createServer(await optionsOf(YAML));
  const [client, serverSide] = duplexPair();
  server.emit('connection', serverSide);
  client.write(request);
  const answer = await text(client);
  server.close();
  return answer;
}

test.each([
  ['a request', 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 'HTTP/1.1 200 OK'],
  ['what is not a request', 'nothing\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
])('%s that comes before is answered', async (_, request, expected) => {
  expect(await ask(request)).toContain(expected);
});

test('a client that has left meanwhile is forgotten', async () => {
  const server = createServer({ ...(await optionsOf(YAML)), metrics: { maxAgeMs: 0 } });
  const [client, serverSide] = duplexPair();
  server.emit('connection', serverSide);
  client.write('GET /things HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  serverSide.destroy();
  const [other, otherSide] = duplexPair();
  server.emit('connection', otherSide);
  other.end('GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await text(other)).toContain('\nhttp_server_active_requests 1\n');
  server.close();
});

test('a handler whose pipeline cannot be composed fails each request as a middleware does, and the log says why', async () => {
  const options = await optionsOf(YAML);
  const log = { ...options.log, error: jest.fn() };
  const failing = Object.defineProperty({ ...options, log }, 'compression', {
    get: () => {
      throw new Error('it cannot be composed');
    },
  });
  const handler = createRequestHandler(failing);
  const app = await listenOnFreePort(createHttpServer(handler));
  expect((await fetch(`${app.url}/things`)).status).toBe(500);
  const next = jest.fn();
  handler({ url: '/things' } as never, {} as never, next);
  await until(async () => next.mock.calls.length === 1);
  expect(next).toHaveBeenCalledWith(new Error('it cannot be composed'));
  expect(log.error).toHaveBeenCalledWith({ err: new Error('it cannot be composed') }, expect.any(String));
  await app.close();
});
