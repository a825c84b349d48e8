/** Receivers that fail do not stop the messages of others: one delivery per account, a lane for what has failed, and pauses. */
import { afterEach, expect, test } from '@jest/globals';
import { scaleTimeout, type Receiver, type Respond, until, withFixture } from 'specwright/testing';
import { queueMetrics } from '@specwright/accounts/webhooks';
import { setWebhook } from '../../src/webhooks/webhooks.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(async () => {
  await queue.clear();
  await database.db('webhook_deliveries').delete();
});

const SILENT: Respond = () => undefined;

/** Accounts whose receivers behave so, with some messages each. */
async function accounts(count: number, messages: number, respond: Respond) {
  const receivers: Receiver[] = [];
  for (let i = 0; i < count; i++) {
    const receiver = await queue.startReceiver(respond);
    const accountId = await queue.accountWithWebhook(receiver.url);
    for (let j = 0; j < messages; j++) await queue.send(accountId);
    receivers.push(receiver);
  }
  return { requests: () => receivers.reduce((sum, { received }) => sum + received.length, 0) };
}

/** Sends a message to a receiver that answers. @returns how long its delivery takes, in ms. */
async function deliveryTime(): Promise<number> {
  const { url } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  const began = Date.now();
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
  return Date.now() - began;
}

test('twelve accounts with silent receivers hold up nobody else', async () => {
  const silent = await accounts(12, 3, SILENT);
  const timeout = scaleTimeout(5000);
  queue.startWorker({ timeout, stopTimeout: 0 });
  await until(() => silent.requests() === 12);
  expect(await deliveryTime()).toBeLessThan(timeout * 0.8);
  expect(silent.requests()).toBe(12);
});

test('retries to silent receivers take no place of first deliveries', async () => {
  const silent = await accounts(6, 3, SILENT);
  const timeout = scaleTimeout(2000);
  queue.startWorker({ timeout, stopTimeout: 0, maxAttempts: 10, concurrency: { first: 6, retries: 2 } });
  // Each has been tried: whatever follows is a retry, or a message for a receiver that has failed.
  await until(async () => (await failuresOf()).length === 6, 15_000);
  const before = silent.requests();
  await until(() => silent.requests() > before);
  expect(await deliveryTime()).toBeLessThan(timeout * 0.9);
});

const failuresOf = () => database.db('webhooks').where('failures', '>', 0).pluck<number[]>('failures');

test('a webhook that fails again and again is paused, and one delivery finds out that its receiver is back', async () => {
  let broken = true;
  const receiver = await queue.startReceiver(() => ({ status: broken ? 500 : 204 }));
  const accountId = await queue.accountWithWebhook(receiver.url);
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push(await queue.send(accountId));
  queue.startWorker({ maxAttempts: 1000, retryDelay: 100, breaker: { threshold: 5, pause: 1500 } });
  await until(() => receiver.received.length === 5, 15_000);
  const attempts = () => database.db('webhook_deliveries').where({ account_id: accountId }).sum<{ sum: string }[]>('attempts');
  await until(() => receiver.received.length === 6, 15_000);
  // What a pause holds back counts no try; after the pause there is one, and the next pause is twice as long.
  await until(async () => Number((await attempts())[0]?.sum) === 6);
  const [fifth = 0, sixth = 0] = receiver.received.slice(4).map(({ at }) => at);
  expect(sixth - fifth).toBeGreaterThanOrEqual(1400);
  const [paused] = await database
    .db('webhooks')
    .where({ account_id: accountId })
    .select<{ ms: number }[]>(database.db.raw('extract(epoch FROM paused_until - now())::float8 * 1000 AS ms'));
  expect(paused?.ms).toBeGreaterThan(1500);
  broken = false;
  for (const id of ids) await queue.waitForStatus(accountId, id, 'sent');
  expect(await database.db('webhooks').where({ account_id: accountId }).first('failures', 'paused_until')).toEqual({
    failures: 0,
    paused_until: null,
  });
});

test('a receiver that is slow, but answers, delays neither other accounts nor what the metrics say of the queue', async () => {
  const slow = await accounts(3, 6, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1300));
    return { status: 204 };
  });
  // As many places as slow receivers: without lanes their backlog, which is older, would be first each time.
  queue.startWorker({ timeout: scaleTimeout(10_000), stopTimeout: 0, concurrency: { first: 3, retries: 3 } });
  await until(() => slow.requests() >= 6, 15_000);
  const age = async () => {
    const metric = (await queueMetrics(database.db)).find(({ name }) => name === 'messages_queue_age_seconds');
    return metric?.values.find(({ labels }) => labels?.['task'] === 'deliver_webhook')?.value ?? Infinity;
  };
  expect(await deliveryTime()).toBeLessThan(scaleTimeout(1200));
  // On a busy machine a delivery may wait a second; the backlog of the slow receivers takes five more.
  await until(async () => (await age()) < 1, 3000);
});

test('setting the webhook again ends its pause', async () => {
  const failing = await queue.startReceiver(() => ({ status: 500 }));
  const accountId = await queue.accountWithWebhook(failing.url);
  await queue.send(accountId);
  queue.startWorker({ maxAttempts: 1000, retryDelay: 50, breaker: { threshold: 2, pause: 3_600_000 } });
  await until(() => failing.received.length === 2, 15_000);
  const working = await queue.startReceiver();
  await setWebhook(database.db, accountId, { url: working.url }, new Date());
  await until(() => working.received.length === 1, 15_000);
});

test(
  'a few slow answers do not spread the backlog behind them',
  async () => {
    const receiver = await queue.startReceiver(async (_, count) => {
      if (count <= 3) await new Promise((resolve) => setTimeout(resolve, 1500));
      return { status: 204 };
    });
    const accountId = await queue.accountWithWebhook(receiver.url);
    for (let i = 0; i < 30; i++) await queue.send(accountId);
    const began = Date.now();
    queue.startWorker({ timeout: scaleTimeout(10_000), stopTimeout: 0 });
    await until(() => receiver.received.length === 30, 20_000);
    // Three slow answers, one after another, and what 27 others take.
    expect(Date.now() - began).toBeLessThan(4500 + scaleTimeout(3000));
  },
  scaleTimeout(60_000),
);

test(
  'a slow receiver with a backlog does not make another slow one wait for all of it',
  async () => {
    const slowly: Respond = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      return { status: 204 };
    };
    const long = await queue.startReceiver(slowly);
    const short = await queue.startReceiver(slowly);
    const [theirs, mine] = [await queue.accountWithWebhook(long.url), await queue.accountWithWebhook(short.url)];
    for (let i = 0; i < 20; i++) await queue.send(theirs);
    // One place for all of them.
    queue.startWorker({ timeout: scaleTimeout(10_000), stopTimeout: 0, concurrency: { first: 2, retries: 1 } });
    await until(() => long.received.length === 2, 15_000);
    for (let i = 0; i < 2; i++) await queue.send(mine);
    await until(() => short.received.length === 2, 20_000);
    // The second message of this account is before the third, fourth and so on of the other.
    expect(long.received.length).toBeLessThan(10);
  },
  scaleTimeout(60_000),
);
