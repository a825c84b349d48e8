/** Delivery of queued messages: sent, retried, failed; no account waits for the receiver of another. */
import { afterEach, expect, test } from '@jest/globals';
import { scaleTimeout, until, withFixture, type Respond } from 'specwright/testing';
import { queueDelivery } from '../../src/webhooks/deliveries.ts';
import { deleteWebhook } from '../../src/webhooks/webhooks.ts';
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
  await until(async () => (await queue.countJobs()) === 0);
  expect(queue.logged.join('\n')).not.toContain('has a problem');
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

test('a message is failed after the last attempt, and has no job left', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 500 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker();
  await queue.waitForStatus(accountId, id, 'failed');
  await until(async () => (await queue.countJobs()) === 0);
  expect(received).toHaveLength(3);
  expect(queue.logged.at(-1)).toContain('"failure":"it answered 500"');
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

test('a message that waits for a retry is sent when its webhook is deleted', async () => {
  const { url, received } = await queue.startReceiver(() => ({ status: 500 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  queue.startWorker({ retryDelay: 500 });
  await until(() => received.length === 1);
  await deleteWebhook(database.db, accountId);
  await queue.waitForStatus(accountId, id, 'sent');
  expect(received).toHaveLength(1);
});

test.each([
  [
    'is locked by a worker that has no job',
    `UPDATE graphile_worker._private_job_queues SET locked_by = 'dead', locked_at = now() - interval '1 hour' WHERE queue_name = ?`,
  ],
  ['was removed as empty while the job was added', 'DELETE FROM graphile_worker._private_job_queues WHERE queue_name = ?'],
])('a job whose queue %s is done, and counted', async (_what, sql) => {
  const accountId = await queue.accountWithWebhook();
  const id = await queue.send(accountId);
  await database.db.raw(sql, [`account ${accountId}`]);
  const worker = queue.startWorker();
  await queue.waitForStatus(accountId, id, 'sent');
  await until(async () => (await queue.countJobs()) === 0);
  expect(worker.metrics()).toMatchObject([{ name: 'messages_queue_freed_total', values: [{ value: 1 }] }]);
});

test('a message whose transaction is rolled back has no job', async () => {
  const accountId = await queue.accountWithWebhook();
  const before = await queue.countJobs();
  const failed = database.db.transaction(async (trx) => {
    await queueDelivery(trx, { accountId, id: 'msg_1', name: 'noted', body: '{}' });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await queue.countJobs()).toBe(before);
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
