/** A worker that is stopped or loses its connections: deliveries in progress end, or are made again under the same id. */
import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaleTimeout, until, withFixture } from 'specwright/testing';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

test('stop() waits for a delivery in progress', async () => {
  const { port, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(`http://slow.example:${port}/`);
  const id = await queue.send(accountId);
  let began = false;
  const resolveHost = async () => {
    began = true;
    await sleep(300);
    return ['127.0.0.1'];
  };
  const worker = queue.startWorker({ resolveHost });
  await until(() => began);
  expect(received).toEqual([]);
  await worker.stop();
  expect(received).toHaveLength(1);
  expect(await queue.statusOf(accountId, id)).toBe('sent');
});

test('a delivery that exceeds the stop timeout is interrupted, is no failed attempt, and is made again by the next worker', async () => {
  const { url, received } = await queue.startReceiver((_, count) => (count === 1 ? undefined : { status: 200 }));
  const accountId = await queue.accountWithWebhook(url);
  const id = await queue.send(accountId);
  const first = queue.startWorker({ timeout: 60_000, stopTimeout: 100 });
  await until(() => received.length === 1);
  const began = Date.now();
  await first.stop();
  expect(Date.now() - began).toBeLessThan(scaleTimeout(3000));
  expect(await database.db('webhook_deliveries').where({ account_id: accountId, id }).first('status', 'attempts')).toEqual({
    status: 'queued',
    attempts: 0,
  });
  queue.startWorker();
  await queue.waitForStatus(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
});

test('a worker is started once, and not after it was stopped', async () => {
  const accountId = await queue.accountWithWebhook();
  queue.logged.length = 0;
  const worker = queue.startWorker();
  worker.start();
  expect(queue.logged.filter((line) => line.includes('the worker has started'))).toHaveLength(1);
  await worker.stop();
  worker.start();
  const id = await queue.send(accountId);
  await sleep(200);
  expect(await queue.statusOf(accountId, id)).toBe('queued');
});

test('a worker whose connections are terminated reconnects', async () => {
  const { url } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  queue.startWorker();
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
  await database.db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '% queue'`);
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
});
