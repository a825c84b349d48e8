/** Workers that share the queue: each message is sent once, and what one had that has died is sent by another. */
import { afterEach, expect, test } from '@jest/globals';
import { until, withFixture } from 'specwright/testing';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

test('two workers send each message once, and those of an account in order and one at a time', async () => {
  let underWay = 0;
  let most = 0;
  const receivers = await Promise.all(
    Array.from({ length: 4 }, () =>
      queue.startReceiver(async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 2));
        underWay -= 1;
        return { status: 204 };
      }),
    ),
  );
  const accounts = await Promise.all(receivers.map(({ url }) => queue.accountWithWebhook(url)));
  for (let i = 0; i < 2; i++) queue.startWorker();
  const sent = await Promise.all(
    accounts.map(async (accountId) => {
      const ids = [];
      for (let i = 0; i < 25; i++) ids.push(await queue.send(accountId));
      return ids;
    }),
  );
  await until(async () => (await queue.countQueued()) === 0, 8000);
  expect(receivers.map(({ received }) => received.map(({ headers }) => headers['webhook-id']))).toEqual(sent);
  expect(most).toBeLessThanOrEqual(accounts.length);
  expect(queue.logged.join('\n')).not.toContain('problem');
});

test('a message that a worker had which has died is sent once its lease is over, and counted', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(url);
  const ids = [await queue.send(accountId), await queue.send(accountId)];
  const leased = { leased_by: 'dead', leased_until: database.db.raw("now() + interval '1 second'") };
  await database.db('webhook_deliveries').where({ account_id: accountId, id: ids[0] }).update(leased);
  const worker = queue.startWorker({ lease: 400 });
  for (const id of ids) await queue.waitForStatus(accountId, id, 'sent');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
  expect(worker.metrics()[0]).toMatchObject({ name: 'messages_queue_freed_total', values: [{ value: 1 }] });
});
