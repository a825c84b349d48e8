/** Request bodies: which are accepted, and how the others are rejected. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { newAccount, startApp } from '../support/service/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));
const account = withFixture(() => newAccount(database.db));

const json = 'application/json';
const post = (body: string | Buffer, headers: Record<string, string> = { 'Content-Type': json }) =>
  fetch(`${app.url}/categories`, { method: 'POST', headers: { Authorization: `Bearer ${account.key}`, ...headers }, body });
const errorOf = async (response: Response) => {
  const { code, message, status } = (await response.json()) as { code: string; message: string; status: number };
  expect(status).toBe(response.status);
  return `${status} ${code}: ${message}`;
};

describe('rejects', () => {
  test.each<[name: string, body: string | Buffer, headers: Record<string, string>, answer: RegExp]>([
    ['malformed JSON', '{"name":', { 'Content-Type': json }, /^400 invalid_json: body is not JSON/],
    ['an empty body', '', { 'Content-Type': json }, /^400 invalid_request: body is required$/],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), { 'Content-Type': json }, /^400 invalid_json: body is not UTF-8$/],
    ['an unpaired surrogate', '{"name":"\\ud800"}', { 'Content-Type': json }, /^400 invalid_json: body has an unpaired surrogate$/],
    ['a NUL', '{"name":"a\\u0000b"}', { 'Content-Type': json }, /^400 invalid_request: body\/name must match pattern/],
    [
      'another media type',
      'name=Dogs',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      /^400 unsupported_content_type: header\/Content-Type must be application\/json, not/,
    ],
    ['another charset', '{"name":"Dogs"}', { 'Content-Type': `${json}; charset=utf-16` }, /^400 unsupported_content_type/],
    [
      'an unknown encoding',
      '{"name":"Dogs"}',
      { 'Content-Type': json, 'Content-Encoding': 'lzma' },
      /^400 unsupported_content_type: header\/Content-Encoding/,
    ],
    [
      'Content-Encoding: gzip without gzip',
      '{"name":"Dogs"}',
      { 'Content-Type': json, 'Content-Encoding': 'gzip' },
      /^400 invalid_request: body cannot be decompressed/,
    ],
    ['a list', '[]', { 'Content-Type': json }, /^400 invalid_request: body must be object$/],
    ['null', 'null', { 'Content-Type': json }, /^400 invalid_request: body must be object$/],
    [
      'the property __proto__',
      '{"name":"x","__proto__":{"a":1}}',
      { 'Content-Type': json },
      /^400 invalid_request: body\/__proto__ is not declared$/,
    ],
    [
      'too many bytes',
      JSON.stringify({ name: 'x'.repeat(70_000) }),
      { 'Content-Type': json },
      /^413 body_too_large: the body is larger than 65536 bytes$/,
    ],
    [
      'too many bytes after decompression',
      gzipSync(Buffer.alloc(1_000_000)),
      { 'Content-Type': json, 'Content-Encoding': 'gzip' },
      /^413 body_too_large/,
    ],
  ])('%s', async (_name, body, headers, answer) => {
    expect(await errorOf(await post(body, headers))).toMatch(answer);
  });

  test('a body without Content-Type', async () => {
    const response = await fetch(`${app.url}/categories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.key}` },
      body: Buffer.from('{"name":"Dogs"}'),
    });
    expect(await errorOf(response)).toMatch(/^400 unsupported_content_type: header\/Content-Type must be application\/json$/);
  });

  test('a body with several problems, naming each with its location', async () => {
    const body = JSON.stringify({ name: '', categoryId: 'x', status: 'lost', extra: 1 });
    const response = await fetch(`${app.url}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': json },
      body,
    });
    const message = await errorOf(response);
    for (const place of ['body/name', 'body/categoryId', 'body/status', 'body/extra']) expect(message).toContain(place);
  });

  test('a body with a thousand problems, in a message that is as long as the contract allows', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`extra${i}`, 1])));
    expect(await errorOf(await post(body))).toMatch(/; and at least 30 more$/);
  });
});

describe('accepts', () => {
  test.each<[name: string, body: string | Buffer, headers: Record<string, string>]>([
    ['a media type with a charset', '{"name":"Dogs"}', { 'Content-Type': 'Application/JSON; Charset="UTF-8"' }],
    ['a media type with unknown parameters', '{"name":"Dogs"}', { 'Content-Type': `${json}; v=1` }],
    ['gzip', gzipSync('{"name":"Dogs"}'), { 'Content-Type': json, 'Content-Encoding': 'gzip' }],
    ['an emoji, escaped or not', '{"name":"\\ud83d\\udc36 🐶"}', { 'Content-Type': json }],
  ])('%s', async (_name, body, headers) => {
    expect((await post(body, headers)).status).toBe(201);
  });
});

test('keeps the connection alive after a body that is too large', async () => {
  const agent = request.agent(app.server).set('Authorization', `Bearer ${account.key}`).set('Connection', 'keep-alive');
  await agent
    .post('/categories')
    .send({ name: 'x'.repeat(500_000) })
    .expect(413);
  await agent.post('/categories').send({ name: 'Dogs' }).expect(201);
});

test('rejects a request without a key before it parses the body', async () => {
  const response = await fetch(`${app.url}/categories`, { method: 'POST', headers: { 'Content-Type': json }, body: 'not JSON' });
  expect(await errorOf(response)).toMatch(/^401 unauthorized/);
});

test('hundreds of different content types on a GET use no more memory', async () => {
  const get = (i: number) =>
    fetch(`${app.url}/pets`, { headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': `application/x-${i}; a=${i}` } });
  // Caches that fill with the first requests are full after these.
  for (let i = 0; i < 200; i++) await (await get(-i)).arrayBuffer();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let i = 0; i < 400; i++) expect((await get(i)).status).toBe(200);
  // A validator per type, which is what the library alone would keep, is some 40 kB each.
  expect(heap() - before).toBeLessThan(8_000_000);
});
