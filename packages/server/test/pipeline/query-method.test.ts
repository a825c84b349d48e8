/** QUERY (RFC 10008): content that has a type, `Accept-Query` wherever a client looks for it, safe, cacheable, conditional. */
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { HandlerResponse, type ByteRange } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { acceptedQueries } from '../../src/pipeline/accept-query.ts';
import { APP, send } from '../support/cors.ts';
import { serve } from '../support/serve.ts';

const CONTRACT = `openapi: 3.2.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: ok } } }
    post: { operationId: createNote, responses: { '201': { description: ok } } }
    query:
      operationId: findNotes
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody:
        content:
          application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } }
          application/vnd.notes+json;version=1: { schema: { type: object } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /files:
    query:
      operationId: findFile
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses:
        '200': { description: ok, headers: { ETag: { schema: { type: string } } }, content: { application/octet-stream: {} } }
        '206': { description: part, headers: { ETag: { schema: { type: string } } }, content: { application/octet-stream: {} } }
        '304': { description: same, headers: { ETag: { schema: { type: string } } } }
  /any:
    query:
      operationId: findAny
      requestBody: { content: { '*/*': {} } }
      responses: { '200': { description: ok } }
  /plain: { get: { operationId: plain, responses: { '200': { description: ok } } } }
`;

const TYPES = 'application/json, application/vnd.notes+json;version="1"';
const BYTES = Buffer.from('0123456789');

const app = withApp(() =>
  serve(CONTRACT, {
    cors: { origins: [APP] },
    handlers: {
      listNotes: () => HandlerResponse.reply(200, {}),
      findNotes: ({ body }: { body?: object }) => HandlerResponse.reply(200, { body: { found: body ?? null } }),
      findFile: () =>
        HandlerResponse.reply(200, {
          headers: { ETag: '"1"' },
          type: 'application/octet-stream',
          stream: ({ start = 0, end = BYTES.length - 1 }: Partial<ByteRange> = {}) => Readable.from([BYTES.subarray(start, end + 1)]),
          length: BYTES.length,
        }),
      findAny: () => HandlerResponse.reply(200, {}),
      plain: () => HandlerResponse.reply(200, {}),
    },
  }),
);
const query = (path: string, headers: Record<string, string>, body?: string) => send(app.url + path, { method: 'QUERY', headers, body });
const JSON_TYPE = { 'Content-Type': 'application/json' };

test('the handler gets the content, and nothing of it is stored by others without asking', async () => {
  const found = await query('/notes', JSON_TYPE, '{"text":"a"}');
  expect([found.status, found.body, found.headers['cache-control']]).toEqual([200, '{"found":{"text":"a"}}', undefined]);
});

describe('Content-Type', () => {
  test.each([
    ['missing beside content', 415, '/notes', {}, '{"text":"a"}'],
    ['missing without content, which the contract does not require', 415, '/notes', {}, undefined],
    ['missing where any type is accepted', 415, '/any', {}, '{}'],
    ['another one than the contract has', 415, '/notes', { 'Content-Type': 'text/csv' }, 'a'],
    ['of content that is another', 400, '/notes', JSON_TYPE, 'a'],
  ])('%s is refused, with Accept-Query', async (_what, status, path, headers, body) => {
    const refused = await query(path, headers, body);
    expect([refused.status, refused.headers['accept-query']]).toEqual([status, path === '/any' ? '*/*' : TYPES]);
  });
});

describe('Accept-Query', () => {
  test.each([
    ['GET', 200, TYPES],
    ['HEAD', 200, TYPES],
    ['OPTIONS', 204, TYPES],
    ['DELETE', 405, TYPES],
    ['POST', 501, undefined],
  ])('of %s: %s %s', async (method, status, types) => {
    const response = await send(`${app.url}/notes`, { method });
    expect([response.status, response.headers['accept-query']]).toEqual([status, types]);
    if (types !== undefined) expect(response.headers['access-control-expose-headers'] ?? 'Accept-Query').toContain('Accept-Query');
  });

  test('405 and OPTIONS name the method', async () => {
    for (const method of ['OPTIONS', 'DELETE'])
      expect((await send(`${app.url}/notes`, { method })).headers['allow']).toBe('GET, POST, QUERY, HEAD, OPTIONS');
  });

  test('a path without QUERY says nothing', async () => {
    for (const method of ['GET', 'OPTIONS', 'DELETE'])
      expect((await send(`${app.url}/plain`, { method })).headers).not.toHaveProperty('accept-query');
  });

  test('is a list of structured fields', () => {
    const body = { types: ['application/sql; charset=UTF-8', '3gpp/x', '*/*', 'text/*;q="a\\"b"'] };
    expect(acceptedQueries([{ method: 'query', body } as never])).toBe('application/sql;charset=UTF-8, "3gpp/x", */*, text/*;q="a\\"b"');
  });
});

test('pages of other origins have to ask first, and may read Accept-Query', async () => {
  const headers = { Origin: APP, 'Access-Control-Request-Method': 'QUERY', 'Access-Control-Request-Headers': 'content-type' };
  const preflight = await send(`${app.url}/notes`, { method: 'OPTIONS', headers });
  expect(preflight.headers['access-control-allow-methods']).toContain('QUERY');
  expect(preflight.headers['access-control-allow-headers']).toContain('Content-Type');
  const found = await query('/notes', { ...JSON_TYPE, Origin: APP }, '{"text":"a"}');
  expect(found.headers['access-control-expose-headers']).toContain('Accept-Query');
});

test('a result of bytes has conditions and ranges, as that of GET', async () => {
  const any = { 'Content-Type': 'application/octet-stream' };
  expect((await query('/files', { ...any, 'If-None-Match': '"1"' }, 'a')).status).toBe(304);
  expect((await query('/files', { ...any, 'If-Match': '"2"' }, 'a')).status).toBe(412);
  const part = await query('/files', { ...any, Range: 'bytes=2-3' }, 'a');
  expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '23', 'bytes 2-3/10']);
});

test('Idempotency-Key has no effect', async () => {
  const response = await query('/notes', { ...JSON_TYPE, 'Idempotency-Key': 'a' }, '{"text":"a"}');
  expect(response.headers).not.toHaveProperty('idempotent-replayed');
  expect(app.log.filter(({ msg }) => String(msg).includes('Idempotency-Key'))).toEqual([]);
});
