/** Errors of the contract in an application with an error handler: they are the contract's, or with `errors: 'next'` the application's. */
import { createServer as createHttpServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express5, { type ErrorRequestHandler } from 'express';
import express4 from 'express4';
import { createRequestHandler, HandlerResponse } from '@specwright/server';
import { listenOnFreePort, until, withApp, type LogLine } from 'specwright/testing';
import { notesOptions } from './options.ts';

const TOKEN = { Authorization: 'Bearer many' };
const TIMEOUT_MS = 500;

const given = {
  requestTimeoutMs: TIMEOUT_MS,
  handlers: {
    getNote: ({ path: { id } }: { path: { id: number } }) => {
      if (id === 1) throw new Error('a secret');
      if (id === 2) return new Promise(() => undefined);
      return HandlerResponse.reply(200, { body: { undeclared: true } });
    },
    deleteNote: () => HandlerResponse.reply(204),
  },
};

const redirect: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) next(error);
  else response.redirect('/login');
};

describe.each([
  ['Express 5', express5],
  ['Express 4', express4],
])('in %s', (_, express) => {
  const handled: unknown[] = [];
  const log: LogLine[] = [];
  const answer: ErrorRequestHandler = (error: { status: number; headers: object; message: string }, _request, response, next) => {
    if (response.headersSent) return next(error);
    handled.push(error);
    response.status(error.status).set(error.headers).send(`application: ${error.message}`);
  };
  const app = withApp(async () => {
    const main = express();
    main.use('/own', createRequestHandler(await notesOptions(given, log)));
    main.use('/next', (_request, response, next) => {
      response.vary('Origin');
      next();
    });
    main.use('/next', createRequestHandler({ ...(await notesOptions({ ...given, errors: 'next' }, log)) }));
    main.use(answer);
    return listenOnFreePort(createHttpServer(main));
  });
  const get = async (path: string, init: RequestInit = { headers: TOKEN }) => {
    handled.length = 0;
    const response = await fetch(app.url + path, init);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };

  /** By path and method. */
  const FAILURES: readonly (readonly [status: number, code: string, path: string, init: RequestInit])[] = [
    [400, 'invalid_request', '/notes/0', { headers: TOKEN }],
    [401, 'unauthorized', '/notes/1', {}],
    [404, 'not_found', '/none', { headers: TOKEN }],
    [405, 'method_not_allowed', '/notes', { method: 'PATCH' }],
    [500, 'internal_error', '/notes/1', { headers: TOKEN }],
    [500, 'internal_error', '/notes/3', { headers: TOKEN }],
    [503, 'service_unavailable', '/notes/2', { headers: TOKEN }],
  ];

  test.each(FAILURES)(
    'a %i is answered as the contract says, and the error handler is not called: %s %s',
    async (status, code, path, init) => {
      const { text, ...response } = await get(`/own${path}`, init);
      expect(response.status).toBe(status);
      expect(JSON.parse(text)).toMatchObject({ code, status });
      expect(handled).toEqual([]);
    },
  );

  test.each(FAILURES)('errors: next gives a %i to the error handler, with what it needs: %s %s', async (status, code, path, init) => {
    const response = await get(`/next${path}`, init);
    const error = handled[0] as Error;
    expect(handled).toEqual([expect.objectContaining({ status, statusCode: status, code, expose: status < 500 })]);
    expect(response).toMatchObject({ status, text: `application: ${error.message}` });
    // Of the pipeline, and of the application.
    expect(response.headers).toMatchObject({ 'x-request-id': expect.any(String), vary: expect.stringContaining('Origin') });
    expect(response.text).not.toContain('a secret');
  });

  test('the headers of an error are with it', async () => {
    expect((await get('/next/notes/1', {})).headers['www-authenticate']).toBe('Bearer realm="Test"');
    expect((await get('/next/notes', { method: 'PATCH' })).headers['allow']).toBe('GET, POST, HEAD, OPTIONS');
    expect((await get('/next/notes/2')).headers['retry-after']).toBe('1');
  });

  test('the cause of a 500 is with it, and in the log once', async () => {
    log.length = 0;
    await get('/next/notes/1');
    expect((handled[0] as Error).cause).toMatchObject({ message: 'a secret' });
    expect(log.filter(({ level }) => level === 'error')).toMatchObject([{ operation: 'getNote', err: { message: 'a secret' } }]);
  });

  test('a request has one line in the log, with the status that the error handler has sent', async () => {
    log.length = 0;
    await get('/next/notes/0');
    await until(() => log.some(({ message }) => message === 'answered'));
    expect(log.filter(({ message }) => message === 'answered')).toMatchObject([{ operation: 'getNote', status: 400 }]);
  });

  test('an error handler that answers another way has the last word', async () => {
    const main = express();
    main.use(createRequestHandler(await notesOptions({ ...given, errors: 'next' })));
    main.use(redirect);
    const { url, close } = await listenOnFreePort(createHttpServer(main));
    const response = await fetch(`${url}/notes/1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/login']);
    await close();
  });
});

test('without an application there is nobody to pass an error to', async () => {
  const { url, close } = await listenOnFreePort(createHttpServer(createRequestHandler(await notesOptions({ errors: 'next' }))));
  expect(await (await fetch(`${url}/notes/1`)).json()).toMatchObject({ code: 'unauthorized' });
  await close();
});
