/** Every response has the rate limit headers, also those that Node writes; a request without a valid key is counted by its address. */
import { connect, type AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey, type ErrorBody } from '../support/service/client.ts';
import { createClock, realLimits } from '../support/service/limits.ts';

let notReady: string | undefined;
const database = withDatabase();
const limits = withFixture(
  () => realLimits(database.url, createClock()),
  ({ store }) => store.close(),
);
const app = withApp(() => {
  const readiness = { reason: () => notReady, check: async () => notReady };
  return startApp(database.db, { ...limits.options, readiness });
});
const proxied = withApp(() => {
  const rateLimit = { ...limits.options.rateLimit, trustProxy: { header: 'x-forwarded-for', hops: 1 } };
  return startApp(database.db, { ...limits.options, rateLimit });
});
const account = withFixture(() => newAccount(database.db));
beforeEach(() => database.db('rate_limit_counters').delete());

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.write(text);
  });
}

const json = 'Content-Type: application/json\r\n';
const request = (line: string, fields = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}${body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`;
const auth = () => `Authorization: Bearer ${account.key}\r\n`;

test.each<[status: number, name: string, text: () => string]>([
  [200, 'a list', () => request('GET /pets', auth())],
  [200, 'HEAD', () => request('HEAD /pets', auth())],
  [201, 'a created resource', () => request('POST /categories', auth() + json, '{"name":"Dogs"}')],
  [304, 'a resource that has not changed', () => request('GET /account', `${auth()}If-None-Match: *\r\n`)],
  [400, 'broken JSON', () => request('POST /categories', auth() + json, '{')],
  [401, 'no key', () => request('GET /pets')],
  [404, 'an unknown id', () => request('GET /store/pets/9', auth())],
  [404, 'an unknown path', () => request('GET /nowhere')],
  [405, 'a method that the path does not have', () => request('PUT /pets')],
  [413, 'a large body', () => request('POST /categories', auth() + json, `"${'x'.repeat(70_000)}"`)],
  [204, 'OPTIONS', () => request('OPTIONS /pets')],
  [200, '/livez', () => request('GET /livez')],
  [200, '/readyz', () => request('GET /readyz')],
  [200, 'the contract', () => request('GET /openapi.yaml')],
  [400, 'a path that is not UTF-8', () => request('GET /%ff')],
  [400, 'no Host', () => 'GET /pets HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [400, 'a malformed request line', () => 'HELLO\r\n\r\n'],
  [400, 'an unknown method', () => request('FROB /')],
  [431, 'headers of 20 KiB', () => request('GET /', `X-Big: ${'x'.repeat(20_000)}\r\n`)],
  [417, 'an unknown Expect', () => request('GET /', 'Expect: a miracle\r\n')],
])('%i: %s', async (status, _name, text) => {
  expectLimits(await raw(text()), status);
});

function expectLimits(answer: string, status: number): void {
  const [head = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    expect(head).toMatch(new RegExp(`^${name}: \\d+\r?$`, 'im'));
  expect(head).toMatch(/^RateLimit: "minute";r=\d+;t=\d+, "day";r=\d+;t=\d+\r?$/im);
  expect(head).toMatch(/^RateLimit-Policy: "minute";q=\d+;w=60, "day";q=\d+;w=86400\r?$/im);
  const reset = Number(/^x-ratelimit-reset: (\d+)/im.exec(head)?.[1]);
  expect(reset).toBeGreaterThan(Date.now() / 1000 - 1);
  expect(reset).toBeLessThan(Date.now() / 1000 + 86_402);
}

test('503 and 500', async () => {
  notReady = 'the schema is of another version';
  expectLimits(await raw(request('GET /pets', auth())), 503);
  notReady = undefined;
  await database.db.raw('ALTER TABLE pets RENAME TO missing');
  expectLimits(await raw(request('GET /pets', auth())), 500);
  await database.db.raw('ALTER TABLE missing RENAME TO pets');
});

const from = (address: string, path = '/nowhere', method = 'GET') =>
  clientWithKey(proxied.url, 'none')<ErrorBody>(method, path, undefined, { 'X-Forwarded-For': address });

describe('a request without a valid key', () => {
  test('counts for its address, 60 a minute; a valid key from there is not affected', async () => {
    const answers = [];
    for (let i = 0; i < 61; i++) answers.push(await from('192.0.2.1', i % 2 === 0 ? '/nowhere' : '/pets'));
    expect(countStatuses(answers)).toEqual({ 404: 30, 401: 30, 429: 1 });
    expect(answers[60]?.body.code).toBe('rate_limited');
    expect(await statusesOf('192.0.2.1', ['PUT /pets', 'GET /openapi.yaml', 'GET /livez'])).toEqual([429, 429, 200]);
    const good = await clientWithKey(proxied.url, account.key)('GET', '/pets', undefined, { 'X-Forwarded-For': '192.0.2.1' });
    expect([good.status, good.headers.get('x-ratelimit-remaining')]).toEqual([200, '59']);
  });

  const statusesOf = (address: string, calls: string[]) =>
    Promise.all(
      calls.map(async (call) => {
        const [method = '', path = ''] = call.split(' ');
        return (await fetch(proxied.url + path, { method, headers: { 'X-Forwarded-For': address } })).status;
      }),
    );

  test('gets the limits of its address, not those of a similar key', async () => {
    const { key: used } = await newAccount(database.db, 'pro');
    for (let i = 0; i < 5; i++) await clientWithKey(app.url, used)('GET', '/pets');
    const almost = `${used.slice(0, -1)}${used.endsWith('a') ? 'b' : 'a'}`;
    const refused = await clientWithKey(app.url, almost)('GET', '/pets');
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([401, '"minute";q=60;w=60, "day";q=5000;w=86400']);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('59');
  });

  test.each([
    ['each address has its own limit', ['192.0.2.7', '192.0.2.8'], ['59', '59']],
    ['only the entry of the proxy counts', ['1.1.1.1, 192.0.2.9', '2.2.2.2, 192.0.2.9'], ['59', '58']],
    ['IPv6 by /56', ['2001:db8:1:100::1', '2001:db8:1:1ff::2', '2001:db8:1:200::1'], ['59', '58', '59']],
    ['an address with a port', ['192.0.2.11', '192.0.2.11:5678', '[::ffff:192.0.2.11]:80'], ['59', '58', '57']],
    ['IPv6 in brackets', ['2001:db8:9::1', '[2001:db8:9::1]:443', '[2001:db8:9:1::]'], ['59', '58', '57']],
    ['IPv4 in IPv6 is IPv4', ['192.0.2.10', '::ffff:192.0.2.10', '::ffff:c000:20a'], ['59', '58', '57']],
  ])('%s', async (_name, addresses, remaining) => {
    const left = [];
    for (const address of addresses) left.push((await from(address)).headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(remaining);
  });

  test('ignores X-Forwarded-For unless it is configured', async () => {
    const left = [];
    for (const address of ['192.0.2.20', '192.0.2.21']) {
      const response = await fetch(`${app.url}/nowhere`, { headers: { 'X-Forwarded-For': address } });
      left.push(response.headers.get('x-ratelimit-remaining'));
    }
    expect(left).toEqual(['59', '58']);
  });
});
