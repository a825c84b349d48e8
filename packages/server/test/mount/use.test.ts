/** Middleware of the option `use`, and `routes`: packages that applications have, before and beside the contract. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import compression from 'compression';
import cookieSession from 'cookie-session';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import createError from 'http-errors';
import passport from 'passport';
import { WebSocket } from 'ws';
import { createServer, FRAMEWORK_ERRORS, type Middleware } from '@specwright/server';
import { listenOnFreePort, until, withApp, type ListeningServer, type LogLine } from 'specwright/testing';
import { parseRaw, sendRaw } from '../support/raw-request.ts';
import { notesOptions } from './options.ts';
import { addRoutes, addWebSocket } from './recipes/routes.ts';
import { strategy } from './recipes/strategy.ts';
import { server as withSessions } from './recipes/session.ts';
import { server as recipe } from './recipes/use.ts';

const TOKEN = { Authorization: 'Bearer many' };
const log: LogLine[] = [];
beforeEach(() => void log.splice(0));

type Given = NonNullable<Parameters<typeof notesOptions>[0]>;
const start = async (given: Given & { readonly use?: readonly Middleware[] }): Promise<ListeningServer> =>
  listenOnFreePort(createServer(await notesOptions(given, log)));

describe('use', () => {
  const seen: unknown[] = [];
  const app = withApp(() =>
    start({
      metrics: { maxAgeMs: 0 },
      errors: { statuses: { ...FRAMEWORK_ERRORS, forbidden: 403 } },
      requestTimeoutMs: 400,
      use: [
        (request, _response, next) => {
          seen.push(request.operation?.id);
          next();
        },
        {
          operations: ['getNote'],
          use: [
            async (request, response, next) => {
              const { fail } = request.query as { fail?: string };
              const wait = request.get('X-Wait');
              if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, Number(wait)));
              if (fail === 'thrown') throw new Error('a secret');
              if (fail !== undefined) throw createError(Number(fail), `refused ${fail}`, { headers: { 'X-Reason': 'a' } });
              if (request.query['own'] !== undefined) return void response.status(418).json({ own: true });
              next();
            },
            (request, _response, next) => next(request.query['passed'] === undefined ? undefined : createError(403)),
          ],
        },
        {
          error: (error: { status?: number }, _request, response, next) => {
            if (error.status === 409) response.status(409).send('by an error handler');
            else next(error);
          },
        },
      ],
    }),
  );
  const get = async (path: string, headers: Record<string, string> = TOKEN) => {
    seen.length = 0;
    const response = await fetch(app.url + path, { headers });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };

  test('runs before the contract, with the operation, in order', async () => {
    expect((await get('/notes/1')).status).toBe(200);
    expect((await get('/notes')).status).toBe(200);
    expect(seen).toEqual(['listNotes']);
    await get('/livez');
    expect(seen).toEqual([undefined]);
    expect((await get('/notes/1', {})).status).toBe(401);
    expect(seen).toEqual(['getNote']);
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [423, 'invalid_request'],
    [413, 'body_too_large'],
  ])('what http-errors refuses with %i is answered in the form of the contract', async (status, code) => {
    const { text, ...response } = await get(`/notes/1?fail=${status}`);
    expect(JSON.parse(text)).toMatchObject({ code, message: `refused ${status}` });
    expect(response).toMatchObject({ status, headers: { 'x-reason': 'a' } });
  });

  test('an error that is not to be shown is 500, with its cause in the log', async () => {
    const { status, text } = await get('/notes/1?fail=thrown');
    expect([status, text]).toEqual([500, expect.not.stringContaining('secret')]);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', operation: 'getNote', err: expect.any(Error) }));
    expect((await get('/notes/1?fail=503')).status).toBe(500);
  });

  test('an error handler can answer', async () => {
    expect(await get('/notes/1?fail=409')).toMatchObject({ status: 409, text: 'by an error handler' });
  });

  test('one that answers itself ends the request, with a line in the log and in the metrics', async () => {
    expect(await get('/notes/1?own')).toMatchObject({ status: 418, text: '{"own":true}' });
    await until(() => log.some(({ message }) => message === 'answered'));
    expect(log).toMatchObject([{ operation: 'getNote', path: '/notes/{id}', status: 418, message: 'answered' }]);
    expect((await get('/metrics')).text).toMatch(/requests_total\{[^}]*"\/notes\/\{id\}"[^}]*"418"\} 1\n/);
  });

  test('the deadline begins after it', async () => {
    expect((await get('/notes/1', { ...TOKEN, 'X-Wait': '600' })).status).toBe(200);
  });
});

test('cookie-session: what middleware puts into it is sent with the response of the contract', async () => {
  const count: RequestHandler = (request, _response, next) => {
    const { session } = request as unknown as { session: { count?: number } };
    session.count = (session.count ?? 0) + 1;
    next();
  };
  const { url, close } = await start({ use: [cookieSession({ name: 'signed', keys: ['a'] }), count] });
  const cookies = (await fetch(`${url}/notes/1`, { headers: TOKEN })).headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  expect(cookies).toEqual([expect.stringMatching(/^signed=/), expect.stringMatching(/^signed.sig=/)]);
  const [again = ''] = (await fetch(`${url}/notes/1`, { headers: { ...TOKEN, Cookie: cookies.join('; ') } })).headers.getSetCookie();
  expect(JSON.parse(Buffer.from(/=([^;]*)/.exec(again)?.[1] ?? '', 'base64').toString())).toEqual({ count: 2 });
  await close();
});

test('express-session: a session is a caller, and what writes has to come from a page of the site', async () => {
  const { url, close } = await listenOnFreePort(withSessions);
  const note = JSON.stringify({ text: 'a' });
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { 'X-Forwarded-Proto': 'https', 'Content-Type': 'application/json', ...headers },
      ...(path === '/notes' && method === 'POST' && { body: note }),
    });
  const Origin = 'https://app.example.com';
  const loggedIn = await send('POST', '/login', { Origin });
  const [cookie = ''] = loggedIn.headers.getSetCookie();
  expect([loggedIn.status, cookie]).toEqual([204, expect.stringMatching(/^__Host-session=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)]);
  const Cookie = cookie.split(';')[0] ?? '';
  const statuses = async (...requests: (readonly [string, string, Record<string, string>?])[]) => {
    const found: number[] = [];
    for (const [method, path, headers] of requests) found.push((await send(method, path, headers)).status);
    return found;
  };
  expect(await statuses(['GET', '/notes/1', { Cookie }], ['POST', '/notes', { Cookie, Origin }])).toEqual([200, 201]);
  expect(await statuses(['GET', '/notes/1'], ['POST', '/notes', { Origin }])).toEqual([401, 401]);
  expect(
    await statuses(
      ['POST', '/notes', { Cookie, Origin: 'https://attacker.example' }],
      ['POST', '/notes', { Cookie, Origin: 'null' }],
      ['POST', '/notes', { Cookie }],
      ['DELETE', '/notes/1', { Cookie, Origin: `${Origin}.attacker.example` }],
      ['POST', '/login', { Origin: 'https://attacker.example' }],
    ),
  ).toEqual([403, 403, 403, 403, 403]);
  // A session that was planted before the log-in is not the one after it.
  const again = await send('POST', '/login', { Origin, Cookie });
  expect(again.headers.getSetCookie()[0]).not.toContain(Cookie);
  await close();
});

test('an operation that the contract does not have is an error at boot that names it', async () => {
  const given = { use: [{ operations: ['getNote', 'getNotes'], use: helmet() }] } as object;
  await expect(start(given)).rejects.toMatchObject({
    name: 'ContractError',
    message: expect.stringContaining('the operation getNotes of `use`'),
  });
});

describe('packages', () => {
  const secured = { security: { token: (request: Request) => request.user as { plan: string } | undefined } };
  const app = withApp(() =>
    start({
      ...secured,
      use: [
        helmet(),
        compression({ threshold: 0 }),
        session({ secret: 'a', resave: false, saveUninitialized: true }),
        new passport.Passport().use(strategy).authenticate('header', { session: false }) as never,
      ],
    }),
  );
  const USER = { 'X-User': 'many' };

  test('helmet: its headers are on every response, and those of the contract stay', async () => {
    const { headers, status } = await fetch(`${app.url}/notes/1`, { headers: USER });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.any(String),
      etag: '"v1"',
    });
    expect((await fetch(`${app.url}/none`)).headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
  });

  test('passport: the contract trusts req.user', async () => {
    expect((await fetch(`${app.url}/notes/1`, { headers: USER })).status).toBe(200);
    expect((await fetch(`${app.url}/notes/1`)).status).toBe(401);
    expect((await fetch(`${app.url}/notes/1`, { headers: { 'X-User': 'b' } })).status).toBe(401);
  });

  test('compression: the body is compressed, and Vary says so', async () => {
    const response = await fetch(`${app.url}/notes/1`, { headers: { ...USER, 'Accept-Encoding': 'gzip' } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(response.headers.has('Content-Length')).toBe(false);
    expect(await response.json()).toEqual({ id: 1, text: 'one' });
  });

  const RAW = ['X-User: many'];
  test('express-session and on-headers: every kind of response is whole', async () => {
    const raw = async (request: Parameters<typeof sendRaw>[1]) => parseRaw(await sendRaw(app.url, request));
    const found = await raw({ path: '/notes/2', headers: RAW });
    expect(found).toMatchObject({
      status: 200,
      headers: { 'content-length': String(found.body.length), 'set-cookie': expect.stringContaining('connect.sid') },
    });
    expect(Buffer.from(found.body, 'latin1').toString()).toBe('{"id":2,"text":"zwölf Äpfel"}');
    const head = await raw({ method: 'HEAD', path: '/notes/2', headers: RAW });
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, found.headers['content-length'], '']);
    const fresh = await raw({ path: '/notes/2', headers: [...RAW, 'If-None-Match: "v1"'] });
    expect([fresh.status, fresh.headers['etag'], fresh.headers['content-length'], fresh.body]).toEqual([304, '"v1"', undefined, '']);
    const deleted = await raw({ method: 'DELETE', path: '/notes/2', headers: RAW });
    expect([deleted.status, deleted.body, deleted.headers['deprecation']]).toEqual([204, '', '@1735689600']);
    const refused = await raw({ path: '/notes/0', headers: RAW });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })]);
  });
});

test('the recipe of the documentation: helmet, compression, a session, and passport for two operations', async () => {
  const { url, close } = await listenOnFreePort(recipe);
  const ask = (path: string) => fetch(url + path, { headers: { 'X-User': 'many' } });
  const found = await ask('/notes/1');
  expect([found.status, found.headers.get('X-Frame-Options')]).toEqual([200, 'SAMEORIGIN']);
  expect((await ask('/notes')).status).toBe(401);
  await close();
});

describe('routes', () => {
  const folder = withApp(async () => {
    const path = await mkdtemp(join(tmpdir(), 'static-'));
    await writeFile(join(path, 'a.txt'), 'a file');
    return { path, close: () => rm(path, { recursive: true }) };
  });
  const other = withApp(() =>
    listenOnFreePort(createHttpServer((request, response) => void response.end(`other: ${request.method} ${request.url}`))),
  );
  const app = withApp(async () => {
    const started = await start({
      use: [helmet()],
      routes: (own) => {
        process.env['STATIC_FOLDER'] = folder.path;
        process.env['OTHER_URL'] = other.url;
        addRoutes(own);
        own.get('/hello', (_request, response) => void response.send('hello'));
        own.get('/fails', () => {
          throw new Error('a secret');
        });
      },
    });
    addWebSocket(started.server);
    return started;
  });
  const text = async (path: string, init: RequestInit = {}) => (await fetch(app.url + path, init)).text();

  test('static files, pages and a proxy are beside the contract', async () => {
    expect(await text('/static/a.txt')).toBe('a file');
    expect(await text('/hello')).toBe('hello');
    expect(await text('/other/a?b', { method: 'POST', body: 'x' })).toBe('other: POST /a?b');
    expect((await fetch(`${app.url}/notes/1`, { headers: TOKEN })).status).toBe(200);
  });

  test('middleware runs before them, and each has a line in the log', async () => {
    const response = await fetch(`${app.url}/hello`);
    expect(response.headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
    await until(() => log.length > 0);
    expect(log).toMatchObject([{ path: '/hello', status: 200, message: 'answered' }]);
  });

  test('what they do not have is 404, and what they throw 500, as the contract says', async () => {
    expect(JSON.parse(await text('/static/b.txt'))).toMatchObject({ code: 'not_found', status: 404 });
    expect(JSON.parse(await text('/fails'))).toMatchObject({ code: 'internal_error', message: 'internal error' });
  });

  test('multer reads an upload, also of a client that waits for 100 Continue', async () => {
    const form = new FormData();
    form.append('file', new Blob(['12345']), 'a.txt');
    expect(JSON.parse(await text('/files', { method: 'POST', body: form }))).toEqual({ size: 5 });
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n12345\r\n--x--\r\n';
    const headers = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${part.length}`, 'Expect: 100-continue'];
    expect(await sendRaw(app.url, { method: 'POST', path: '/files', headers, body: [part] })).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/,
    );
  });

  test('a websocket is upgraded on the server', async () => {
    const client = new WebSocket(`${app.url.replace('http', 'ws')}/socket`);
    const [data] = (await once(client, 'message')) as [Buffer];
    expect(data.toString()).toBe('hello');
    client.close();
  });

  test('with unmatched: next they are an error at boot that says what to do', async () => {
    await expect(start({ routes: () => undefined, unmatched: 'next' } as never)).rejects.toThrow('add the routes to the application');
  });
});

test('a client that expects 100 Continue is not told to send what is refused', async () => {
  const { url, close } = await start({ use: [(_request, _response, next) => setImmediate(next)] });
  const headers = ['Content-Type: application/json', 'Content-Length: 12', 'Expect: 100-continue'];
  expect(await sendRaw(url, { method: 'POST', path: '/notes', headers, body: ['{"text":"a"}'] })).toMatch(/^HTTP\/1.1 401 /);
  await close();
});
