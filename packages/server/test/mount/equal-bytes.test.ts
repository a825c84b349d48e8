/** The same contract in each host: every byte of a response is that of `createServer`. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from '@specwright/server';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { sendRaw, type RawRequest } from '../support/raw-request.ts';
import { options, state } from './options.ts';

const HOSTS: Readonly<Record<string, () => Promise<Server>>> = {
  'Express 5': async () => createHttpServer((await import('./hosts/express.ts')).app),
  'Express 4': async () => createHttpServer((await import('./hosts/express4.ts')).app),
  async Fastify() {
    const { app } = await import('./hosts/fastify.ts');
    await app.ready();
    return app.server;
  },
  async NestJS() {
    Logger.overrideLogger(false);
    const { app } = await import('./hosts/nest.ts');
    await app.init();
    return app.getHttpServer();
  },
  async Hono() {
    const { app } = await import('./hosts/hono.ts');
    return createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  },
  'node:http': async () => (await import('./hosts/http.ts')).server,
};

const TOKEN = 'Authorization: Bearer many';
const JSON_TYPE = 'Content-Type: application/json';
const post = (headers: readonly string[], ...body: string[]): RawRequest => ({
  method: 'POST',
  path: '/v1/notes',
  headers: [TOKEN, JSON_TYPE, ...headers],
  body,
});
const postText = (text: string, ...headers: string[]) => post([`Content-Length: ${Buffer.byteLength(text)}`, ...headers], text);
const get = (path: string, ...headers: string[]): RawRequest => ({ path, headers: [TOKEN, ...headers] });

/** By what they are to show; the status that begins the response. */
const REQUESTS: Readonly<Record<string, readonly [status: number, request: RawRequest]>> = {
  '200': [200, get('/v1/notes/1')],
  '200 that is not ASCII': [200, get('/v1/notes/2')],
  '200 with a link to the next page': [200, get('/v1/notes?limit=1')],
  '200 of the contract': [200, get('/v1/openapi.json')],
  '201 with Location': [201, postText('{"text":"a"}')],
  '201 of a chunked body': [201, post(['Transfer-Encoding: chunked'], 'c\r\n{"text"', ':"a"}\r\n', '0\r\n\r\n')],
  '201 of a body in several packets': [201, post(['Content-Length: 12'], '{"te', 'xt":', '"a"}')],
  '201 after 100 Continue': [100, postText('{"text":"a"}', 'Expect: 100-continue')],
  '204 with a link to the successor': [204, { ...get('/v1/notes/1'), method: 'DELETE' }],
  '204 of OPTIONS': [204, { ...get('/v1/notes'), method: 'OPTIONS' }],
  '304': [304, get('/v1/notes/1', 'If-None-Match: "v1"')],
  '400 of an invalid parameter': [400, get('/v1/notes/0')],
  '400 of a body that is not JSON': [400, postText('{')],
  '401': [401, { path: '/v1/notes/1' }],
  '404 of an operation': [404, get('/v1/notes/9')],
  '404 of no operation': [404, get('/v1/none?a=b')],
  '404 of a path with two slashes': [404, get('/v1//notes')],
  '404 of two slashes alone': [404, get('/v1//')],
  '405': [405, { ...get('/v1/notes/1'), method: 'PATCH' }],
  '413 by Content-Length': [413, post(['Content-Length: 2000'], 'x'.repeat(2000))],
  '413 by the chunks': [413, post(['Transfer-Encoding: chunked'], `7d0\r\n${'x'.repeat(2000)}\r\n`, '0\r\n\r\n')],
  '415': [415, { ...postText('a'), headers: [TOKEN, 'Content-Length: 1', 'Content-Type: text/plain'] }],
  HEAD: [200, { ...get('/v1/notes/1'), method: 'HEAD' }],
  'HEAD of an error': [404, { ...get('/v1/notes/9'), method: 'HEAD' }],
};

afterEach(() => {
  state.isReady = true;
});

describe.each(Object.keys(HOSTS))('%s', (name) => {
  // Another for each host, so that both have counted as many requests.
  const reference = withApp(() => listenOnFreePort(createServer({ ...options, base: '/v1' })));
  const host = withApp(async () => listenOnFreePort(await (HOSTS[name] as () => Promise<Server>)()));
  const send = async (request: RawRequest) => ({
    expected: await sendRaw(reference.url, request),
    sent: await sendRaw(host.url, request),
  });

  test.each(Object.entries(REQUESTS))('%s', async (_, [status, request]) => {
    const { expected, sent } = await send(request);
    expect(expected.slice(9, 12)).toBe(String(status));
    expect(sent).toBe(expected);
  });

  test('429', async () => {
    const request = { path: '/v1/notes/1', headers: ['Authorization: Bearer one'] };
    await send(request);
    const { expected, sent } = await send(request);
    expect(expected).toMatch(/^HTTP\/1.1 429 /);
    expect(sent).toBe(expected);
  });

  test('503 while the service is not ready', async () => {
    state.isReady = false;
    const { expected, sent } = await send(get('/v1/notes/1'));
    expect(expected).toMatch(/^HTTP\/1.1 503 /);
    expect(sent).toBe(expected);
  });

  test('leaves other requests to the application', async () => {
    expect(await (await fetch(`${host.url}/hello`)).text()).toBe('hello');
  });
});
