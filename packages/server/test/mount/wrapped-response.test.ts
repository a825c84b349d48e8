/** What wraps the response in an application, before the handler: the bytes are still right, and a server that stops still ends its connections. */
import { createServer as createHttpServer } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import compression from 'compression';
import { describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import session from 'express-session';
import { close, createRequestHandler, createServer } from '@specwright/server';
import { listenOnFreePort, scaleTimeout, withApp } from 'specwright/testing';
import { parseRaw, sendRaw, type RawRequest } from '../support/raw-request.ts';
import { notesOptions } from './options.ts';

/** As morgan does: it replaces `end`, and asks for the status when the response has been sent. */
const logged: number[] = [];
const countBytes: RequestHandler = (_request, response, next) => {
  const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
  response.end = ((...args: unknown[]) => end(...args)) as typeof response.end;
  response.once('finish', () => logged.push(response.statusCode));
  next();
};
const vary: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

const WRAPPERS: Readonly<Record<string, () => RequestHandler>> = {
  compression: () => compression({ threshold: 0 }),
  'express-session': () => session({ secret: 'a', resave: false, saveUninitialized: true }),
  'a logger': () => countBytes,
  'a header': () => vary,
};

const TOKEN = 'Authorization: Bearer many';
const REQUESTS: Readonly<Record<string, RawRequest>> = {
  '200': { path: '/v1/notes/2', headers: [TOKEN] },
  '304': { path: '/v1/notes/2', headers: [TOKEN, 'If-None-Match: "v1"'] },
  HEAD: { method: 'HEAD', path: '/v1/notes/2', headers: [TOKEN] },
  '201': {
    method: 'POST',
    path: '/v1/notes',
    headers: [TOKEN, 'Content-Type: application/json', 'Content-Length: 12'],
    body: ['{"text":', '"a"}'],
  },
  '204': { method: 'DELETE', path: '/v1/notes/2', headers: [TOKEN] },
  '400': { path: '/v1/notes/0', headers: [TOKEN] },
  '401': { path: '/v1/notes/1' },
  '404': { path: '/v1/none' },
};

describe.each(Object.keys(WRAPPERS))('%s', (name) => {
  const wrap = WRAPPERS[name] as () => RequestHandler;
  const reference = withApp(async () => listenOnFreePort(createServer({ ...(await notesOptions()), base: '/v1' })));
  const before = withApp(async () => {
    const app = express().disable('x-powered-by');
    app.use(wrap(), createRequestHandler({ ...(await notesOptions()), base: '/v1' }));
    return listenOnFreePort(createHttpServer(app));
  });
  const asUse = withApp(async () => listenOnFreePort(createServer({ ...(await notesOptions()), base: '/v1', use: [wrap()] })));

  test.each(Object.entries(REQUESTS))('%s is as without it, but for what it adds', async (_, request) => {
    const expected = parseRaw(await sendRaw(reference.url, request));
    for (const { url } of [before, asUse]) {
      const { headers, ...sent } = parseRaw(await sendRaw(url, request));
      const { vary: added, 'set-cookie': cookie, ...rest } = headers;
      expect({ ...sent, headers: rest }).toEqual(expected);
      if (name === 'a header') expect(added).toBe('Origin');
      if (name === 'express-session') expect(cookie).toContain('connect.sid');
    }
  });
});

describe('compression, of a client that takes gzip', () => {
  const app = withApp(async () => {
    const main = express();
    main.use(compression({ threshold: 0 }), vary, createRequestHandler(await notesOptions({ docs: true })));
    return listenOnFreePort(createHttpServer(main));
  });
  const ask = async (path: string, method = 'GET', ...headers: string[]) =>
    parseRaw(await sendRaw(app.url, { method, path, headers: [TOKEN, 'Accept-Encoding: gzip', ...headers] }));

  test('the body is chunked and compressed, and Vary names both', async () => {
    const { headers, body } = await ask('/notes/2');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked', etag: '"v1"' });
    expect(headers['content-length']).toBeUndefined();
    expect([...(headers['vary'] ?? '').split(', ')].sort()).toEqual(['Accept-Encoding', 'Origin']);
    expect(gunzipSync(Buffer.from(dechunk(body), 'latin1')).toString()).toBe('{"id":2,"text":"zwölf Äpfel"}');
  });

  test('a 304, an error and HEAD are whole', async () => {
    expect(await ask('/notes/2', 'GET', 'If-None-Match: "v1"')).toMatchObject({ status: 304, body: '' });
    const error = await ask('/notes/0');
    expect(JSON.parse(gunzipSync(Buffer.from(dechunk(error.body), 'latin1')).toString())).toMatchObject({ code: 'invalid_request' });
    expect(await ask('/notes/2', 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('what is compressed already is not compressed again', async () => {
    const { headers } = await ask('/docs/swagger-ui.css');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': expect.any(String) });
  });
});

const dechunk = (body: string): string => {
  let text = '';
  for (let rest = body; ;) {
    const end = rest.indexOf('\r\n');
    const size = parseInt(rest.slice(0, end), 16);
    if (!(size > 0)) return text;
    text += rest.slice(end + 2, end + 2 + size);
    rest = rest.slice(end + 4 + size);
  }
};

test.each([
  ['of the application', (options: never) => createHttpServer(express().use(countBytes, compression(), createRequestHandler(options)))],
  ['of the contract', (options: object) => createServer({ ...options, use: [countBytes, compression()] } as never)],
])('a server %s that stops closes a kept connection with its next response', async (_, create) => {
  const { server, url } = await listenOnFreePort(create((await notesOptions()) as never));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += String(chunk)));
  const request = `GET /notes/1 HTTP/1.1\r\nHost: a\r\n${TOKEN}\r\n\r\n`;
  const answered = (count: number) => text.split('{"id":1').length > count;
  const wait = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  socket.write(request);
  await wait(() => answered(1));
  expect(text).toMatch(/^Connection: keep-alive/m);
  const closed = close(server, scaleTimeout(10_000), scaleTimeout(500));
  socket.write(request);
  await wait(() => answered(2));
  expect(text).toMatch(/^Connection: close/m);
  await closed;
});
