/** Responses that are written as one text are, byte for byte, what Node would write; and no header reaches one that is not valid. */
import type { ServerResponse } from 'node:http';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { listenOnFreePort, type ListeningServer, withApp } from 'specwright/testing';
import { isSameAsNode } from '../../src/pipeline/same-as-node.ts';
import { canWriteText, writesAsNode, writeText } from '../../src/pipeline/send-response.ts';
import { serve } from '../support/serve.ts';

/** Sends text, half-closes, and reads to the end. */
const exchange = ({ server }: ListeningServer, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.end(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('end', () => resolve(received.replaceAll(/Date: .*/g, 'Date: now'))).on('error', reject);
  });

const TEXTS = { ascii: '{"name":"Rex"}', empty: '""', utf8: '{"name":"Zoë 🐕"}' };
let canWrite: boolean[] = [];

function answer(request: IncomingMessage, response: ServerResponse, asText: boolean): void {
  const text = TEXTS[(request.url ?? '').slice(1) as keyof typeof TEXTS];
  canWrite.push(canWriteText(request, response, 200));
  if (asText) return writeText(response, 200, '\r\nX-A: 1\r\nX-B: 2', text);
  response.writeHead(200, ['X-A', '1', 'X-B', '2', 'Content-Length', String(Buffer.byteLength(text))]).end(text);
}

const asText = await listenOnFreePort(createServer((request, response) => setImmediate(() => answer(request, response, true))));
const asUsual = await listenOnFreePort(createServer((request, response) => setImmediate(() => answer(request, response, false))));
afterAll(() => Promise.all([asText.close(), asUsual.close()]));

const get = (name: string, version = '1.1', header = 'Accept: */*') => `GET /${name} HTTP/${version}\r\nHost: x\r\n${header}\r\n\r\n`;

test.each([
  ['ASCII', get('ascii')],
  ['an empty text', get('empty')],
  ['text beyond Latin-1', get('utf8')],
  ['a connection that is closed', get('ascii', '1.1', 'Connection: close')],
  ['HTTP/1.0', get('ascii', '1.0')],
  ['HTTP/1.0 with keep-alive', get('ascii', '1.0', 'Connection: keep-alive')],
  ['requests in one packet', get('ascii') + get('utf8') + get('ascii')],
])('writes what writeHead and end write: %s', async (_, text) => {
  const written = await exchange(asText, text);
  expect(written).toContain('\r\nX-B: ');
  expect(written).toBe(await exchange(asUsual, text));
});

test('a Node that writes responses in another way is noticed at the start', () => {
  expect(writesAsNode()).toBe(true);
  expect(isSameAsNode(writeText)).toBe(true);
  expect(isSameAsNode((response, status, fields, text) => writeText(response, status, `${fields}\r\nX-C: 3`, text))).toBe(false);
  const lacksInternals: typeof writeText = (response, ...rest) => writeText(Object.assign(response, { _storeHeader: undefined }), ...rest);
  expect(isSameAsNode(lacksInternals)).toBe(false);
});

test.each([
  ['the body of a GET may be written', get('ascii'), true],
  ['a HEAD has no body', get('ascii').replace('GET', 'HEAD'), false],
  ['a body that was not read', 'POST /ascii HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n', false],
])('%s', async (_, text, expected) => {
  canWrite = [];
  await exchange(asUsual, text);
  expect(canWrite).toEqual([expected]);
});

test.each(['strict', 'log', 'off'] as const)(
  'a header with a line break in it is not sent, when responses are validated: %s',
  async (mode) => {
    let headers: Record<string, string> = {};
    const yaml = `paths: { /things: { get: { operationId: op, responses: {
    '200': { description: ok, headers: { X-A: { schema: { type: string } } }, content: { application/json: {} } } } } } }`;
    const app = await serve(yaml, { handlers: { op: () => HandlerResponse.reply(200, { headers, body: 1 }) }, responseValidation: mode });
    const statusWith = async (given: Record<string, string>) => {
      headers = given;
      const response = await fetch(`${app.url}/things`);
      return [response.status, response.headers.get('x-b')];
    };
    expect(await statusWith({ 'X-A': 'a' })).toEqual([200, null]);
    expect(await statusWith({ 'X-A': 'a\r\nX-B: b' })).toEqual([500, null]);
    expect(await statusWith({ 'X-A': 'a\u010aX-B: b' })).toEqual([500, null]);
    expect(await statusWith({ 'X-A: a\r\nX-B': 'b' })).toEqual([500, null]);
    expect(await statusWith({ 'X-A': 'é' })).toEqual([200, null]);
    await app.close();
  },
);

describe('a field of a handler that Node acts on', () => {
  let headers: Record<string, string> = {};
  const yaml = `paths: { /things: { get: { operationId: op, responses: { '200': { description: ok, content: { application/json: {} } } } } } }`;
  const app = withApp(() =>
    serve(yaml, {
      // Later than the end of the request is parsed: before that no head is written as a text.
      handlers: { op: () => new Promise((resolve) => setImmediate(() => resolve(HandlerResponse.reply(200, { headers, body: 1 })))) },
      responseValidation: 'off',
    }),
  );

  test.each([
    ['Connection', 'close'],
    ['Keep-Alive', 'timeout=60'],
    ['Date', 'Sat, 28 Nov 2026 12:00:00 GMT'],
    ['Content-Length', '1'],
    ['Content-Type', 'application/json'],
  ])('%s is written once', async (name, value) => {
    headers = { [name]: value };
    const received = await exchange(app, get('things'));
    const [line, ...fields] = received.slice(0, received.indexOf('\r\n\r\n')).toLowerCase().split('\r\n');
    const names = fields.map((field) => field.slice(0, field.indexOf(':')));
    expect(line).toBe('http/1.1 200 ok');
    expect(names).toContain(name.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
  });

  test('Transfer-Encoding is not sent beside Content-Length', async () => {
    headers = { 'Transfer-Encoding': 'chunked' };
    const received = await exchange(app, get('things'));
    expect(received).toMatch(/\r\nContent-Length: 1\r\n/i);
    expect(received).not.toMatch(/transfer-encoding/i);
    expect(received).toMatch(/\r\n\r\n1$/);
  });
});
