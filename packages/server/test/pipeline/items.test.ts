/** Streams of items: server-sent events, JSON Lines and JSON text sequences, each item validated and sent as it comes. */
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  AppError,
  bearer,
  close,
  createServer,
  HandlerResponse,
  listen,
  FRAMEWORK_ERRORS,
  type Context,
  type PlanTable,
} from '@specwright/server';
import { createTestLog, scaleTimeout, withApp } from 'specwright/testing';
import { loadContractOf, serve } from '../support/serve.ts';

const LISTEN = `      parameters: [{ name: Last-Event-ID, in: header, schema: { type: string } }]
      responses:
        '200':
          description: ok
          content:
            text/event-stream: { x-item-schema: { $ref: '#/components/schemas/Event' } }
            application/jsonl: { x-item-schema: { $ref: '#/components/schemas/Stock' } }
            application/json-seq: { x-item-schema: { $ref: '#/components/schemas/Stock' } }
            text/plain: {}
        '409': { description: conflict, content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } }
`;
const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: 1000, day: 1000 } }
  address: { minute: 1000, day: 1000 }
paths:
  /items:
    get:
      operationId: listen
${LISTEN}  /data:
    get: { operationId: data, responses: { '200': { description: ok, content: { text/event-stream: { x-item-schema: { $ref: '#/components/schemas/Stock' } } } } } }
  /mine:
    get:
      operationId: mine
      security: [{ key: [] }]
${LISTEN}components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Stock: { type: object, required: [count], properties: { count: { type: integer } } }
    Event:
      type: object
      required: [data]
      properties: { id: { type: string }, event: { type: string }, retry: { type: integer }, data: { $ref: '#/components/schemas/Stock' } }
`;

interface Given {
  readonly headers: { readonly 'Last-Event-ID'?: string };
}
let reply: (input: Given, context: Context<never, never, unknown>) => object;
const answer = (input: Given, _: unknown, context: never) => HandlerResponse.reply(200, reply(input, context));
const handlers = { listen: answer, data: answer, mine: answer };
const options = {
  handlers,
  security: { key: bearer(async (token: string) => token) } as never,
  streams: { total: 4, perCaller: 2 },
  errors: { statuses: { ...FRAMEWORK_ERRORS, conflict: 409 } },
  rateLimit: {
    subject: (caller: unknown, { plans }: PlanTable) => ({ bucket: String(caller), quota: plans['Free'] as never, key: undefined }),
  },
};
const app = withApp(() => serve(YAML, options));

let closed: number;
beforeEach(() => {
  closed = 0;
});
/** Ends when it is closed. */
async function* endless(first: object, signal?: AbortSignal): AsyncGenerator<object> {
  try {
    yield first;
    await sleep(scaleTimeout(60_000), undefined, { signal: signal as AbortSignal });
  } catch {
    return;
  } finally {
    closed++;
  }
}

interface Stream {
  readonly response: IncomingMessage;
  /** What has come so far. */
  readonly text: () => string;
  /** Resolves at the end. @returns whether it is whole. */
  readonly ended: Promise<boolean>;
  readonly close: () => void;
}

const open = (path: string, headers: Record<string, string> = {}, base = app.url): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const sent = request(base + path, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const ended = new Promise<boolean>((end) => response.on('error', () => undefined).on('close', () => end(response.complete)));
      resolve({ response, text: () => text, ended, close: () => void sent.destroy() });
    });
    sent.on('error', reject).end();
  });
const whole = async (path: string) => {
  const stream = await open(path);
  return { stream, isWhole: await stream.ended, text: stream.text(), status: stream.response.statusCode };
};
const until = async (condition: () => boolean) => {
  for (let i = 0; i < 200 && !condition(); i++) await sleep(20);
  expect(condition()).toBe(true);
};

test.each<[type: string, items: object[], text: string]>([
  [
    'text/event-stream',
    [{ id: '1', event: 'stock', retry: 5, data: { count: 1, secret: 2 } }, { data: { count: 2 } }],
    'event: stock\nid: 1\nretry: 5\ndata: {"count":1}\n\ndata: {"count":2}\n\n',
  ],
  ['application/jsonl', [{ count: 1 }, { count: 2, secret: 1 }], '{"count":1}\n{"count":2}\n'],
  ['application/json-seq', [{ count: 1 }], '\x1E{"count":1}\n'],
  ['text/event-stream', [], ''],
])('%s: items are sent in its form, without what is not declared', async (type, items, text) => {
  reply = () => ({ type, items });
  const { stream, ...rest } = await whole('/items');
  expect(rest).toEqual({ isWhole: true, text, status: 200 });
  expect(stream.response.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
});

test('a schema without data describes the data of an event', async () => {
  reply = () => ({ items: [{ count: 1 }] });
  expect((await whole('/data')).text).toBe('data: {"count":1}\n\n');
});

test('each item is there when it comes, before the stream ends', async () => {
  reply = (_, { signal }) => ({ type: 'text/event-stream', items: endless({ data: { count: 1 } }, signal) });
  const stream = await open('/items');
  await until(() => stream.text() === 'data: {"count":1}\n\n');
  stream.close();
  await until(() => closed === 1);
});

test('the head is there soon, though no item is', async () => {
  reply = (_, { signal }) => ({ type: 'text/event-stream', items: endless({ data: { count: 1 } }, signal), [Symbol.iterator]: undefined });
  reply = (_, { signal }) => ({
    type: 'text/event-stream',
    items: (async function* (): AsyncGenerator<object> {
      await sleep(scaleTimeout(60_000), undefined, { signal }).catch(() => undefined);
      closed++;
      yield* [];
    })(),
  });
  const stream = await open('/items');
  expect([stream.response.statusCode, stream.text()]).toEqual([200, '']);
  stream.close();
  await until(() => closed === 1);
});

test('an item is validated once, a first one that is late too', async () => {
  const readsOf = async (waitMs: number): Promise<number> => {
    let reads = 0;
    const item = {
      get count() {
        return ++reads;
      },
    };
    reply = () => ({
      type: 'application/jsonl',
      items: (async function* () {
        await sleep(waitMs);
        yield item;
      })(),
    });
    const stream = await open('/items');
    await stream.ended;
    expect(JSON.parse(stream.text())).toEqual({ count: reads });
    return reads;
  };
  const reads = await readsOf(0);
  expect(reads).toBeGreaterThan(0);
  expect(await readsOf(700)).toBe(reads);
});

test('Last-Event-ID is an input', async () => {
  reply = ({ headers }) => ({ type: 'text/event-stream', items: [{ data: { count: Number(headers['Last-Event-ID']) } }] });
  const stream = await open('/items', { 'Last-Event-ID': '41' });
  await stream.ended;
  expect(stream.text()).toBe('data: {"count":41}\n\n');
});

describe('an error', () => {
  const failing = (type: string, error: () => Error, before: object[] = []) => ({
    type,
    items: (async function* () {
      yield* before;
      throw error();
    })(),
  });
  const CONFLICT = () => new AppError('conflict', 'no');

  test('before the first item is an error of the contract', async () => {
    reply = () => failing('text/event-stream', CONFLICT);
    expect(await whole('/items')).toMatchObject({ status: 409, text: expect.stringContaining('"code":"conflict"') });
    reply = () => ({ type: 'application/jsonl', items: [{ count: 'many' }] });
    expect(await whole('/items')).toMatchObject({ status: 500 });
  });

  test('after it is an event, and the end', async () => {
    reply = () => failing('text/event-stream', CONFLICT, [{ data: { count: 1 } }]);
    const { isWhole, text } = await whole('/items');
    expect(isWhole).toBe(true);
    expect(text).toMatch(/^data: {"count":1}\n\nevent: error\ndata: {"code":"conflict".*}\n\n$/);
    expect(app.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'the stream of items was cut off', operation: 'listen' }),
    );
  });

  test('cuts off a sequence that cannot say so', async () => {
    reply = () => failing('application/jsonl', CONFLICT, [{ count: 1 }]);
    expect(await whole('/items')).toMatchObject({ isWhole: false, text: '{"count":1}\n' });
  });

  test('is an item that breaks the contract, a text with a line break in its name too', async () => {
    const named = (['event', 'id'] as const).flatMap((name) =>
      ['\n', '\r', '\0'].map((end) => ({ [name]: `a${end}b`, data: { count: 1 } })),
    );
    for (const bad of [{ data: { count: 'x' } }, ...named]) {
      reply = () => ({ type: 'text/event-stream', items: [{ data: { count: 1 } }, bad] });
      expect((await whole('/items')).text).toMatch(/event: error\ndata: {"code":"internal_error"/);
    }
  });

  test('is a media type without items', async () => {
    reply = () => ({ type: 'text/plain', items: [] });
    expect((await whole('/items')).status).toBe(500);
    reply = () => ({ type: 'text/event-stream', body: 'data: 1\n\n' });
    expect((await whole('/items')).status).toBe(200);
  });
});

test('a client that does not read stops the items, not the server', async () => {
  let made = 0;
  reply = () => ({
    type: 'application/jsonl',
    items: (function* () {
      try {
        for (;;) yield { count: ++made };
      } finally {
        closed++;
      }
    })(),
  });
  const sent = request(`${app.url}/items`, { agent: false }, (response) => void response.pause());
  sent.on('error', () => undefined).end();
  let last = -1;
  await until(() => made > 0);
  while (last !== made) {
    last = made;
    await sleep(200);
  }
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
  sent.destroy();
  await until(() => closed === 1);
});

test('more streams than the limits are refused before the handler, and those that end make room', async () => {
  reply = (_, { signal }) => ({ type: 'text/event-stream', items: endless({ data: { count: 1 } }, signal) });
  const of = (caller: string) => open('/mine', { Authorization: `Bearer ${caller}` });
  const streams = [await of('ada'), await of('ada'), await of('ada'), await of('bob'), await of('bob'), await of('eve')];
  expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200, 503, 200, 200, 503]);
  await streams[2]?.ended;
  expect(streams[2]?.text()).toMatch(/2 streams are open already/);
  expect(streams[5]?.response.headers['retry-after']).toBe('5');
  streams[0]?.close();
  await until(() => closed === 1);
  expect((await of('ada')).response.statusCode).toBe(200);
  for (const stream of streams) stream.close();
});

test('a server that stops ends them, and says when to come back', async () => {
  const server = createServer({ ...options, contract: await loadContractOf(YAML), log: createTestLog() });
  const base = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  reply = (_, { signal }) => ({ type: 'text/event-stream', items: endless({ data: { count: 1 } }, signal) });
  const stream = await open('/items', {}, base);
  await until(() => stream.text() !== '');
  await close(server, scaleTimeout(10_000));
  expect([await stream.ended, stream.text()]).toEqual([true, expect.stringMatching(/\n\nretry: [1-5]\d{3}\n\n$/)]);
});

test('HEAD opens nothing', async () => {
  reply = (_, { signal }) => ({ type: 'text/event-stream', items: endless({ data: { count: 1 } }, signal) });
  const response = await fetch(`${app.url}/items`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type'), closed]).toEqual([200, 'text/event-stream', 0]);
});

/** Counts how often it is closed, also before its first item. */
const closeable = (next: () => Promise<IteratorResult<object>>): AsyncIterable<object> => ({
  [Symbol.asyncIterator]: () => ({
    next,
    return: () => {
      closed++;
      return Promise.resolve({ done: true, value: undefined });
    },
  }),
});

test('items are closed that nobody gets: of HEAD, and after a first one that fails', async () => {
  reply = () => ({ type: 'text/event-stream', items: closeable(() => Promise.reject(new Error('not asked for'))) });
  expect((await fetch(`${app.url}/items`, { method: 'HEAD' })).status).toBe(200);
  expect(closed).toBe(1);
  reply = () => ({ type: 'text/event-stream', items: closeable(() => Promise.resolve({ done: false, value: { data: { count: 'x' } } })) });
  expect((await fetch(`${app.url}/items`)).status).toBe(500);
  expect(closed).toBe(2);
});

test('each kind of line break in the data of an event begins another line of data', async () => {
  const yaml = `paths:
  /a: { get: { operationId: a, responses: { '200': { description: ok, content: { text/event-stream: { x-item-schema: { type: object, properties: { data: { type: string } } } } } } } } }`;
  const texts = await serve(yaml, {
    handlers: { a: () => HandlerResponse.reply(200, { type: 'text/event-stream', items: [{ data: 'a\nb\r\nc\rid: d' }] }) },
  });
  try {
    expect(await (await fetch(`${texts.url}/a`)).text()).toBe('data: a\ndata: b\ndata: c\ndata: id: d\n\n');
  } finally {
    await texts.close();
  }
});

test('the data of OpenAPI 3.2, JSON in a text, is validated and sent as the value that it is', async () => {
  const data = (schema: string) => `{ type: string, contentMediaType: application/json, contentSchema: ${schema} }`;
  const event = (name: string, schema: string) =>
    `{ required: [event, data], properties: { event: { const: ${name} }, data: ${data(schema)} } }`;
  const yaml = `paths:
  /a:
    get:
      operationId: listen
      responses: { '200': { description: ok, content: { text/event-stream: { itemSchema: { $ref: '#/components/schemas/Event' } } } } }
components:
  schemas:
    Stock: { type: object, required: [count], properties: { count: { type: integer } } }
    Event: { oneOf: [${event('stock', "{ $ref: '#/components/schemas/Stock' }")}, ${event('names', '{ type: array, items: { type: string } }')}] }
`;
  const other = await serve(yaml, { handlers: { listen: answer } });
  try {
    reply = () => ({
      items: [
        { event: 'stock', data: { count: 1, secret: 1 } },
        { event: 'names', data: ['Rex'] },
        { event: 'names', data: [1] },
      ],
    });
    const stream = await open('/a', {}, other.url);
    await stream.ended;
    expect(stream.text()).toMatch(/^event: stock\ndata: {"count":1}\n\nevent: names\ndata: \["Rex"\]\n\nevent: error\ndata: /);
  } finally {
    await other.close();
  }
});
