/** The quickstart of the service: create an account, send a message, read its status; and webhooks over HTTP. */
import { expect, test } from '@jest/globals';
import { createTestLog, startReceiver, until, withApp, withDatabase } from '@specwright/testing';
import { createWorker } from '../../src/messages/worker.ts';
import { startApp } from '../support/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db, { webhooks: { allowPrivate: true } }));

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
}

test('a new account sends a message: 202 and queued, then sent', async () => {
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
  const worker = createWorker({ db: database.db, log: createTestLog(), timeout: 1000, retentionDays: 30, stopTimeout: 1000 });
  worker.start();
  try {
    await until(async () => (await read()).status === 'sent');
    expect(await read()).toEqual({ ...message, status: 'sent' });
  } finally {
    await worker.stop();
  }
});

test('a malformed message is 400, and a message without a key 401', async () => {
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

test('the secret of a webhook is in the response to PUT only, and each PUT has a new one', async () => {
  const { apiKey } = (await (await post('/accounts', { email: 'hooks@example.com' })).json()) as { apiKey: string };
  const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
  const receiver = await startReceiver();
  const put = async (url: string) => fetch(`${app.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
  const first = (await (await put(receiver.url)).json()) as { url: string; secret: string; createdAt: string };
  const second = (await (await put(receiver.url)).json()) as { secret: string };
  expect(first.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  expect(second.secret).not.toBe(first.secret);
  const read = await fetch(`${app.url}/account/webhook`, { headers });
  expect(Object.keys((await read.json()) as object).sort()).toEqual(['createdAt', 'url']);
  expect(JSON.stringify(app.log)).not.toContain('whsec_');
  await receiver.close();
});

test.each(['ftp://example.com/', 'http://user:word@example.com/', 'http://example.com:25/', 'http://example.com/#x', 'nonsense'])(
  'rejects a webhook at %s with 400',
  async (url) => {
    const { apiKey } = (await (await post('/accounts', { email: `${Math.random()}@example.com` })).json()) as { apiKey: string };
    const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
    const answer = await fetch(`${app.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { message: string }).message).toContain('body/url');
  },
);

test('rejects a private address with 400 by default', async () => {
  const strict = await startApp(database.db);
  const { apiKey } = (await (await post('/accounts', { email: 'private@example.com' })).json()) as { apiKey: string };
  const headers = { Authorization: `Bearer ${apiKey}`, ...JSON_TYPE };
  for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/', 'http://localhost:8080/', 'http://0x7f000001/']) {
    const answer = await fetch(`${strict.url}/account/webhook`, { method: 'PUT', headers, body: JSON.stringify({ url }) });
    expect({ url, body: await answer.json() }).toMatchObject({ url, body: { code: 'invalid_webhook_url', status: 400 } });
  }
  await strict.close();
});
