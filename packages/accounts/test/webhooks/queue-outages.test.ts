/** A worker that loses the database: no slot is lost, and nothing is printed that is no line of the log. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import type { Worker } from '@specwright/accounts/webhooks';
import { scaleTimeout, until, withFixture } from 'specwright/testing';
import { startPostgresProxy } from '../../../../test/support/tools/postgres-proxy.ts';
import { startTcpProxy } from '../../../../test/support/tools/tcp-proxy.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await queue.clear();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const SLOTS = { first: 3, retries: 2 };

/** A worker with few slots, whose connections go through a proxy. */
function startWorker(proxy: { readonly url: string; close(): Promise<void> }): Worker {
  const db = connect({ url: proxy.url, pool: 2 });
  cleanups.push(
    () => proxy.close(),
    () => db.destroy(),
  );
  // A delivery is made again after a second at the earliest: one that is under way meanwhile must not time out.
  return queue.startWorker({ db, concurrency: SLOTS, lease: scaleTimeout(1000), timeout: scaleTimeout(5000) });
}

/** Messages, each of an account of its own. @returns waits until all are sent. */
async function sendTo(url: string, count: number): Promise<() => Promise<void>> {
  const accounts = await Promise.all(Array.from({ length: count }, () => queue.accountWithWebhook(url)));
  const sent = await Promise.all(accounts.map(async (accountId) => [accountId, await queue.send(accountId)] as const));
  return async () => {
    for (const [accountId, id] of sent) await queue.waitForStatus(accountId, id, 'sent');
  };
}

const losses = (worker: Worker) => worker.metrics().find(({ name }) => name === 'messages_queue_restarts_total')?.values[0]?.value ?? 0;

/** The statements that end deliveries. */
const END = /update "webhook_deliveries" set "status"/i;

test('deliveries whose end cannot be recorded are made again, and take no slot meanwhile', async () => {
  const printed = jest.spyOn(console, 'trace').mockImplementation(() => undefined);
  const proxy = await startPostgresProxy(database.url);
  startWorker(proxy);
  const { url } = await queue.startReceiver();
  await (
    await sendTo(url, 1)
  )();
  proxy.inject('error', END);
  const first = await sendTo(url, 12);
  await until(() => proxy.faulty.length >= 12);
  proxy.clear();
  await first();
  await (
    await sendTo(url, 3)
  )();
  expect(queue.logged.join('\n')).toContain('a delivery is made again');
  expect(printed).not.toHaveBeenCalled();
});

test('looks that fail at first are made again, and said once', async () => {
  const proxy = await startPostgresProxy(database.url);
  proxy.inject('error', /SELECT account_id AS "accountId" FROM webhook_deliveries/);
  const before = queue.logged.length;
  startWorker(proxy);
  await until(() => proxy.faulty.length >= 6);
  proxy.clear();
  const { url } = await queue.startReceiver();
  await (
    await sendTo(url, 3)
  )();
  // Once for each lane.
  expect(queue.logged.slice(before).filter((line) => line.includes('the queue has a problem'))).toHaveLength(2);
});

test('deliveries under way go on when the end of another cannot be recorded', async () => {
  const proxy = await startPostgresProxy(database.url);
  startWorker(proxy);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const slow = await queue.startReceiver(async () => {
    await answered;
    return { status: 204 };
  });
  const waiting = await sendTo(slow.url, 1);
  await until(() => slow.received.length === 1);
  proxy.inject('error', END);
  const { url } = await queue.startReceiver();
  const others = await sendTo(url, 1);
  await until(() => proxy.faulty.length > 0);
  proxy.clear();
  await others();
  answer();
  await waiting();
  expect(slow.received).toHaveLength(1);
});

test('a message whose end cannot be recorded is sent again, later each time', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  let ends = 0;
  queue.startWorker({ onEnd: () => (++ends <= 2 ? Promise.reject(new Error('no end today')) : Promise.resolve()) });
  const id = await queue.send(accountId);
  await queue.waitForStatus(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  const [first = 0, second = 0, third = 0] = received.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(990);
  expect(third - second).toBeGreaterThanOrEqual(990);
  expect(queue.logged.join('\n')).toContain('no end today');
});

test('after outages of the database all slots are there, and the outages are counted', async () => {
  const proxy = await startTcpProxy(database.url);
  const worker = startWorker(proxy);
  const { url } = await queue.startReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { status: 204 };
  });
  const sent = [];
  for (let i = 0; i < 3; i++) {
    sent.push(await sendTo(url, 8));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await proxy.refuse();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await proxy.restore();
  }
  for (const wait of sent) await wait();
  await until(async () => (await queue.countQueued()) === 0);
  expect(losses(worker)).toBeGreaterThanOrEqual(1);
  expect(queue.logged.join('\n')).toContain('the worker has lost the database');
});
