/** A job has one worker at a time: one that takes long keeps its job, and the job of one that was killed is done again in time. */
import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@specwright/postgres';
import { scaleTimeout, until, withFixture } from 'specwright/testing';
import { enqueue } from '../../src/webhooks/queue.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const TIMEOUT_MS = 100;

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

const add = (key: string, queueName = key) =>
  database.db.transaction((trx: Transaction) => enqueue(trx, { task: 'long', key, queue: queueName, payload: { key } }));

test(
  'a task that takes longer than deliveries may is done once, by one worker at a time',
  async () => {
    let running = 0;
    const seen: number[] = [];
    const long = async () => {
      seen.push(++running);
      await sleep(14_000);
      running -= 1;
    };
    // As many processes, each of which looks for jobs that were left.
    for (let i = 0; i < 3; i++) queue.startWorker({ timeout: TIMEOUT_MS, lease: 2000, stopTimeout: scaleTimeout(20_000), tasks: { long } });
    await add('one');
    await until(() => seen.length > 0);
    await until(async () => (await queue.countJobs()) === 0, 30_000);
    expect(seen).toEqual([1]);
  },
  scaleTimeout(60_000),
);

test(
  'a slow answer is waited for once, however short the lease is',
  async () => {
    const { url, received } = await queue.startReceiver(async () => {
      await sleep(4000);
      return { status: 204 };
    });
    const accountId = await queue.accountWithWebhook(url);
    for (let i = 0; i < 2; i++) queue.startWorker({ timeout: scaleTimeout(20_000), lease: scaleTimeout(1000) });
    const id = await queue.send(accountId);
    await until(async () => (await queue.statusOf(accountId, id)) === 'sent', 20_000);
    expect(received).toHaveLength(1);
  },
  scaleTimeout(60_000),
);
