/** What a client may put into a body, and what it is told about the rest. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { newAccount, startApp, type TestApp } from '../support/app.ts';

let database: TestDatabase;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db);
  ({ key } = await newAccount(database.db));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const json = 'application/json';
const post = (body: string | Buffer, headers: Record<string, string> = { 'Content-Type': json }) =>
  fetch(`${app.url}/categories`, { method: 'POST', headers: { Authorization: `Bearer ${key}`, ...headers }, body });
const told = async (response: Response) => {
  const { code, message, status } = (await response.json()) as { code: string; message: string; status: number };
  expect(status).toBe(response.status);
  return `${status} ${code}: ${message}`;
};

describe('refused', () => {
  test.each<[name: string, body: string | Buffer, headers: Record<string, string>, answer: RegExp]>([
    ['no JSON', '{"name":', { 'Content-Type': json }, /^400 invalid_json: body is not JSON/],
    ['no bytes', '', { 'Content-Type': json }, /^400 invalid_request: body is required$/],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), { 'Content-Type': json }, /^400 invalid_json: body is not UTF-8$/],
    ['half a surrogate pair', '{"name":"\\ud800"}', { 'Content-Type': json }, /^400 invalid_json: body has an unpaired surrogate$/],
    ['a NUL', '{"name":"a\\u0000b"}', { 'Content-Type': json }, /^400 invalid_request: body\/name must match pattern/],
    [
      'another type',
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
      'not gzip though it says so',
      '{"name":"Dogs"}',
      { 'Content-Type': json, 'Content-Encoding': 'gzip' },
      /^400 invalid_request: body cannot be decompressed/,
    ],
    ['a list', '[]', { 'Content-Type': json }, /^400 invalid_request: body must be object$/],
    ['null', 'null', { 'Content-Type': json }, /^400 invalid_request: body must be object$/],
    [
      'a property that reaches for the prototype',
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
      'too many bytes once unpacked',
      gzipSync(Buffer.alloc(1_000_000)),
      { 'Content-Type': json, 'Content-Encoding': 'gzip' },
      /^413 body_too_large/,
    ],
  ])('%s', async (_name, body, headers, answer) => {
    expect(await told(await post(body, headers))).toMatch(answer);
  });

  test('a body without a type', async () => {
    const response = await fetch(`${app.url}/categories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: Buffer.from('{"name":"Dogs"}'),
    });
    expect(await told(response)).toMatch(/^400 unsupported_content_type: header\/Content-Type must be application\/json$/);
  });

  test('every problem at once, each with its place', async () => {
    const body = JSON.stringify({ name: '', categoryId: 'x', status: 'lost', extra: 1 });
    const response = await fetch(`${app.url}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': json },
      body,
    });
    const message = await told(response);
    for (const place of ['body/name', 'body/categoryId', 'body/status', 'body/extra']) expect(message).toContain(place);
  });

  test('a thousand problems are counted, and the message stays within the contract', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`extra${i}`, 1])));
    expect(await told(await post(body))).toMatch(/; and 981 more$/);
  });
});

describe('accepted', () => {
  test.each<[name: string, body: string | Buffer, headers: Record<string, string>]>([
    ['a type with a charset', '{"name":"Dogs"}', { 'Content-Type': 'Application/JSON; Charset="UTF-8"' }],
    ['a type with parameters nobody knows', '{"name":"Dogs"}', { 'Content-Type': `${json}; v=1` }],
    ['gzip', gzipSync('{"name":"Dogs"}'), { 'Content-Type': json, 'Content-Encoding': 'gzip' }],
    ['an emoji, escaped or not', '{"name":"\\ud83d\\udc36 🐶"}', { 'Content-Type': json }],
  ])('%s', async (_name, body, headers) => {
    expect((await post(body, headers)).status).toBe(201);
  });
});

test('a connection can be used again after a body that was too large', async () => {
  const agent = request.agent(app.server).set('Authorization', `Bearer ${key}`).set('Connection', 'keep-alive');
  await agent
    .post('/categories')
    .send({ name: 'x'.repeat(500_000) })
    .expect(413);
  await agent.post('/categories').send({ name: 'Dogs' }).expect(201);
});

test('a caller without a key is refused before its body is read', async () => {
  const response = await fetch(`${app.url}/categories`, { method: 'POST', headers: { 'Content-Type': json }, body: 'not JSON' });
  expect(await told(response)).toMatch(/^401 unauthorized/);
});

test('a thousand invented content types on a GET leave memory as it was', async () => {
  const get = (i: number) =>
    fetch(`${app.url}/pets`, { headers: { Authorization: `Bearer ${key}`, 'Content-Type': `application/x-${i}; a=${i}` } });
  // What is allocated by being used at all is allocated now.
  for (let i = 0; i < 200; i++) await (await get(-i)).arrayBuffer();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const started = performance.now();
  for (let i = 0; i < 500; i++) expect((await get(i)).status).toBe(200);
  const half = performance.now();
  for (let i = 500; i < 1000; i++) await (await get(i)).arrayBuffer();
  const first = half - started;
  const second = performance.now() - half;
  // A validator per type, which is what the library alone would keep, is some 40 kB each.
  expect(heap() - before).toBeLessThan(8_000_000);
  expect(second).toBeLessThan(first * 3);
});
