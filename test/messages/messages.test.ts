/** Messages of an account: the payload that its webhook gets, how they end, and those that a version before has queued. */
import { createHmac } from 'node:crypto';
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
import { newAccount } from '../support/service/app.ts';
import { sender } from '../support/service/sender.ts';

const NOW = new Date('2026-11-21T09:00:00.123Z');
const TEXT = 'Ré 🐕\n\u0001';
const FORMER_SECRET = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg';

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
  const worker = createMessageWorker(sender, { db: database.db, log: createTestLog(), ...bounds, ...options });
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

test('a webhook with a secret from before gets what its receiver was written for, and what the library verifies', async () => {
  const { receiver } = await webhook();
  await database.db('webhooks').where({ account_id: me.accountId }).update({ secret: FORMER_SECRET });
  const { record } = await createMessage(database.db, me.accountId, { message: TEXT }, sender, {});
  startWorker();
  await waitFor(record.id, 'sent');
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
  expect(body).toBe(JSON.stringify({ id: record.id, message: TEXT, createdAt: record.createdAt }));
  expect(headers['x-webhook-id']).toBe(record.id);
  const expected = createHmac('sha256', FORMER_SECRET)
    .update(`${String(headers['x-webhook-timestamp'])}.${body}`)
    .digest('hex');
  expect(headers['x-webhook-signature']).toBe(`v1=${expected}`);
  new Webhook(FORMER_SECRET).verify(body, headers as Record<string, string>);
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

test('neither message nor delivery is stored if the other is not', async () => {
  const count = async () => Number((await database.db('webhook_deliveries').count<{ count: string }[]>())[0]?.count);
  const before = await count();
  await expect(createMessage(database.db, me.accountId, { message: 'x'.repeat(5000) }, sender, {})).rejects.toThrow();
  await expect(createMessage(database.db, 999_999_999, { message: 'hello' }, sender, {})).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await count()).toBe(before);
});

test.each(['deliver_message', 'redeliver_message'])('delivers what a version before has queued as %s', async (task) => {
  const { receiver } = await webhook();
  const id = `msg_019aa5d2-7b1c-7e45-9d5c-${task.length.toString().padStart(12, '0')}`;
  const row = { account_id: me.accountId, id, message: 'waiting', created_at: NOW, attempts: 3 };
  await database.db('messages').insert(row);
  const payload = JSON.stringify({ accountId: me.accountId, messageId: id });
  await database.db.raw(
    'SELECT id FROM graphile_worker.add_job(?, payload := ?::json, queue_name := ?, max_attempts := 32767, job_key := ?)',
    [task, payload, `account ${me.accountId}`, id],
  );
  startWorker();
  await waitFor(id, 'sent');
  const createdAt = NOW.toISOString();
  const data = { id, message: 'waiting', createdAt };
  expect(receiver.received.map(({ body }) => body)).toEqual([JSON.stringify({ type: 'message.created', timestamp: createdAt, data })]);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(id);
});

test('messages that have ended are deleted after the retention', async () => {
  const insert = (status: string, days: number) =>
    database.db.raw(
      `INSERT INTO messages (account_id, id, message, status, created_at)
         SELECT ?, 'msg_' || gen_random_uuid(), 'm', ?, now() - make_interval(days => ?)`,
      [me.accountId, status, days],
    );
  await database.db('messages').where({ account_id: me.accountId }).delete();
  for (const status of ['queued', 'sent', 'failed']) for (const days of [6, 8]) await insert(status, days);
  startWorker({ retentionDays: 7 });
  const left = () => database.db('messages').where({ account_id: me.accountId }).orderBy('status').pluck<string[]>('status');
  await until(async () => (await left()).length === 4);
  expect(await left()).toEqual(['failed', 'queued', 'queued', 'sent']);
});

test('deleting an account deletes its messages, its deliveries and its webhook', async () => {
  const { accountId } = await newAccount(database.db);
  await setWebhook(database.db, accountId, { url: 'https://example.com/hook' }, NOW);
  await createMessage(database.db, accountId, { message: 'hello' }, sender, {});
  await database.db('accounts').where({ account_id: accountId }).delete();
  for (const table of ['messages', 'webhook_deliveries', 'webhooks'])
    expect(await database.db(table).where({ account_id: accountId })).toEqual([]);
});
