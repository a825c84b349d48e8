/** Workers of the queue that lose the database are replaced: no place is lost, and nothing is printed that is no line of the log. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import type { Worker } from '@specwright/accounts/webhooks';
import { scaleTimeout, startPostgresProxy, startTcpProxy, until, withFixture } from 'specwright/testing';
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

const PLACES = { first: 3, retries: 2 };

/** A worker with few places, whose connections go through a proxy. */
function startWorker(proxy: { readonly url: string; close(): Promise<void> }): Worker {
  const db = connect({ url: proxy.url, pool: 2 });
  cleanups.push(
    () => proxy.close(),
    () => db.destroy(),
  );
  return queue.startWorker({ db, concurrency: PLACES, lease: scaleTimeout(1000) });
}

/** Messages, each of an account of its own. @returns waits until all are sent. */
async function sendTo(url: string, count: number): Promise<() => Promise<void>> {
  const accounts = await Promise.all(Array.from({ length: count }, () => queue.accountWithWebhook(url)));
  const sent = await Promise.all(accounts.map(async (accountId) => [accountId, await queue.send(accountId)] as const));
  return async () => {
    for (const [accountId, id] of sent) await queue.waitForStatus(accountId, id, 'sent');
  };
}

const restarts = (worker: Worker) => worker.metrics().find(({ name }) => name === 'messages_queue_restarts_total')?.values[0]?.value ?? 0;

test('workers whose jobs cannot be recorded as done are replaced, and all messages are delivered', async () => {
  const printed = jest.spyOn(console, 'trace').mockImplementation(() => undefined);
  const proxy = await startPostgresProxy(database.url);
  const worker = startWorker(proxy);
  const { url } = await queue.startReceiver();
  await (
    await sendTo(url, 1)
  )();
  proxy.inject('error', /delete from "graphile_worker"\._private_jobs/i);
  const first = await sendTo(url, 12);
  // As many as there are places, each of which ended for good.
  await until(() => proxy.faulty.length >= PLACES.first);
  proxy.clear();
  await first();
  await (
    await sendTo(url, 3)
  )();
  expect(restarts(worker)).toBeGreaterThanOrEqual(1);
  expect(queue.logged.join('\n')).toContain('the workers of the queue are replaced');
  expect(printed).not.toHaveBeenCalled();
});

test('an outage that begins before the workers know their tasks does not last for good', async () => {
  const proxy = await startPostgresProxy(database.url);
  proxy.inject('error', /_private_tasks/);
  startWorker(proxy);
  await until(() => proxy.faulty.length > 0);
  proxy.clear();
  const { url } = await queue.startReceiver();
  await (
    await sendTo(url, 3)
  )();
});

test('deliveries under way go on when another worker has failed', async () => {
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
  proxy.inject('error', /delete from "graphile_worker"\._private_jobs/i);
  const { url } = await queue.startReceiver();
  const others = await sendTo(url, 1);
  await until(() => proxy.faulty.length > 0);
  proxy.clear();
  await others();
  answer();
  await waiting();
  expect(slow.received).toHaveLength(1);
});

test('after outages of the database all places are there', async () => {
  const proxy = await startTcpProxy(database.url);
  startWorker(proxy);
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
  await until(async () => (await queue.countJobs()) === 0);
});
