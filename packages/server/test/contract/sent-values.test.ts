/** What is sent is what was validated: the text of a response, parsed again, is valid, or it is not sent. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HandlerResponse } from '@specwright/server';
import { express } from '@specwright/server/express';
import type { ListeningServer } from 'specwright/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { stringifyJson } from '@specwright/contract';
import { createCompileSent } from '../../../contract/test/support/internals.ts';
import { createSchemaCompiler } from '@specwright/contract/document';
import { operationDocument } from '../../../contract/test/support/contract.ts';
import { serve } from '../support/serve.ts';

type Random = () => number;
/** Mulberry32: the same values in each run. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

class Model {
  own: unknown;
  constructor(own: unknown) {
    this.own = own;
  }
  get name() {
    return 'inherited';
  }
}

/** Values that JSON has no text for, or one that says something else. */
const HOSTILE: readonly (() => unknown)[] = [
  () => NaN,
  () => Infinity,
  () => -Infinity,
  () => -0,
  () => 2 ** 60,
  () => 1e308,
  () => new Date(0),
  () => new Date(NaN),
  () => undefined,

  () => [1, , 3],
  () => [undefined],
  () => ({ toJSON: () => 'text' }),
  () => ({ toJSON: () => NaN }),
  () => ({ toJSON: () => undefined }),
  () => ({ toJSON: () => ({ name: 5 }) }),
  () => ({ name: 'x', toJSON: () => ({}) }),
  () => 5n,
  () => 2n ** 60n + 1n,
  () => '\ud800',
  () => 'a\udfffb',
  () => new Number(5),
  () => new String('x'),
  () => new Boolean(false),
  () => new Map([['name', 'x']]),
  () => new Model('x'),
  (): unknown => Object.create({ name: 'inherited', count: 1 }),
  (): unknown => Object.assign(Object.create(null), { name: 'x' }),
  (): unknown => JSON.parse('{"__proto__": {"name": "x"}}'),
  () => () => 1,
  () => Symbol('s'),
  () => Buffer.from('x'),
  () => new Uint8Array([1, 2]),
];
const PLAIN: readonly (() => unknown)[] = [
  () => 1,
  () => 7.5,
  () => 'x',
  () => '2020-01-01T00:00:00Z',
  () => true,
  () => null,
  () => ({}),
  () => [],
];
const NAMES = ['name', 'count', 'at', 'any', 'list', 'undeclared', 'other', 'constructor', '__proto__'];

function valueOf(random: Random, depth: number): unknown {
  const kind = random();
  if (kind < 0.12) return pick(random, HOSTILE)();
  if (depth === 0 || kind < 0.45) return pick(random, PLAIN)();
  if (kind < 0.6) return Array.from({ length: Math.floor(random() * 3) }, () => valueOf(random, depth - 1));
  const named: Record<string, unknown> = {};
  for (const name of NAMES)
    if (random() < 0.4) Object.defineProperty(named, name, { value: valueOf(random, depth - 1), enumerable: true, writable: true });
  return named;
}

const SCHEMAS: readonly (readonly [name: string, schema: object])[] = [
  ['anything', {}],
  ['a map', { type: 'object' }],
  ['a map that must not be empty', { type: 'object', minProperties: 1 }],
  ['a map of numbers', { type: 'object', additionalProperties: { type: 'number' } }],
  ['a list of anything', { type: 'array', items: {} }],
  ['a list of numbers', { type: 'array', items: { type: 'number' }, minItems: 1 }],
  ['no null', { not: { type: 'null' } }],
  ['no text', { not: { type: 'string' } }],
  ['a number', { type: 'number' }],
  ['a bound without a type', { minimum: 6 }],
  ['a constant', { enum: [1, 'x', true] }],
  ['properties', { type: 'object', required: ['name'], properties: { name: {}, count: { type: 'number' }, at: { type: 'string' } } }],
  ['two properties', { type: 'object', minProperties: 2, properties: { name: {}, count: {}, any: {} } }],
  [
    'only properties',
    { type: 'object', additionalProperties: false, properties: { name: {}, any: {}, list: { type: 'array', items: {} } } },
  ],
  ['a required property that is not declared', { type: 'object', required: ['other'], properties: { name: {} } }],
  [
    'a part that is closed and one that is not',
    {
      anyOf: [
        { type: 'object', additionalProperties: false, properties: { name: {} }, required: ['name'] },
        { type: 'object', properties: { any: {} }, minProperties: 2 },
      ],
    },
  ],
  ['properties that every object has', { type: 'object', required: ['constructor'], properties: { constructor: {}, name: {} } }],
  ['an open object', { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: { not: { type: 'null' } } }],
  ['a list of objects', { type: 'array', items: { type: 'object', properties: { name: {}, count: { type: 'integer' } } } }],
];

const judge = new Ajv2020({ strict: false, allErrors: false, ownProperties: true });
(addFormatsModule as unknown as (ajv: Ajv2020) => void)(judge);

test('of 10,000 results of handlers, all that is sent is valid when it is parsed again, and the rest is refused', () => {
  const random = randomOf(20261123);
  const ROUNDS = Math.ceil(10_000 / SCHEMAS.length);
  const wrong: unknown[] = [];
  const counts = { sent: 0, refused: 0 };
  for (const [name, schema] of SCHEMAS) {
    const document = operationDocument({ responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } });
    const pointer = '#/paths/~1things/get/responses/200/content/application~1json/schema';
    const validate = createCompileSent(document, createSchemaCompiler(document, 'response', 'required'))(schema, pointer);
    const isValid = judge.compile(schema);
    for (let i = 0; i < ROUNDS; i++) {
      const given = valueOf(random, 2);
      const problems: string[] = [];
      const value = validate(given, 'response/body', problems);
      const text = problems.length > 0 ? undefined : stringifyJson(value);
      if (problems.length > 0) counts.refused++;
      else counts.sent++;
      const sent = problems.length > 0 ? undefined : (JSON.parse(text ?? 'undefined') as unknown);
      if (problems.length === 0 && (!isValid(sent) || JSON.stringify(sent) !== text)) wrong.push({ name, given, text });
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  // Neither can be all of them.
  expect(counts.sent).toBeGreaterThan(2000);
  expect(counts.refused).toBeGreaterThan(2000);
});

const responses = (schema: object, item: string) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
  201: { description: 'ok', content: { 'application/jsonl': { [item]: schema } } },
  202: { description: 'ok', content: { 'text/event-stream': { [item]: schema } } },
});
const paths = (item: string, schemas: typeof SCHEMAS) =>
  JSON.stringify(
    Object.fromEntries(
      schemas.flatMap(([, schema], i) =>
        ['plain', 'express', 'lines', 'events'].map((kind) => [
          `/${kind}${i}`,
          { get: { operationId: `${kind}${i}`, responses: responses(schema, item) } },
        ]),
      ),
    ),
  );

/** The values above are of the validator; these show that bodies, Express handlers and items all ask it, in each version. */
const OVER_HTTP = ['anything', 'a list of numbers', 'properties'];

/** How a client reads the item that a stream has sent first; `undefined` if there is none. */
const readers: Record<string, (text: string) => unknown> = {
  plain: JSON.parse,
  express: JSON.parse,
  lines: (text): unknown => (text === '' ? undefined : JSON.parse(text)),
  events: (text): unknown => {
    const [first = ''] = text.split('\n\n');
    if (!first.startsWith('data: ')) return undefined;
    const data = first
      .split('\n')
      .map((line) => line.slice('data: '.length))
      .join('\n');
    try {
      return JSON.parse(data);
    } catch {
      return data;
    }
  },
};

describe.each([
  ['3.0', '3.0.3', 'x-item-schema'],
  ['3.2', '3.2.0', 'itemSchema'],
])('over HTTP, in OpenAPI %s', (_, openapi, item) => {
  let given: unknown;
  let app: ListeningServer;
  // OpenAPI 3.0 has no type null.
  const schemas = SCHEMAS.filter(
    ([name, schema]) => OVER_HTTP.includes(name) && (openapi !== '3.0.3' || !JSON.stringify(schema).includes('null')),
  );
  const handlers = Object.fromEntries(
    schemas.flatMap((_schema, i) => [
      [`plain${i}`, () => HandlerResponse.reply(200, { body: given })],
      [`express${i}`, express(((_req: unknown, res: { json: (value: unknown) => void }) => res.json(given)) as never)],
      [`lines${i}`, () => HandlerResponse.reply(201, { items: [given] })],
      [`events${i}`, () => HandlerResponse.reply(202, { items: [given] })],
    ]),
  );
  beforeAll(async () => {
    app = await serve(`openapi: ${openapi}\ninfo: { title: Test, version: '1' }\npaths: ${paths(item, schemas)}\n`, { handlers });
  });
  afterAll(() => app.close());

  test.each(schemas.map(([name, schema], i) => [name, schema, i] as const))(
    '%s: bodies, Express handlers and items',
    async (_name, schema, i) => {
      const isValid = judge.compile(schema);
      const statuses = new Set<number>();
      for (const make of [...HOSTILE, ...PLAIN, () => ({ name: 'x', any: NaN }), () => [1, , 3]])
        for (const [kind, read] of Object.entries(readers)) {
          given = make();
          const response = await fetch(`${app.url}/${kind}${i}`);
          statuses.add(response.status);
          const text = await response.text();
          if (response.status >= 300) continue;
          const value = read(text);
          if (value !== undefined && !isValid(value)) throw new Error(`${kind} has sent ${text}`);
        }
      expect([...statuses]).toContain(500);
    },
  );
});

test.each([-1, NaN, Infinity, 1.5, 2 ** 60, '5', 5n])(
  'a stream of the length %p is a logged 500, not a connection that is cut off',
  async (length) => {
    const download = { 200: { description: 'ok', content: { 'application/octet-stream': {} } } };
    let isClosed = false;
    async function* bytes() {
      try {
        yield Buffer.from('12345');
      } finally {
        isClosed = true;
      }
    }
    const source = Readable.from(bytes());
    source.once('close', () => (isClosed = true));
    const app = await serve(`paths: ${JSON.stringify({ '/x': { get: { operationId: 'op', responses: download } } })}\n`, {
      handlers: { op: () => HandlerResponse.reply(200, { stream: source, length } as never) },
    });
    const response = await fetch(`${app.url}/x`, { headers: { Range: 'bytes=0-1' } });
    expect(response.status).toBe(500);
    await response.text();
    expect(app.log.map(({ err }) => String(err)).join()).toContain('the length of a stream must be a number of bytes');
    expect(isClosed).toBe(true);
    await app.close();
  },
);

describe('a text of an event', () => {
  const schema = { type: 'object', required: ['data'], properties: { data: { type: 'string', maxLength: 3 }, id: { type: 'string' } } };
  const events = { 200: { description: 'ok', content: { 'text/event-stream': { 'x-item-schema': schema } } } };
  const send = async (item: object) => {
    const app = await serve(`paths: ${JSON.stringify({ '/x': { get: { operationId: 'op', responses: events } } })}\n`, {
      handlers: { op: () => HandlerResponse.reply(200, { items: [item] }) },
    });
    const response = await fetch(`${app.url}/x`);
    const text = await response.text();
    await app.close();
    return response.status === 200 ? text : response.status;
  };

  test('is validated as it arrives, with a line feed for each of its line breaks', async () => {
    expect(await send({ data: 'a\r\nb' })).toBe('data: a\ndata: b\n\n');
    expect(await send({ data: 'a\r\nbc' })).toBe(500);
  });

  test('with an unpaired surrogate is not sent: it would arrive as U+FFFD', async () => {
    expect(await send({ data: '\ud800' })).toBe(500);
    expect(await send({ data: 'a', id: '\ud800' })).toBe(500);
  });
});

test('a bigint is written as an integer where a program has given bigint a toJSON', () => {
  const prototype = BigInt.prototype as { toJSON?: () => string };
  prototype.toJSON = () => 'text';
  try {
    expect(stringifyJson({ id: 2n ** 60n + 1n })).toBe('{"id":1152921504606846977}');
  } finally {
    delete prototype.toJSON;
  }
});

describe('an object that a handler gives', () => {
  const text = { type: 'string' };
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: text,
      at: { type: 'object', properties: { city: text } },
      secret: { ...text, writeOnly: true },
    },
  };
  const document = operationDocument({ responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } });
  const pointer = '#/paths/~1things/get/responses/200/content/application~1json/schema';
  const validate = createCompileSent(document, createSchemaCompiler(document, 'response', 'required'))(
    schema as Parameters<ReturnType<typeof createCompileSent>>[0],
    pointer,
  );
  const sent = (given: unknown) => {
    const problems: string[] = [];
    return { text: stringifyJson(validate(given, 'body', problems)), problems };
  };

  test.each([
    ['in the order of its schema', { id: 1, name: 'a', at: { city: 'b' } }, '{"id":1,"name":"a","at":{"city":"b"}}'],
    ['in another order', { at: { city: 'b' }, name: 'a', id: 1 }, '{"at":{"city":"b"},"name":"a","id":1}'],
    ['with some of its properties', { name: 'a' }, '{"name":"a"}'],
    ['with undefined', { id: 1, name: undefined, at: undefined }, '{"id":1}'],
    ['with an undeclared property', { owner: 7, id: 1, at: { zip: 'c', city: 'b' } }, '{"id":1,"at":{"city":"b"}}'],
    ['with a property that is write-only', { id: 1, secret: 's' }, '{"id":1}'],
    ['with a symbol', { id: 1, [Symbol('s')]: 2 }, '{"id":1}'],
  ])('%s is sent in its order, without what is undeclared', (_, given, expected) => {
    const before = structuredClone(JSON.parse(JSON.stringify(given)) as unknown);
    expect(sent(given)).toEqual({ text: expected, problems: [] });
    expect(JSON.parse(JSON.stringify(given))).toEqual(before);
  });

  test.each([
    ['alone', {}],
    ['beside an undeclared property', { owner: 1 }],
  ])('with getters %s is read once: what is validated is what is sent', (_, others) => {
    let reads = 0;
    const changing = (first: unknown, later: unknown) => ({ enumerable: true, get: () => (++reads === 1 ? first : later) });
    expect(sent(Object.defineProperty({ id: 1, ...others }, 'name', changing('a', 5)))).toEqual({
      text: '{"id":1,"name":"a"}',
      problems: [],
    });
    expect(reads).toBe(1);
    reads = 0;
    const nested = Object.defineProperty({ ...others }, 'at', changing({ city: 'b' }, 5));
    expect(sent(nested)).toEqual({ text: '{"at":{"city":"b"}}', problems: [] });
    expect(reads).toBe(1);
  });
});
