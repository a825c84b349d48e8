/** Delivery of queued messages: sent, retried, failed; no account waits for the receiver of another. */
import { afterEach, expect, test } from '@jest/globals';
import { scaleTimeout, until, withFixture, type Respond } from 'specwright/testing';
import type { Worker } from '@specwright/accounts/webhooks';
import { endDelivery, listDeliveries, queueDelivery, replayDeliveries } from '../../src/webhooks/deliveries.ts';
import { deleteWebhook, setWebhook } from '../../src/webhooks/webhooks.ts';
import { retryDelayAfter } from '../../src/webhooks/worker.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

test('a message of an account without a webhook is sent', async () => {
  const accountId = await queue.accountWithWebhook();
  const id = await queue.send(accountId);
  expect(await queue.statusOf(accountId, id)).toBe('queued');
  queue.startWorker();
  await queue.waitForStatus(accountId, id, 'sent');
  await until(async () => (await queue.countQueued()) === 0);
  expect(queue.logged.join('\n')).not.toContain('has a problem');
});

test('a message that has ended meanwhile is not sent', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  await endDelivery(database.db, { accountId, id, name: 'noted', status: 'sent', attempts: 0 });
  const later = await queue.send(accountId);
  queue.startWorker();
  await queue.waitForStatus(accountId, later, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([later]);
});

test('a new message is delivered at once, not at the next poll', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  queue.startWorker({ pollInterval: 60_000 });
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
  const began = Date.now();
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
  expect((received[1]?.at ?? Infinity) - began).toBeLessThan(scaleTimeout(2000));
});

test('a failed delivery is retried under the same id, after longer pauses, until it is accepted', async () => {
  const { url, received } = await queue.startReceiver((_, count) => ({ status: count < 3 ? 500 : 200 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker({ retryDelay: 300 });
  await queue.waitForStatus(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  const [first = 0, second = 0, third = 0] = received.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(150);
  expect(third - second).toBeGreaterThanOrEqual(300);
});

test('a message is failed after the last attempt', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 500 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker();
  await queue.waitForStatus(accountId, id, 'failed');
  await until(async () => (await queue.countQueued()) === 0);
  expect(received).toHaveLength(3);
  expect(queue.logged.at(-1)).toContain('given up');
  expect(queue.logged.join('\n')).toContain('"failure":"it answered 500"');
});

const counted = (worker: Worker, name: string) =>
  worker
    .metrics()
    .find((metric) => metric.name === name)
    ?.values.flatMap(({ labels, value }) => (value > 0 ? [`${String(labels?.['kind'])} ${value}`] : []));

test('a message is tried for as long as it is said, and what was wrong is counted', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 503 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  const worker = queue.startWorker({ maxAttempts: Infinity, giveUpAfter: 1000, retryDelay: 100, breaker: { threshold: 100, pause: 1 } });
  await queue.waitForStatus(accountId, id, 'failed');
  // 100, 200, 400 ms, each less up to half of it: the next delay would end after it.
  expect(received.length).toBeGreaterThanOrEqual(3);
  expect(received.length).toBeLessThanOrEqual(6);
  expect(counted(worker, 'deliveries_failed_total')).toEqual([`status ${received.length}`]);
  expect(counted(worker, 'deliveries_given_up_total')).toEqual(['status 1']);
});

test('by default it is tried for three days', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 503 }));
  const accountId = await queue.accountWithWebhook(url);
  const ids = [await queue.send(accountId), await queue.send(accountId)];
  const queuedFor = (id: string | undefined, hours: number) =>
    database
      .db('webhook_deliveries')
      .where({ id })
      .update({ created_at: database.db.raw(`now() - make_interval(hours => ${hours})`) });
  await queuedFor(ids[0], 71);
  await queuedFor(ids[1], 72);
  queue.startWorker({ maxAttempts: Infinity, retryDelay: 60_000 });
  await queue.waitForStatus(accountId, ids[1] ?? '', 'failed');
  await until(() => received.length === 2);
  expect(await queue.statusOf(accountId, ids[0] ?? '')).toBe('queued');
  await queue.clear();
  await database.db('webhook_deliveries').delete();
});

test('a receiver that says Retry-After is left alone for so long, with all messages of its account', async () => {
  const wait = scaleTimeout(1500);
  const { url, received } = await queue.startReceiver((_, count) =>
    count === 1 ? { status: 429, headers: { 'Retry-After': String(Math.ceil(wait / 1000)) } } : { status: 204 },
  );
  const accountId = await queue.accountWithWebhook(url);
  queue.startWorker({ retryDelay: 10 });
  const first = await queue.send(accountId);
  await until(() => received.length === 1);
  const second = await queue.send(accountId);
  for (const id of [first, second]) await queue.waitForStatus(accountId, id, 'sent');
  const [asked = 0, next = 0] = received.map(({ at }) => at);
  expect(next - asked).toBeGreaterThanOrEqual(Math.ceil(wait / 1000) * 1000 - 50);
});

test('a receiver that is gone is asked for nothing more until its webhook is set again', async () => {
  const { url, received } = await queue.startReceiver((_, count) => ({ status: count === 1 ? 410 : 204 }));
  const accountId = await queue.accountWithWebhook(url);
  const worker = queue.startWorker();
  for (let i = 0; i < 2; i++) await queue.waitForStatus(accountId, await queue.send(accountId), 'failed');
  expect(received).toHaveLength(1);
  expect(counted(worker, 'deliveries_given_up_total')).toEqual(['gone 2']);
  await setWebhook(database.db, accountId, { url }, new Date());
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
});

test('what was given up is sent when it is replayed: of one account, and made since a moment', async () => {
  let broken = true;
  const { url, received } = await queue.startReceiver(() => ({ status: broken ? 500 : 204 }));
  const accountId = await queue.accountWithWebhook(url);
  const other = await queue.accountWithWebhook(url);
  queue.startWorker({ maxAttempts: 1 });
  const ids = [await queue.send(accountId), await queue.send(accountId)];
  const foreign = await queue.send(other);
  for (const id of ids) await queue.waitForStatus(accountId, id, 'failed');
  await queue.waitForStatus(other, foreign, 'failed');
  await database.db('webhook_deliveries').where({ id: ids[0] }).update({ created_at: '2026-01-01T00:00:00Z' });
  const since = new Date('2026-01-02T00:00:00Z');
  expect(await listDeliveries(database.db, { accountId, since, status: 'failed' }, 10)).toMatchObject([
    { accountId, id: ids[1], answer: 500 },
  ]);
  broken = false;
  const seen: string[] = [];
  expect(await replayDeliveries(database.db, { accountId, since }, async (_trx, rows) => void seen.push(...rows.map(({ id }) => id)))).toBe(
    1,
  );
  await queue.waitForStatus(accountId, ids[1] ?? '', 'sent');
  expect(seen).toEqual([ids[1]]);
  expect(received.at(-1)?.headers['webhook-id']).toBe(ids[1]);
  expect([await queue.statusOf(accountId, ids[0] ?? ''), await queue.statusOf(other, foreign)]).toEqual(['failed', 'failed']);
});

test.each([
  ['redirects', () => ({ status: 302, headers: { Location: 'http://127.0.0.1/' } })],
  ['never answers', () => undefined],
] as [string, Respond][])('a message is failed if the receiver %s', async (_, behave) => {
  const { url } = await queue.startReceiver(behave);
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker({ timeout: 100, maxAttempts: 2 });
  await queue.waitForStatus(accountId, id, 'failed');
});

test('a message is failed if the host name resolves to a private address, and nothing is sent there', async () => {
  const { port, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(`http://rebind.example:${port}/`);
  const id = await queue.send(accountId);
  queue.startWorker({ allowPrivate: false, resolveHost: async () => ['127.0.0.1'] });
  await queue.waitForStatus(accountId, id, 'failed');
  expect(received).toEqual([]);
});

test('a slow receiver does not delay the messages of other accounts', async () => {
  const slow = await queue.startReceiver(() => undefined);
  const fast = await queue.startReceiver();
  const theirs = await queue.accountWithWebhook(slow.url);
  const mine = await queue.accountWithWebhook(fast.url);
  for (let i = 0; i < 20; i++) await queue.send(theirs);
  queue.startWorker({ timeout: 60_000, stopTimeout: 0 });
  await until(() => slow.received.length > 0);
  await queue.waitForStatus(mine, await queue.send(mine), 'sent');
  expect(slow.received).toHaveLength(1);
  await database.db('webhook_deliveries').where({ account_id: theirs }).delete();
});

test('a message fails whose webhook is deleted before its delivery, and is sent when it is replayed to another', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  await deleteWebhook(database.db, accountId);
  // There is nobody to send this one to.
  const later = await queue.send(accountId);
  const worker = queue.startWorker();
  await queue.waitForStatus(accountId, id, 'failed');
  await queue.waitForStatus(accountId, later, 'sent');
  expect(received).toEqual([]);
  expect(counted(worker, 'deliveries_given_up_total')).toEqual(['gone 1']);
  const since = new Date(0);
  expect(await replayDeliveries(database.db, { accountId, since })).toBe(1);
  await queue.waitForStatus(accountId, id, 'failed');
  await setWebhook(database.db, accountId, { url }, new Date());
  expect(await replayDeliveries(database.db, { accountId, since })).toBe(1);
  await queue.waitForStatus(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
});

test('a callback does not need the webhook of its account', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook('https://example.com/');
  await queueDelivery(database.db, { accountId, id: 'msg_callback', name: 'noted', body: '{}', url });
  await deleteWebhook(database.db, accountId);
  queue.startWorker();
  await queue.waitForStatus(accountId, 'msg_callback', 'sent');
  expect(received).toHaveLength(1);
});

test('accounts that use the same id get a delivery each, whatever becomes of that of another', async () => {
  const id = 'order-7-completed';
  const failing = await queue.startReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }));
  const receivers = [await queue.startReceiver(), failing, await queue.startReceiver()];
  const accounts: number[] = [];
  for (const { url } of receivers) {
    const accountId = await queue.accountWithWebhook(url);
    accounts.push(accountId);
    await queueDelivery(database.db, { accountId, id, name: 'noted', body: JSON.stringify({ accountId }) });
  }
  queue.startWorker();
  for (const accountId of accounts) await queue.waitForStatus(accountId, id, 'sent');
  expect(receivers.map(({ received }) => received.map(({ body }) => body))).toEqual(
    accounts.map((accountId, i) => Array.from({ length: i === 1 ? 2 : 1 }, () => JSON.stringify({ accountId }))),
  );
});

test('the deliveries under way, and the age of the oldest, are a metric', async () => {
  const silent = await queue.startReceiver(() => undefined);
  const worker = queue.startWorker({ timeout: 60_000, stopTimeout: 0 });
  const value = (name: string) => worker.metrics().find((metric) => metric.name === name)?.values[0]?.value;
  expect([value('deliveries_under_way'), value('deliveries_under_way_age_seconds')]).toEqual([0, 0]);
  for (let i = 0; i < 2; i++) await queue.send(await queue.accountWithWebhook(silent.url));
  await until(() => value('deliveries_under_way') === 2);
  await until(() => (value('deliveries_under_way_age_seconds') ?? 0) > 0.2);
  await worker.stop();
  expect([value('deliveries_under_way'), value('deliveries_under_way_age_seconds')]).toEqual([0, 0]);
});

test('a message that waits for a retry fails when its webhook is deleted', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 500 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker({ retryDelay: 500 });
  await until(() => received.length === 1);
  await deleteWebhook(database.db, accountId);
  await queue.waitForStatus(accountId, id, 'failed');
  expect(received).toHaveLength(1);
});

test('a message whose transaction is rolled back is not queued', async () => {
  const accountId = await queue.accountWithWebhook();
  const before = await queue.countQueued();
  const failed = database.db.transaction(async (trx) => {
    await queueDelivery(trx, { accountId, id: 'msg_1', name: 'noted', body: '{}' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await queue.countQueued()).toBe(before);
});

test('retry delays double up to an hour, with a jitter of up to half', () => {
  for (let failed = 1; failed < 40; failed++) {
    const whole = Math.min(5000 * 2 ** (failed - 1), 3_600_000);
    for (let i = 0; i < 20; i++) {
      const delay = retryDelayAfter(failed, 5000);
      expect(delay).toBeGreaterThan(whole / 2 - 1);
      expect(delay).toBeLessThanOrEqual(whole);
    }
  }
  expect(new Set(Array.from({ length: 20 }, () => retryDelayAfter(3, 5000))).size).toBeGreaterThan(10);
});

test('no webhook secret is logged', async () => {
  const secrets = await database.db('webhooks').pluck<string[]>('secret');
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets) expect(queue.logged.join('\n')).not.toContain(secret);
});
