/** The quickstart as a new user tries it: create an account, take the key, send a message, see it queued, then sent. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, createTestLog, startReceiver, type TestDatabase, until } from '@specwright/testing';
import { createWorker } from '../../src/messages/worker.ts';
import { startApp, type TestApp } from '../support/app.ts';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp(database.db, { webhooks: { allowPrivate: true } });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
}

test('create an account, send a message: 202 and queued, then sent', async () => {
  const account = (await (await post('/accounts', { email: 'new@example.com' })).json()) as { apiKey: string };
  const authorization = { Authorization: `Bearer ${account.apiKey}` };
  const response = await post('/messages', { message: 'Hello, world!' }, authorization);
  const message = (await response.json()) as { id: string; createdAt: string };
  expect(response.status).toBe(202);
  expect(message).toEqual({ id: expect.stringMatching(/^msg_/), message: 'Hello, world!', status: 'queued', createdAt: expect.anything() });
  expect(Math.abs(Date.parse(message.createdAt) - Date.now())).toBeLessThan(5000);
  expect(response.headers.get('location')).toBe(`/messages/${message.id}`);

  const read = async () =>
    (await (await fetch(`${app.url}/messages/${message.id}`, { headers: authorization })).json()) as { status: string };
  expect(await read()).toEqual({ ...message, status: 'queued' });
  const worker = createWorker({ db: database.db, log: createTestLog(), timeout: 1000, stopTimeout: 1000 });
  worker.start();
  try {
    await until(async () => (await read()).status === 'sent');
    expect(await read()).toEqual({ ...message, status: 'sent' });
  } finally {
    await worker.stop();
  }
});

test('as the service describes it: a missing field, broken JSON and another Content-Type are 400; no key is 401', async () => {
  const { apiKey } = (await (await post('/accounts', { email: 'other@example.com' })).json()) as { apiKey: string };
  const authorization = { Authorization: `Bearer ${apiKey}` };
  expect((await post('/messages', {}, authorization)).status).toBe(400);
  expect((await post('/messages', { message: '' }, authorization)).status).toBe(400);
  expect((await post('/messages', { message: 'a\u0000b' }, authorization)).status).toBe(400);
  expect((await post('/messages', { message: 'x'.repeat(4097) }, authorization)).status).toBe(400);
  expect((await post('/messages', { message: '🐕'.repeat(4096) }, authorization)).status).toBe(202);
  expect((await post('/messages', { message: 'hi' }, { ...authorization, 'Content-Type': 'text/plain' })).status).toBe(400);
  expect((await post('/messages', { message: 'hi' })).status).toBe(401);
});

test('a webhook shows its secret once, and never again; a new one comes with each PUT', async () => {
  const { apiKey } = (await (await post('/accounts', { email: 'hooks@example.com' })).json()) as { apiKey: string };
  const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
  const receiver = await startReceiver();
  const put = async (url: string) => fetch(`${app.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
  const first = (await (await put(receiver.url)).json()) as { url: string; secret: string; createdAt: string };
  const second = (await (await put(receiver.url)).json()) as { secret: string };
  expect(first.secret).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
  expect(second.secret).not.toBe(first.secret);
  const read = await fetch(`${app.url}/account/webhook`, { headers });
  expect(Object.keys((await read.json()) as object).sort()).toEqual(['createdAt', 'url']);
  expect(JSON.stringify(app.log)).not.toContain('whsec_');
  await receiver.close();
});

test.each(['ftp://example.com/', 'http://user:word@example.com/', 'http://example.com:25/', 'http://example.com/#x', 'nonsense'])(
  'a webhook at %s is refused with 400',
  async (url) => {
    const { apiKey } = (await (await post('/accounts', { email: `${Math.random()}@example.com` })).json()) as { apiKey: string };
    const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
    const answer = await fetch(`${app.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).toContain('body/url');
  },
);

test('a private address is refused with 400 where it is not allowed, which is the default', async () => {
  const strict = await startApp(database.db);
  const { apiKey } = (await (await post('/accounts', { email: 'private@example.com' })).json()) as { apiKey: string };
  const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
  for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/', 'http://localhost:8080/', 'http://0x7f000001/']) {
    const answer = await fetch(`${strict.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
    expect({ url, body: await answer.json() }).toMatchObject({ url, body: { code: 'invalid_webhook_url', status: 400 } });
  }
  await strict.close();
});
