/** Requests that Node's parser lets pass or gives up: versions, framing, the order of answers, and clients that end their side. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: string } } } } }
    post:
      operationId: postThing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: string } } } } }
`;
const SLOW_MS = 60;

const called: string[] = [];
const aborted: string[] = [];
beforeEach(() => {
  called.length = aborted.length = 0;
});

async function answer({ path: { id } }: { path: { id: string } }, _reply: unknown, { signal }: { signal: AbortSignal }) {
  called.push(id);
  if (id.startsWith('slow')) await sleep(SLOW_MS);
  if (id === 'endless') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (signal.aborted) aborted.push(id);
  return HandlerResponse.reply(200, { body: id });
}
const app = withApp(() => serve(YAML, { requestTimeoutMs: 10_000, handlers: { getThing: answer, postThing: answer } }));

/** Sends bytes in one packet. @returns what came until the server closed, each response as its status and body. */
async function send(text: string): Promise<(readonly [status: number, body: string])[]> {
  const client = await rawClient(app.url);
  client.write(text);
  await until(() => client.isClosed());
  return responsesOf(client.received());
}

const responsesOf = (received: string) =>
  received
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter(Boolean)
    .map((text) => [Number(text.slice(9, 12)), text.slice(text.indexOf('\r\n\r\n') + 4)] as const);

const get = (id: string, version = 'HTTP/1.1', fields = '') => `GET /things/${id} ${version}\r\nHost: x\r\n${fields}\r\n`;
const last = (id: string) => get(id, 'HTTP/1.1', 'Connection: close\r\n');
const post = (id: string, field: string) => `POST /things/${id} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${field}\r\n\r\n`;

test.each([
  ['HTTP/0.9, which has no version', 'GET /things/a\r\n\r\n', 'HTTP/0.9'],
  ['HTTP/0.9 in text', 'GET /things/a HTTP/0.9\r\n\r\n', 'HTTP/0.9'],
  ['HTTP/2.0 in text', get('a', 'HTTP/2.0', 'Connection: keep-alive\r\n') + get('b'), 'HTTP/2.0'],
  ['HTTP/2.0 in text, for no operation', 'GET /nowhere HTTP/2.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n', 'HTTP/2.0'],
])('%s is answered 505, and the connection closes', async (_name, text, version) => {
  const [[status, body] = [], ...rest] = await send(text);
  expect([status, JSON.parse(body ?? '')]).toEqual([
    505,
    { code: 'invalid_request', message: `${version} is not served here: send HTTP/1.1`, status: 505 },
  ]);
  expect([rest, called]).toEqual([[], []]);
  // The server has done nothing wrong.
  expect(app.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('OPTIONS * has the methods of the server; no other method has that target', async () => {
  const client = await rawClient(app.url);
  client.write('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\nGET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await until(() => client.isClosed());
  expect(responsesOf(client.received()).map(([status]) => status)).toEqual([204, 404]);
  expect(client.received()).toMatch(/^Allow: (?=.*\bGET\b)(?=.*\bPOST\b).*\bOPTIONS\r$/m);
});

test.each(['a#b', 'a?x=1#b', '#'])('the fragment of the target /things/%s is answered 400', async (target) => {
  const [[status, body] = []] = await send(`GET /things/${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect([status, JSON.parse(body ?? '')]).toMatchObject([400, { message: 'the target of the request must not have a fragment' }]);
  expect(called).toEqual([]);
});

const CHUNKS = '3\r\nabc\r\n0\r\n\r\n';
test.each([
  ['empty, beside Content-Length', 'HTTP/1.1', 'Transfer-Encoding:\r\nContent-Length: 3\r\n', 'abc'],
  ['blank, after Content-Length', 'HTTP/1.1', 'Content-Length: 3\r\nTransfer-Encoding: \r\n', 'abc'],
  ['empty', 'HTTP/1.1', 'Transfer-Encoding:\r\n', ''],
  ['empty and chunked', 'HTTP/1.1', 'Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n', CHUNKS],
  ['of two codings', 'HTTP/1.1', 'Transfer-Encoding: gzip, chunked\r\n', CHUNKS],
  ['not chunked', 'HTTP/1.1', 'Transfer-Encoding: gzip\r\n', 'abc'],
  ['in HTTP/1.0', 'HTTP/1.0', 'Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n', CHUNKS],
])('Transfer-Encoding that is %s is answered 400, and what follows is never served', async (_name, version, fields, body) => {
  const responses = await send(`POST /things/a ${version}\r\nHost: x\r\n${fields}\r\n${body}${get('hidden')}`);
  expect(responses.map(([status]) => status)).toEqual([400]);
  expect(called).toEqual([]);
});

test.each([
  ['chunked', 'Transfer-Encoding: Chunked', CHUNKS],
  ['Content-Length', 'Content-Length: 0', ''],
])('serves what follows a body that is framed by %s', async (_name, fields, body) => {
  const responses = await send(post('a', fields) + body + last('b'));
  expect(responses.map(([, text]) => text)).toEqual(['"a"', '"b"']);
});

test.each([
  ['garbage', '\x01\x02\r\n\r\n', 400],
  ['a head that is too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a malformed chunk', `${post('c', 'Transfer-Encoding: chunked')}not a length\r\n`, 400],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['HTTP/2.0', get('c', 'HTTP/2.0'), 505],
])('requests are answered before %s that follows them in the same packet', async (_name, text, status) => {
  const responses = await send(get('slow1') + get('slow2') + text);
  expect(responses.map(([code]) => code)).toEqual([200, 200, status]);
  expect(responses.slice(0, 2).map(([, body]) => body)).toEqual(['"slow1"', '"slow2"']);
});

test('garbage after the last request of a connection takes nothing from its answer', async () => {
  expect(await send(`${last('slow')}garbage\r\n\r\n`)).toEqual([[200, '"slow"']]);
});

test('garbage in packets that follow is answered once', async () => {
  const client = await rawClient(app.url);
  client.write(`${get('slow')}\x01`);
  for (let i = 0; i < 3; i++) {
    client.write('\x01');
    await sleep(10);
  }
  await until(() => client.isClosed());
  expect(responsesOf(client.received()).map(([status]) => status)).toEqual([200, 400]);
});

test('a client that resets the connection while CONNECT waits for the answers before it does no harm', async () => {
  const client = await rawClient(app.url);
  client.write(`${get('slow')}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(() => called.length === 1);
  client.socket.resetAndDestroy();
  await sleep(2 * SLOW_MS);
  expect(await send(last('a'))).toEqual([[200, '"a"']]);
});

test.each([
  ['one request', get('slow'), ['"slow"']],
  ['two requests', get('slow1') + get('slow2'), ['"slow1"', '"slow2"']],
])('a client that sends %s and ends its side gets the answers', async (_name, text, bodies) => {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.setEncoding('utf8').on('data', (data: string) => (received += data));
  const ended = new Promise((resolve) => socket.on('end', resolve));
  socket.end(text);
  await ended;
  socket.destroy();
  expect(responsesOf(received).map(([, body]) => body)).toEqual(bodies);
  expect(aborted).toEqual([]);
});

test('a client that goes away is noticed, though it looks as one that has ended its side: its handler is aborted', async () => {
  const client = await rawClient(app.url);
  client.write(get('endless'));
  await until(() => called.length === 1);
  client.socket.destroy();
  await until(() => aborted.length === 1);
});
