/** What an Express handler gets, and where it may run: in the transaction of an Idempotency-Key too. */
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import { bearer, type IdempotencyStore, type UnvalidatedResponse } from '@specwright/server';
import { until, withApp } from 'specwright/testing';
import { untyped } from '../support/handler-styles.ts';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    post:
      operationId: op
      security: [{ token: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer, default: 20 } }
        - { name: Idempotency-Key, in: header, schema: { type: string } }
        - { name: theme, in: cookie, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string, default: Rex } } } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { type: object, additionalProperties: true } } } }
        '503': { description: not now, content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } }
    get:
      operationId: read
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: a thing
          headers: { ETag: { schema: { type: string } } }
          content: { text/plain: { schema: { type: string } } }
  /files:
    get:
      operationId: readFile
      responses:
        '200':
          description: a file
          headers: { Accept-Ranges: &text { schema: { type: string } }, Last-Modified: *text }
          content: &content { text/plain: { schema: { type: string } } }
        '206':
          description: a part of it
          headers: { Accept-Ranges: *text, Last-Modified: *text, Content-Range: *text }
          content: *content
        '304': { description: not modified }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;

type WithInput = Request & { input: { cookies: object }; context: { db: unknown; caller: unknown; requestId: string; now: Date } };

let handler: (req: WithInput, res: Response) => unknown;
const op = untyped((req, res) => handler(req as WithInput, res));

/** A store in memory. */
const stored = new Map<string, UnvalidatedResponse>();
const ended: string[] = [];
const idempotency: IdempotencyStore<string> = {
  async run({ key }, work) {
    const before = stored.get(key);
    if (before !== undefined) return { response: before, isReplay: true };
    try {
      const response = await work('transaction');
      stored.set(key, response);
      ended.push('committed');
      return { response, isReplay: false };
    } catch (error) {
      ended.push('rolled back');
      throw error;
    }
  },
};
/** What Express asks of a template engine. */
class View {
  readonly path = import.meta.url;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  render(options: { id: number }, done: (error: null, text: string) => void): void {
    done(null, `${this.#name} ${options.id}`);
  }
}

const nameMiddleware = (_req: Request, res: Response, next: NextFunction): void => {
  res.locals['from'] = 'middleware';
  next();
};

const app = withApp(() =>
  serve(YAML, {
    handlers: { op, read: op, readFile: op },
    security: { token: bearer(async (name) => ({ name })) },
    db: 'pool',
    idempotency: idempotency,
    requestTimeoutMs: 1000,
    use: [nameMiddleware],
    routes: (application) => void application.set('view', View),
  }),
);
beforeEach(() => {
  stored.clear();
  ended.length = 0;
});

const post = (headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${app.url}/things/7`, {
    method: 'POST',
    body: '{}',
    headers: { Authorization: 'Bearer Ann', 'Content-Type': 'application/json', Cookie: 'theme=dark', ...headers },
    ...(signal !== undefined && { signal }),
  });

/** Without `no-cache`, which `fetch` adds to conditions, and which asks for the response itself. */
const conditional = (headers: Record<string, string>) => ({ headers: { ...headers, 'Cache-Control': 'max-age=0' } });

test('has the validated input in params, query and body, with the rest in input and context', async () => {
  handler = (req, res) => {
    const { params, query, input, context, ip } = req;
    const isOwn = req.res === res && res.req === req;
    res.status(201).json({ params, query, body: req.body as unknown, cookies: input.cookies, caller: context.caller, isOwn, ip });
  };
  expect(await (await post()).json()).toEqual({
    params: { id: 7 },
    query: { limit: 20 },
    body: { name: 'Rex' },
    cookies: { theme: 'dark' },
    caller: { name: 'Ann' },
    isOwn: true,
    ip: expect.stringContaining('127.0.0.1'),
  });
});

test('shares res.locals with the middleware of the service', async () => {
  handler = (_, res) => res.send(`set by ${String(res.locals['from'])}`);
  expect(await (await fetch(`${app.url}/things/7`)).text()).toBe('set by middleware');
});

test('runs in the transaction of an Idempotency-Key, and a retry is answered with what it sent', async () => {
  let calls = 0;
  handler = async (_, res) => {
    await new Promise(setImmediate);
    res.status(201).json({ call: ++calls });
  };
  const first = await (await post({ 'Idempotency-Key': 'a' })).text();
  expect(await (await post({ 'Idempotency-Key': 'a' })).text()).toBe(first);
  expect({ calls, ended }).toEqual({ calls: 1, ended: ['committed'] });
});

test('ends its transaction with the deadline if it never answers', async () => {
  handler = () => undefined;
  expect((await post({ 'Idempotency-Key': 'b' })).status).toBe(503);
  await until(() => ended.length > 0);
  expect(ended).toEqual(['rolled back']);
});

test('ends its transaction with the deadline if it never answers and its client has gone', async () => {
  const abort = new AbortController();
  handler = () => abort.abort();
  await expect(post({ 'Idempotency-Key': 'c' }, abort.signal)).rejects.toThrow();
  await until(() => ended.length > 0);
  expect(ended).toEqual(['rolled back']);
});

test('can wait until its response is sent', async () => {
  let isSent = false;
  handler = async (_, res) => {
    await pipeline(Readable.from(['a ', 'text']), res);
    isSent = res.writableFinished && res.headersSent;
  };
  expect(await (await fetch(`${app.url}/things/7`)).text()).toBe('a text');
  await until(() => isSent);
  isSent = false;
  handler = (_, res) => res.once('finish', () => (isSent = true)).send('a text');
  expect(await (await fetch(`${app.url}/things/7`)).text()).toBe('a text');
  await until(() => isSent);
});

test('sees that its client has gone', async () => {
  const abort = new AbortController();
  let isGone = false;
  handler = (_, res) => {
    res.once('close', () => (isGone = !res.writableEnded));
    abort.abort();
  };
  await expect(post({}, abort.signal)).rejects.toThrow();
  await until(() => isGone);
});

test('sends the response itself where its contract declares no 304', async () => {
  handler = (_, res) => res.set('ETag', '"1"').send('a text');
  const response = await fetch(`${app.url}/things/7`, conditional({ 'If-None-Match': '"1"' }));
  expect([response.status, await response.text()]).toEqual([200, 'a text']);
});

test('sends ranges and conditions of a file as far as its contract declares them', async () => {
  handler = (_, res) => res.sendFile(fileURLToPath(import.meta.url));
  const file = await fetch(`${app.url}/files`);
  const lastModified = file.headers.get('Last-Modified') ?? '';
  expect([file.status, (await file.text()).slice(0, 7), Date.parse(lastModified) > 0]).toEqual([200, '/** Wha', true]);
  const range = await fetch(`${app.url}/files`, { headers: { Range: 'bytes=4-6' } });
  expect([range.status, await range.text(), range.headers.get('Content-Range')]).toEqual([206, 'Wha', expect.stringMatching(/^bytes 4-6/)]);
  expect((await fetch(`${app.url}/files`, conditional({ 'If-Modified-Since': lastModified }))).status).toBe(304);
});

test('renders a view of the application', async () => {
  handler = (req, res) => res.render('page', { id: req.params['id'] });
  expect(await (await fetch(`${app.url}/things/7`)).text()).toBe('page 7');
});

test('fails if what it sends as JSON is not JSON', async () => {
  handler = (_, res) => res.status(201).type('json').end('{');
  expect((await post()).status).toBe(500);
  handler = (_, res) => res.status(201).type('json').end('{"id":9007199254740993}');
  expect((await post()).status).toBe(500);
});

test('leaves the request to others as it was if it fails', async () => {
  let request: Request | undefined;
  const own: unknown[] = [];
  handler = (req, res) => {
    own.push(res, req.next);
    request = req;
    throw new Error('broken');
  };
  expect((await fetch(`${app.url}/things/7`)).status).toBe(500);
  expect(own).not.toContain(request?.res);
  expect(own).not.toContain(request?.next);
});

test('says that it needs a request when it is called without one', () => {
  expect(() => (op as (...args: unknown[]) => unknown)({}, () => undefined, {})).toThrow('an Express handler needs a request');
});
