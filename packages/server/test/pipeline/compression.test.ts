/** Compression of responses, and what caches are told of the published contract. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { HeaderFields } from '@specwright/contract';
import { HandlerResponse } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { preferredCoding } from '../../src/http/accept-encoding.ts';
import { isCompressible } from '../../src/pipeline/compression.ts';
import { serve } from '../support/serve.ts';

test.each<[accept: string | undefined, coding: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.8, br;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.0', undefined],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip, identity', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['br;Q=0.2, gzip; Q=0.3', 'gzip'],
  ['x-gzip', undefined],
])('Accept-Encoding %p is answered with %p', (accept, coding) => expect(preferredCoding(accept)).toBe(coding));

const fields = (name: string): HeaderFields => {
  const headers = new HeaderFields();
  headers.set(name, 'x');
  return headers;
};

test.each(['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'])(
  'a response with %s is not compressed, because the field is of its bytes',
  (name) => expect([isCompressible(fields(name)), isCompressible(fields('Content-Language'))]).toEqual([false, true]),
);

const READ = `      parameters: [{ name: length, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, headers: { Cache-Control: { schema: { type: string } } }, content: { application/json: { schema: { type: string } }, image/png: {} } }
`;
const YAML = `paths:
  /texts/{length}:
    get:
      operationId: getText
${READ}    post:
      operationId: postText
${READ}`;
const CACHE_CONTROL: Readonly<Record<number, string>> = { 2003: 'no-store', 2005: 'public, no-transform', 2007: 'no-storefront' };
const textOf = (length: number) => 'ab'.repeat(length / 2 - 1);
const app = withApp(() =>
  serve(YAML, {
    compression: true,
    handlers: {
      getText: ({ path: { length } }: { path: { length: number } }) =>
        HandlerResponse.reply(
          200,
          length === 2001
            ? { type: 'image/png', body: Buffer.alloc(length) }
            : CACHE_CONTROL[length] !== undefined
              ? { type: 'application/json', headers: { 'Cache-Control': CACHE_CONTROL[length] }, body: textOf(length) }
              : { type: 'application/json', body: textOf(length) },
        ),
      postText: ({ path: { length } }: { path: { length: number } }) =>
        HandlerResponse.reply(200, { type: 'application/json', body: textOf(length) }),
    },
  }),
);

interface Raw {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
}

/** `fetch` hides the coding. */
const ask = (path: string, accept?: string, method = 'GET', more: object = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = { ...more, ...(accept === undefined ? {} : { 'accept-encoding': accept }) };
    request(app.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });

describe('a response', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('of 1 KiB and more is compressed with %s, small and large', async (coding, decompress) => {
    for (const length of [1024, 200_000]) {
      const { headers, bytes } = await ask(`/texts/${length}`, coding);
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
      expect(bytes.length).toBeLessThan(length / 2);
      expect(decompress(bytes).toString()).toBe(JSON.stringify(textOf(length)));
    }
  });

  test.each<[why: string, path: string, accept?: string, method?: string]>([
    ['is smaller', '/texts/1022', 'br'],
    ['is for a client that does not accept it', '/texts/2000'],
    ['is of a type that is compressed already', '/texts/2001', 'br'],
    ['must not be stored, as its handler says', '/texts/2003', 'br'],
    ['must not be transformed', '/texts/2005', 'br'],
    ['must not be stored, since it is that of a write', '/texts/2000', 'br', 'POST'],
  ])('is sent as it is if it %s', async (_, path, ...[accept, method]) => {
    const { status, headers, bytes } = await ask(path, accept, method);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(bytes.length));
  });

  test('to HEAD has the headers of GET', async () => {
    const [get, head] = [await ask('/texts/2000', 'br'), await ask('/texts/2000', 'br', 'HEAD')];
    const withoutId = (headers: Raw['headers']) => ({ ...headers, 'x-request-id': '', date: '' });
    expect([withoutId(head.headers), head.bytes.length]).toEqual([withoutId(get.headers), 0]);
  });
});

describe.each(['/openapi.json', '/openapi.yaml'])('%s', (path) => {
  test('has an ETag, by which it is 304, and is asked for each time', async () => {
    const { headers, bytes } = await ask(path);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.stringMatching(/^".+"$/), vary: 'Accept-Encoding' });
    for (const tag of [headers['etag'], `W/${String(headers['etag'])}`, '*', `"other", ${String(headers['etag'])}`])
      expect((await ask(path, undefined, 'GET', { 'if-none-match': tag })).status).toBe(304);
    expect((await ask(path, undefined, 'GET', { 'if-none-match': '"other"' })).status).toBe(200);
    const compressed = await ask(path, 'gzip');
    expect(gunzipSync(compressed.bytes)).toEqual(bytes);
    expect(compressed.headers['etag']).not.toBe(headers['etag']);
  });
});

test('without the option nothing is compressed', async () => {
  const plain = await serve(YAML, {
    handlers: { getText: () => HandlerResponse.reply(200, { type: 'application/json', body: textOf(2000) }) },
  });
  try {
    const response = await fetch(`${plain.url}/texts/2000`, { headers: { 'Accept-Encoding': 'br' } });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([null, null]);
  } finally {
    await plain.close();
  }
});
