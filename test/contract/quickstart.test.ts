/** The quickstart of the service: create an account, send a message, read its status; and webhooks over HTTP. */
import { expect, test } from '@jest/globals';
import { createTestLog, startReceiver, until, withApp, withDatabase } from 'specwright/testing';
import { orThrow, type CallOptions, type Client, type Inputs } from '../../generated/client.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db, { webhooks: { allowPrivate: true } }));

let accounts = 0;

/** Signs up. @returns a client that sends the new account's key. */
async function signUp(url = app.url): Promise<Client> {
  const { body } = await orThrow(petStore(url).createAccount({ body: { email: `new-${++accounts}@example.com` } }));
  return petStore(url, body.apiKey);
}

test('a new account sends a message: 202 and queued, then sent', async () => {
  const client = await signUp();
  const { status, body: message, headers } = await orThrow(client.sendMessage({ body: { message: 'Hello, world!' } }));
  expect(status).toBe(202);
  expect(message).toEqual({ id: expect.stringMatching(/^msg_/), message: 'Hello, world!', status: 'queued', createdAt: expect.anything() });
  expect(Math.abs(Date.parse(message.createdAt) - Date.now())).toBeLessThan(5000);
  expect(headers.Location).toBe(`/messages/${message.id}`);

  const read = async () => (await orThrow(client.getMessage({ path: { messageId: message.id } }))).body;
  expect(await read()).toEqual({ ...message, status: 'queued' });
  const worker = createMessageWorker({
    db: database.db,
    log: createTestLog(),
    timeout: 1000,
    retentionDays: 30,
    stopTimeout: 1000,
  });
  worker.start();
  try {
    await until(async () => (await read()).status === 'sent');
    expect(await read()).toEqual({ ...message, status: 'sent' });
  } finally {
    await worker.stop();
  }
});

test('a malformed message is 400, and a message without a key 401', async () => {
  const client = await signUp();
  const statusOf = async (body: object, call?: CallOptions) =>
    (await client.sendMessage({ body: body as Inputs['sendMessage']['body'] }, call)).status;
  expect(await statusOf({})).toBe(400);
  expect(await statusOf({ message: '' })).toBe(400);
  expect(await statusOf({ message: 'a\u0000b' })).toBe(400);
  expect(await statusOf({ message: 'x'.repeat(4097) })).toBe(400);
  expect(await statusOf({ message: '🐕'.repeat(4096) })).toBe(202);
  expect(await statusOf({ message: 'hi' }, { headers: { 'Content-Type': 'text/plain' } })).toBe(400);
  expect((await petStore(app.url).sendMessage({ body: { message: 'hi' } })).status).toBe(401);
});

test('the secret of a webhook is in the response to PUT only, and each PUT has a new one', async () => {
  const client = await signUp();
  const receiver = await startReceiver();
  const put = async () => (await orThrow(client.setWebhook({ body: { url: receiver.url } }))).body;
  const [first, second] = [await put(), await put()];
  expect(first.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  expect(second.secret).not.toBe(first.secret);
  const { body } = await orThrow(client.getWebhook());
  expect(Object.keys(body).sort()).toEqual(['createdAt', 'url']);
  expect(JSON.stringify(app.log)).not.toContain('whsec_');
  await receiver.close();
});

test.each(['ftp://example.com/', 'http://user:word@example.com/', 'http://example.com:25/', 'http://example.com/#x', 'nonsense'])(
  'rejects a webhook at %s with 400',
  async (url) => {
    const reply = await (await signUp()).setWebhook({ body: { url } });
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining('body/url') } });
  },
);

test('rejects a private address with 400 by default', async () => {
  const strict = await startApp(database.db);
  const client = await signUp(strict.url);
  for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/', 'http://localhost:8080/', 'http://0x7f000001/']) {
    const { body } = await client.setWebhook({ body: { url } });
    expect({ url, body }).toMatchObject({ url, body: { code: 'invalid_webhook_url', status: 400 } });
  }
  await strict.close();
});
