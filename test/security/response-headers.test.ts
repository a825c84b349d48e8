/** Headers that keep responses where they belong: out of caches, and read as what they are; and messages that repeat no controls. */
import { describe, expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { startApp } from '../support/service/app.ts';
import { createEmptyStore, UNLIMITED } from '../support/service/limits.ts';
import { openShop } from '../support/service/shop.ts';

const database = withDatabase();
let reason: string | undefined;
const app = withApp(() => startApp(database.db, { readiness: { reason: () => reason, check: async () => reason } }));
const shop = withFixture(() => openShop(database.db, 1));

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method,
    headers: { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('Cache-Control', () => {
  test.each<[what: string, expected: string, request: () => Promise<Response>]>([
    ['a read of the account', 'private, no-cache', () => send('GET', '/pets')],
    ['a 304', 'private, no-cache', () => send('GET', `/store/pets/${shop.petIds[0]}`, undefined, { 'If-None-Match': '*' })],
    ['a read without a key', 'private, no-cache', () => fetch(`${app.url}/account`)],
    ['a key that is shown once', 'no-store', () => send('POST', '/account/keys', { name: 'Till' })],
    ['an account with its first key', 'no-store', () => send('POST', '/accounts', { email: 'headers@example.com' })],
    ['a webhook with its secret', 'no-store', () => send('PUT', '/account/webhook', { url: 'https://example.com/' })],
    ['an invalid body', 'no-store', () => send('POST', '/categories', {})],
    ['an unknown path', 'no-store', () => send('GET', '/nowhere')],
    ['an unknown method', 'no-store', () => send('POST', '/store/inventory')],
    ['a probe', 'no-store', () => send('GET', '/livez')],
    ['the contract, which is public', 'no-cache', () => send('GET', '/openapi.yaml')],
  ])('of %s is %s', async (_what, expected, request) => {
    const response = await request();
    expect([response.headers.get('cache-control'), response.headers.get('x-content-type-options')]).toEqual([expected, 'nosniff']);
  });
});

describe('a deprecated operation says so', () => {
  const deprecation = (response: Response) => [
    response.status,
    response.headers.get('deprecation'),
    response.headers.get('sunset'),
    response.headers.get('link'),
  ];
  const announced = [`@${Date.UTC(2026, 10, 1) / 1000}`, 'Fri, 31 Dec 2027 00:00:00 GMT', '</store/pets/7>; rel="successor-version"'];

  test('with 401', async () => {
    expect(deprecation(await fetch(`${app.url}/pets/7`))).toEqual([401, ...announced]);
  });

  test('with 503', async () => {
    reason = 'the database lacks migrations';
    expect(deprecation(await send('GET', '/pets/7'))).toEqual([503, ...announced]);
    reason = undefined;
  });

  test('with 429, as the contract declares it', async () => {
    const limited = await startApp(database.db, { rateLimit: { store: createEmptyStore(), plans: UNLIMITED } });
    try {
      const response = await fetch(`${limited.url}/pets/7`, { headers: { Authorization: `Bearer ${shop.key}` } });
      expect(deprecation(response)).toEqual([429, ...announced]);
      expect(limited.log.filter(({ level }) => level !== 'info')).toEqual([]);
    } finally {
      await limited.close();
    }
  });
});

describe('probes and documents', () => {
  const paths = ['/livez', '/readyz', '/openapi.yaml', '/openapi.json'];

  test.each(paths)('OPTIONS %s is 204 with the methods', async (path) => {
    const response = await send('OPTIONS', path);
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test.each(paths)('POST %s is 405 with the methods', async (path) => {
    const response = await send('POST', path, {});
    expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      { code: 'method_not_allowed', message: `${path} has no POST, only GET, HEAD, OPTIONS`, status: 405 },
    ]);
  });
});

describe('a message has no control characters', () => {
  test.each<[where: string, request: () => Promise<Response>]>([
    ['a property', () => send('POST', '/categories', { 'a\u0000b\u001b[31m\u0085\u2028\u202Ec\r\n': 1 })],
    ['a query parameter', () => send('GET', '/pets?a%00%1b%0d%0ab%c2%85%e2%80%ae=1')],
    ['a Content-Type', () => send('POST', '/categories', {}, { 'Content-Type': 'text/\u0085plain' })],
  ])('of %s', async (_where, request) => {
    const { message } = (await (await request()).json()) as { message: string };
    expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E]/u);
  });
});

describe('PUT with If-None-Match', () => {
  const put = async (path: string, body: object, header: string) => (await send('PUT', path, body, { 'If-None-Match': header })).status;

  test.each<[name: string, path: () => string, body: () => object]>([
    ['pet', () => `/pets/${shop.petIds[0]}`, () => ({ name: 'Rex', categoryId: shop.categoryId })],
    ['category', () => `/categories/${shop.categoryId}`, () => ({ name: 'Cats' })],
    ['inventory', () => `/store/inventory/${shop.petIds[0]}`, () => ({ quantity: 3 })],
  ])('* is 412 for a %s that is there, and so is its ETag', async (_name, path, body) => {
    const before = await (await send('GET', path())).text();
    expect(await put(path(), body(), '*')).toBe(412);
    const read = await send('GET', path());
    expect(await put(path(), body(), read.headers.get('etag') ?? '')).toBe(412);
    expect(await put(path(), body(), `W/${read.headers.get('etag')}`)).toBe(412);
    expect(await (await send('GET', path())).text()).toBe(before);
    expect(await put(path(), body(), '"another"')).toBe(200);
  });

  test('* makes a webhook where there is none', async () => {
    await send('DELETE', '/account/webhook');
    expect(await put('/account/webhook', { url: 'https://example.com/' }, '*')).toBe(200);
    expect(await put('/account/webhook', { url: 'https://example.com/' }, '*')).toBe(412);
  });
});

test('a body with 7,000 undeclared properties costs little more than reading it', async () => {
  const body = Object.fromEntries(Array.from({ length: 7000 }, (_, i) => [String(i), 1]));
  const parse = performance.now();
  for (let i = 0; i < 10; i++) JSON.parse(JSON.stringify(body));
  const unit = (performance.now() - parse) / 10;
  // Ten times that, and more, with a description of each.
  const limit = Math.max(5, 4 * unit);
  // One is enough: on a busy machine most of them wait for a processor.
  let least = Infinity;
  for (let i = 0; i < 100 && least >= limit; i++) {
    const response = await send('POST', '/categories', body);
    expect(((await response.json()) as { message: string }).message).toMatch(/; and at least 30 more$/);
    least = Math.min(least, app.log.findLast(({ message }) => message === 'answered')?.['ms'] as number);
  }
  expect(least).toBeLessThan(limit);
});
