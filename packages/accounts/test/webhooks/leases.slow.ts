/** A delivery has one worker at a time: one that takes long keeps it. */
import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaleTimeout, until, withFixture } from 'specwright/testing';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

test(
  'a slow answer is waited for once, however short the lease is',
  async () => {
    const { url, received } = await queue.startReceiver(async () => {
      await sleep(14_000);
      return { status: 204 };
    });
    const accountId = await queue.accountWithWebhook(url);
    // As many processes, each of which frees the leases that are over.
    for (let i = 0; i < 3; i++) queue.startWorker({ timeout: scaleTimeout(30_000), lease: scaleTimeout(1000) });
    const id = await queue.send(accountId);
    await until(async () => (await queue.statusOf(accountId, id)) === 'sent', 30_000);
    expect(received).toHaveLength(1);
  },
  scaleTimeout(60_000),
);
