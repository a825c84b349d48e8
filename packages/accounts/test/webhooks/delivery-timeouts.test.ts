/** The timeout of a delivery, and its interruption, happen whatever garbage was collected meanwhile: on Node 20 a signal alone is not kept. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout, startReceiver, until, withFixture } from 'specwright/testing';
import { deliver, type DeliverOptions } from '../../src/webhooks/deliver.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const COLLECT_EVERY_MS = 100;
const DELIVERY = { id: 'msg_1', body: '{}' };

let collecting: NodeJS.Timeout;
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  collecting = setInterval(runInNewContext('gc') as () => void, COLLECT_EVERY_MS);
});
afterAll(() => clearInterval(collecting));

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

/** Many deliveries to a receiver that never answers. @returns why each has failed. */
async function deliverToSilence(options: Partial<DeliverOptions>): Promise<(string | undefined)[]> {
  const receiver = await startReceiver(() => undefined);
  const signal = new AbortController().signal;
  const one = async () =>
    (await deliver({ url: receiver.url }, DELIVERY, { timeout: 300, signal, allowPrivate: true, ...options })).failure?.text;
  try {
    const pending = sleep(scaleTimeout(3000), undefined, { ref: false });
    return await Promise.all(Array.from({ length: 20 }, () => Promise.race([one(), pending])));
  } finally {
    await receiver.close();
  }
}

test('a receiver that never answers is left after the timeout', async () => {
  expect(await deliverToSilence({})).toEqual(Array.from({ length: 20 }, () => 'it did not answer within 300 ms'));
});

test('a name that is never resolved is left after the timeout', async () => {
  const { signal } = new AbortController();
  const never = () => new Promise<readonly string[]>(() => undefined);
  const pending = sleep(scaleTimeout(3000), undefined, { ref: false });
  const delivery = deliver({ url: 'https://silent.example/' }, DELIVERY, { timeout: 300, signal, resolveHost: never });
  expect(await Promise.race([delivery, pending])).toEqual({ failure: { kind: 'timeout', text: 'it did not answer within 300 ms' } });
});

test('an interruption ends deliveries at once', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 300);
  const failures = await deliverToSilence({ timeout: 60_000, signal: stopping.signal });
  expect(failures).toEqual(Array.from({ length: 20 }, () => 'it was interrupted'));
});

test('silent receivers keep no place, and the worker stops in time', async () => {
  const silent = await queue.startReceiver(() => undefined);
  const healthy = await queue.startReceiver();
  for (let i = 0; i < 4; i++) await queue.send(await queue.accountWithWebhook(silent.url));
  const worker = queue.startWorker({
    timeout: scaleTimeout(300),
    concurrency: { first: 2, retries: 1 },
    stopTimeout: 500,
    maxAttempts: 100,
  });
  await until(() => silent.received.length >= 2);
  const accountId = await queue.accountWithWebhook(healthy.url);
  await queue.waitForStatus(accountId, await queue.send(accountId), 'sent');
  const began = Date.now();
  await worker.stop();
  expect(Date.now() - began).toBeLessThan(scaleTimeout(1500));
});
