/** Messages of an account: the payload that its webhook gets, how they end, and those that a version before has queued. */
import http from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import {
  createTestLog,
  listenOnFreePort,
  scaleTimeout,
  startReceiver,
  until,
  withDatabase,
  withFixture,
  type Receiver,
} from 'specwright/testing';
import { findDelivery, replayDeliveries, setWebhook, type WorkerOptions } from '@specwright/accounts/webhooks';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { createWebhookReceiver, nodeWebhookHandler } from '../../generated/client.ts';
import { createMessage, getMessage, replayMessages } from '../../src/db/messages.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { newFailedMessage } from '../support/service/failed-message.ts';
import { sender } from '../support/service/sender.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const TEXT = 'Ré 🐕\n\u0001';

const database = withDatabase();
const me = withFixture(() => newAccount(database.db));
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Delivers what is queued. */
function startWorker(options: Partial<WorkerOptions> = {}): void {
  const bounds = {
    timeout: scaleTimeout(1000),
    stopTimeout: 1000,
    retentionDays: 30,
    pollInterval: 20,
    retryDelay: 20,
    allowPrivate: true,
  };
  const worker = createMessageWorker({ db: database.db, log: createTestLog(), ...bounds, ...options });
  worker.start();
  cleanups.push(() => worker.stop());
}

async function webhook(status = 204): Promise<{ receiver: Receiver; secret: string }> {
  const receiver = await startReceiver(() => ({ status }));
  cleanups.push(() => receiver.close());
  const { secret } = await setWebhook(database.db, me.accountId, { url: receiver.url }, NOW);
  return { receiver, secret };
}

const statusOf = async (id: string) => (await getMessage(database.db, me.accountId, id)).record.status;
const waitFor = (id: string, status: string) => until(async () => (await statusOf(id)) === status, 8000);

test('the payload is the same to the byte as it has always been, and the library of the standard verifies it', async () => {
  const { receiver, secret } = await webhook();
  const { version, record } = await createMessage(database.db, me.accountId, { message: TEXT }, sender, {});
  expect({ version, record }).toEqual({
    version: '1',
    record: { id: record.id, message: TEXT, status: 'queued', createdAt: record.createdAt },
  });
  startWorker();
  await waitFor(record.id, 'sent');
  expect((await getMessage(database.db, me.accountId, record.id)).version).toBe('2');
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
  const at = record.createdAt;
  const data = `{"id":"${record.id}","message":"Ré 🐕\\n\\u0001","createdAt":"${at}"}`;
  expect(body).toBe(`{"type":"message.created","timestamp":"${at}","data":${data}}`);
  expect([headers['webhook-id'], headers['user-agent'], headers['content-type']]).toEqual([
    record.id,
    'petstore-webhook/2',
    'application/json',
  ]);
  new Webhook(secret).verify(body, headers as Record<string, string>);
  const texts: string[] = [];
  const received = createWebhookReceiver({ secret, handlers: { messageCreated: (payload) => texts.push(payload.data.message) } });
  const request = new Request(receiver.url, { method: 'POST', headers: headers as Record<string, string>, body });
  expect([(await received(request)).status, texts]).toEqual([204, [TEXT]]);
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test('a message is created when the clock of the database says, whatever that of the server does', async () => {
  const clock = async () => (await database.db.raw<{ rows: { now: string }[] }>('SELECT now()')).rows[0]?.now ?? '';
  const before = await clock();
  const context = { now: new Date('2001-01-01T00:00:00Z'), traceparent: undefined };
  const { accountId } = await newAccount(database.db);
  await setWebhook(database.db, accountId, { url: 'https://example.com/hook' }, NOW);
  const { record } = await createMessage(database.db, accountId, { message: TEXT }, sender, context);
  const times = [before, record.createdAt, await clock()];
  expect(times).toEqual([...times].sort());
  const stored = await database.db('messages').where({ id: record.id }).first<{ created_at: string }>('created_at');
  expect(stored).toEqual({ created_at: record.createdAt });
  expect(await database.db('webhook_deliveries').where({ id: record.id }).where('created_at', '<', before).select()).toEqual([]);
});

test('an Express application receives it by the generated client', async () => {
  const texts: string[] = [];
  let secret = '';
  const receiver = createWebhookReceiver({ secret: () => secret, handlers: { messageCreated: ({ data }) => texts.push(data.message) } });
  const app = await listenOnFreePort(http.createServer(express().post('/hook', nodeWebhookHandler(receiver))));
  cleanups.push(app.close);
  ({ secret } = await setWebhook(database.db, me.accountId, { url: `${app.url}/hook` }, NOW));
  const { record } = await createMessage(database.db, me.accountId, { message: TEXT }, sender, {});
  startWorker();
  await waitFor(record.id, 'sent');
  expect(texts).toEqual([TEXT]);
  const delivery = await findDelivery(database.db, me.accountId, record.id);
  expect(delivery).toEqual({ status: 'sent', attempts: 0, answer: 204, isDeclared: true });
});

test('a message fails with its delivery, and one of an account without a webhook is sent', async () => {
  await webhook(500);
  const { record: failing } = await createMessage(database.db, me.accountId, { message: 'x' }, sender, {});
  const other = await newAccount(database.db);
  const { record: silent } = await createMessage(database.db, other.accountId, { message: 'x' }, sender, {});
  startWorker({ maxAttempts: 2 });
  await waitFor(failing.id, 'failed');
  await until(async () => (await getMessage(database.db, other.accountId, silent.id)).record.status === 'sent');
  expect(await database.db('messages').where({ id: failing.id }).first('status', 'attempts')).toEqual({ status: 'failed', attempts: 2 });
});

test('messages that have failed are sent again: of the account, and accepted since a moment', async () => {
  const { receiver } = await webhook(500);
  const { record } = await createMessage(database.db, me.accountId, { message: 'x' }, sender, {});
  startWorker({ maxAttempts: 1 });
  await waitFor(record.id, 'failed');
  const { receiver: back } = await webhook();
  expect(await replayDeliveries(database.db, { accountId: me.accountId, since: new Date(Date.now() + 60_000) }, replayMessages)).toBe(0);
  expect(await statusOf(record.id)).toBe('failed');
  expect(
    await replayDeliveries(database.db, { accountId: me.accountId, since: new Date(record.createdAt) }, replayMessages),
  ).toBeGreaterThan(0);
  await waitFor(record.id, 'sent');
  expect(back.received.map(({ headers }) => headers['webhook-id'])).toContain(record.id);
  expect(receiver.received).toHaveLength(1);
});

test('POST /messages/replays sends again what was accepted since a moment, of the account of the caller', async () => {
  const app = await startApp(database.db);
  cleanups.push(app.close);
  const [mine, another] = [await newFailedMessage(database.db), await newFailedMessage(database.db)];
  const call = clientWithKey(app.url, mine.key);
  const replay = async (since: number) => (await call('POST', '/messages/replays', { since: new Date(since).toISOString() })).body;
  const createdAt = Date.parse(mine.createdAt);
  expect(await replay(createdAt + 1)).toEqual({ replayed: 0 });
  expect(await replay(createdAt)).toEqual({ replayed: 1 });
  const statuses = await Promise.all([mine, another].map(({ accountId, id }) => getMessage(database.db, accountId, id)));
  expect(statuses.map(({ record }) => record.status)).toEqual(['queued', 'failed']);
});

test('neither message nor delivery is stored if the other is not', async () => {
  const count = async () => Number((await database.db('webhook_deliveries').count<{ count: string }[]>())[0]?.count);
  const before = await count();
  await expect(createMessage(database.db, me.accountId, { message: 'x'.repeat(5000) }, sender, {})).rejects.toThrow();
  await expect(createMessage(database.db, 999_999_999, { message: 'hello' }, sender, {})).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await count()).toBe(before);
});
