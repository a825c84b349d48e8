/** Bodies whose items a handler gets one by one: parsed, validated, bounded, and read no faster than it asks for them. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { until, withApp } from 'specwright/testing';
import { problemsOf } from '../../../contract/test/support/contract.ts';
import { headOf, rawClient } from '../support/raw-client.ts';
import { serve } from '../support/serve.ts';

const MAX_ITEM_BYTES = 200;
const LIMIT = 50_000_000;
const OK = "responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }";
const ITEM =
  '{ type: object, additionalProperties: false, required: [name], properties: { name: { type: string }, size: { type: string, default: s }, big: { type: integer, format: int64, x-int64: bigint }, count: { type: integer } } }';
const content = (required: boolean) =>
  `requestBody: { required: ${required}, content: { application/jsonl: { x-item-schema: ${ITEM} }, application/json-seq: { x-item-schema: ${ITEM} } } }`;
const YAML = `paths:
  /things: { post: { operationId: add, x-body-limit: ${LIMIT}, parameters: [{ name: q, in: query, schema: { type: integer } }], ${content(true)}, ${OK} } }
  /optional: { post: { operationId: maybe, ${content(false)}, ${OK} } }
  /numbers: { post: { operationId: numbers, requestBody: { content: { application/json-seq: { x-item-schema: {} } } }, ${OK} } }
`;

type Reply = (status: number, payload: object) => unknown;
type Handler = (input: { body: AsyncIterable<unknown> | undefined }, reply: Reply) => unknown;

/** What the last handler was given, item by item, and what its iterator has thrown. */
let items: unknown[];
let thrown: unknown;
let handler: Handler;
const readAll: Handler = async ({ body }, reply) => {
  for await (const item of body ?? []) items.push(item);
  return reply(200, { body: { items: items.length, hasBody: body !== undefined } });
};
const run: Handler = async (input, reply) => {
  try {
    return await handler(input, reply);
  } catch (error) {
    thrown = error;
    throw error;
  }
};
const handlers = { add: run, maybe: run, numbers: run };
const app = withApp(() => serve(YAML, { handlers, maxBodyBytes: MAX_ITEM_BYTES, requestTimeoutMs: 400, metrics: { maxAgeMs: 0 } }));
beforeEach(() => {
  handler = readAll;
  items = [];
  thrown = undefined;
});

const LINES = 'application/jsonl';
const RECORDS = 'application/json-seq';

async function post(body: string | Uint8Array, type = LINES, path = '/things', headers = {}): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body: body as never });
  return [response.status, (await response.json()) as Record<string, unknown>];
}

describe('items reach the handler', () => {
  test.each<[name: string, type: string, body: string]>([
    ['of lines', LINES, '{"name":"a"}\n{"name":"b","size":"l"}\n'],
    ['of lines without an end, with blank ones between', LINES, '\n{"name":"a"}\r\n \n\n{"name":"b","size":"l"}'],
    ['of lines with a byte order mark', LINES, '\uFEFF{"name":"a"}\n{"name":"b","size":"l"}'],
    ['of records', RECORDS, '\x1E{"name":"a"}\n\x1E{"name":"b","size":"l"}\n'],
    [
      'of records with line breaks in them, without an end, with empty ones between',
      RECORDS,
      '\x1E\x1E{"name":\n"a"}\n\x1E{"name":"b","size":"l"}',
    ],
  ])('%s, validated, with defaults', async (_name, type, body) => {
    expect((await post(body, type))[0]).toBe(200);
    expect(items).toEqual([
      { name: 'a', size: 's' },
      { name: 'b', size: 'l' },
    ]);
  });

  test('with integers of 64 bits, and text that comes in pieces', async () => {
    const client = await rawClient(app.url);
    const body = Buffer.from('{"name":"ü","big":9007199254740993}\n{"name":"é"}');
    client.write(headOf('/things', { 'Content-Type': LINES, 'Content-Length': body.length }));
    for (const byte of body) {
      client.write(Buffer.of(byte));
      if (byte > 127) await new Promise(setImmediate);
    }
    expect(await client.status()).toBe(200);
    expect(items).toEqual([
      { name: 'ü', size: 's', big: 9007199254740993n },
      { name: 'é', size: 's' },
    ]);
  });

  test('decompressed', async () => {
    const body = gzipSync('{"name":"a"}\n'.repeat(10_000));
    expect(await post(body, LINES, '/things', { 'Content-Encoding': 'gzip' })).toEqual([200, { items: 10_000, hasBody: true }]);
  });

  test('none of a body of blank lines; a body of no bytes is refused where it is required, and absent where it is not', async () => {
    expect(await post('\n\n')).toEqual([200, { items: 0, hasBody: true }]);
    expect(await post('')).toEqual([400, expect.objectContaining({ message: 'body is required' })]);
    expect(await post('', LINES, '/optional')).toEqual([200, { items: 0, hasBody: false }]);
    const chunked = await rawClient(app.url);
    chunked.write(headOf('/things', { 'Content-Type': LINES, 'Transfer-Encoding': 'chunked' }) + '0\r\n\r\n');
    expect(await chunked.status()).toBe(400);
  });
});

describe('an item that is none ends the body, and answers the request', () => {
  const first = '{"name":"a"}\n';
  const record = (text: string) => `\x1E${text}`;
  test.each<[name: string, type: string, body: string | Buffer, status: number, message: string, before: number]>([
    ['of the wrong type', LINES, `${first}${first}${first}{"name":5}\n${first}`, 400, 'body/3/name must be string', 3],
    ['with an undeclared property', LINES, `${first}{"name":"b","x":1}`, 400, 'body/1/x is not declared', 1],
    ['that is no object', LINES, `${first}[]`, 400, 'body/1 must be object', 1],
    ['that is not JSON', LINES, `${first}\n{"name":\n`, 400, 'body/1 is not JSON: ', 1],
    ['with a property twice', LINES, '{"name":"a","name":"b"}', 400, 'body/0/name is given twice', 0],
    ['with an integer that would be rounded', LINES, '{"name":"a","count":9007199254740993}', 400, 'body/0/count is an integer that', 0],
    ['that is not UTF-8', LINES, Buffer.from([0x22, 0xff, 0x22, 0x0a]), 400, 'body/0 is not UTF-8', 0],
    [
      'that is too long',
      LINES,
      `${first}${'x'.repeat(MAX_ITEM_BYTES + 1)}`,
      413,
      `body/1 is larger than ${MAX_ITEM_BYTES} bytes, the bound of an item (MAX_BODY_BYTES)`,
      1,
    ],
    ['that is cut off', RECORDS, record(first) + record('{"name":'), 400, 'body/1 is not JSON: ', 1],
    ['without a separator', RECORDS, first, 400, 'body/0 has no record separator before it (RFC 7464)', 0],
  ])('%s', async (_name, type, body, status, message, before) => {
    const answer = await post(body, type);
    expect([answer[0], String(answer[1]['message']).slice(0, message.length)]).toEqual([status, message]);
    expect(items).toHaveLength(before);
    expect(thrown).toMatchObject({ message: answer[1]['message'] });
  });

  test('one of exactly the largest size is none, in one chunk and in several', async () => {
    const item = `{"name":"${'x'.repeat(MAX_ITEM_BYTES - 11)}"}`;
    expect(item).toHaveLength(MAX_ITEM_BYTES);
    expect((await post(`${item}\n${item}`))[0]).toBe(200);
    expect((await post(`${item} `))[0]).toBe(413);
  });

  test('a number of a record without white space after it may have been cut off', async () => {
    expect((await post('\x1E12\n\x1E3 ', RECORDS, '/numbers'))[0]).toBe(200);
    expect(items).toEqual([12, 3]);
    items = [];
    expect((await post('\x1E12\n\x1E3', RECORDS, '/numbers'))[1]).toMatchObject({ status: 400, message: 'body/1 is cut off' });
  });

  test('a handler that catches it may answer otherwise', async () => {
    handler = async (input, reply) => {
      try {
        return await readAll(input, reply);
      } catch {
        return reply(200, { body: { kept: items.length } });
      }
    };
    expect(await post(`${first}{}`)).toEqual([200, { kept: 1 }]);
  });

  test('what is wrong with the rest of the request is refused before the handler is called', async () => {
    expect((await post(first, LINES, '/things?q=x'))[1]).toMatchObject({ status: 400, message: 'query/q must be integer' });
    expect((await post(first, 'application/json'))[0]).toBe(415);
    expect([items, thrown]).toEqual([[], undefined]);
  });
});

describe('the handler sets the pace', () => {
  test('what it does not ask for is not read, and the deadline does not count the time that the client takes', async () => {
    let next: () => void = () => undefined;
    handler = async ({ body }, reply) => {
      for await (const item of body ?? []) {
        items.push(item);
        if (items.length === 1) await new Promise<void>((resolve) => (next = resolve));
      }
      return reply(200, { body: {} });
    };
    const sending = httpRequest(app.url + '/things', { method: 'POST', headers: { 'Content-Type': LINES } });
    const answered = once(sending, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
    const line = Buffer.from(`{"name":"${'a'.repeat(180)}"}\n`.repeat(100));
    let written = 0;
    const fill = () => {
      while (written < 30_000_000) {
        written += line.length;
        if (!sending.write(line)) return void sending.once('drain', fill);
      }
      sending.end();
    };
    fill();
    await until(() => items.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // What the sockets of both sides and the streams have taken.
    expect(written).toBeLessThan(12_000_000);
    next();
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(items.length).toBe(Math.ceil(30_000_000 / line.length) * 100);
  });

  test('a handler that takes longer than the deadline for all items, and not for one, is not ended', async () => {
    handler = async ({ body }, reply) => {
      for await (const item of body ?? []) {
        items.push(item);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return reply(200, { body: {} });
    };
    expect((await post('{"name":"a"}\n'.repeat(7)))[0]).toBe(200);
    expect(items).toHaveLength(7);
  });

  test('a client that takes longer than the deadline for its next item is waited for', async () => {
    const client = await rawClient(app.url);
    client.write(headOf('/things', { 'Content-Type': LINES, 'Content-Length': 26 }) + '{"name":"a"}\n');
    await until(() => items.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    client.write('{"name":"b"}\n');
    expect(await client.status()).toBe(200);
  });

  test('a client that goes away ends the iterator with an error', async () => {
    const client = await rawClient(app.url);
    client.write(headOf('/things', { 'Content-Type': LINES, 'Content-Length': 1000 }) + '{"name":"a"}\n');
    await until(() => items.length === 1);
    client.socket.destroy();
    await until(() => thrown !== undefined);
    expect(thrown).toMatchObject({ code: 'invalid_request' });
  });

  test('a handler that stops early answers, and one that does not look at the body as well', async () => {
    handler = async ({ body }, reply) => {
      for await (const item of body ?? []) return reply(200, { body: { item } });
      return reply(200, { body: {} });
    };
    expect(await post('{"name":"a"}\n{}')).toEqual([200, { item: { name: 'a', size: 's' } }]);
    handler = (_, reply) => reply(200, { body: {} });
    expect(await post('{')).toEqual([200, {}]);
    const { text } = await fetch(`${app.url}/metrics`).then(async (response) => ({ text: await response.text() }));
    expect(text).toMatch(/^http_server_body_bytes 0$/m);
  });
});

const upload = (media: string, more = '') =>
  `paths:\n  /a:\n    post:\n      operationId: a\n      responses: { '204': { description: ok } }\n${more}      requestBody: { content: { ${media} } }\n`;
const KEY = '      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]\n';

test.each<[name: string, yaml: string, problems: unknown[]]>([
  ['a bound beyond 1 GiB', upload('application/jsonl: { x-item-schema: {} }', '      x-body-limit: 1099511627776\n'), []],
  [
    'x-stream beside it',
    upload('application/jsonl: { x-stream: true, x-item-schema: {} }'),
    [expect.stringContaining('the items of application/jsonl are parsed: remove it')],
  ],
  [
    'an Idempotency-Key without a digest',
    upload('application/jsonl: { x-item-schema: {} }', KEY),
    [expect.stringContaining('Content-Digest')],
  ],
  [
    'a schema that does not compile',
    upload("application/jsonl: { x-item-schema: { $ref: '#/components/schemas/None' } }"),
    [expect.stringContaining('None')],
  ],
])('a contract with items and %s', async (_name, yaml, problems) => {
  expect(await problemsOf(yaml)).toEqual(problems);
});
