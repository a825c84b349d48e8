/** Messages that have ended are kept for a time, and then deleted by the worker. */
import { afterEach, expect, test } from '@jest/globals';
import { until, withFixture } from 'specwright/testing';
import { replayDeliveries } from '../../src/webhooks/deliveries.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

/** Messages of one account, made so many days ago, which ended so many days ago; what is queued is due tomorrow. */
async function messages(accountId: number, status: string, days: number, count = 1, ended = days): Promise<void> {
  await database.db.raw(
    `INSERT INTO webhook_deliveries (account_id, id, name, body, status, created_at, ended_at, due_at)
       SELECT ?, 'msg_' || gen_random_uuid(), 'noted', '{}', ?, now() - make_interval(days => ?), now() - make_interval(days => ?),
              now() + interval '1 day'
         FROM generate_series(1, ?)`,
    [accountId, status, days, ended, count],
  );
}

const left = (accountId: number) =>
  database.db('webhook_deliveries').where({ account_id: accountId }).orderBy('status').pluck<string[]>('status');

test('what was sent or has failed is deleted after the retention, what is queued never', async () => {
  const accountId = await queue.accountWithWebhook();
  for (const status of ['queued', 'sent', 'failed']) for (const days of [6, 8, 4000]) await messages(accountId, status, days);
  queue.startWorker({ retentionDays: 7 });
  await until(async () => (await left(accountId)).length === 5);
  expect(await left(accountId)).toEqual(['failed', 'queued', 'queued', 'queued', 'sent']);
});

test('the retention counts from the end, so that what was given up after days can be replayed', async () => {
  const accountId = await queue.accountWithWebhook();
  await messages(accountId, 'failed', 4000, 1, 6);
  await messages(accountId, 'sent', 4000, 1, 8);
  const { url } = await queue.startReceiver(() => ({ status: 500 }));
  const late = await queue.accountWithWebhook(url);
  const id = await queue.send(late);
  await database.db('webhook_deliveries').where({ account_id: late }).update({ created_at: '2026-01-01T00:00:00Z' });
  const worker = queue.startWorker({ retentionDays: 7, giveUpAfter: 86_400_000 });
  await queue.waitForStatus(late, id, 'failed');
  await until(async () => (await left(accountId)).length === 1);
  await worker.stop();
  // Its first act is to delete what is over.
  await messages(accountId, 'sent', 8);
  const other = queue.startWorker({ retentionDays: 7 });
  await until(async () => (await left(accountId)).length === 1);
  await other.stop();
  expect([await left(accountId), await left(late)]).toEqual([['failed'], ['failed']]);
  expect(await replayDeliveries(database.db, { accountId: late, since: new Date(0) })).toBe(1);
  expect(await database.db('webhook_deliveries').where({ account_id: late }).first('status', 'ended_at')).toEqual({
    status: 'queued',
    ended_at: null,
  });
});

test('more than a batch is deleted at once', async () => {
  const accountId = await queue.accountWithWebhook();
  await messages(accountId, 'sent', 31, 2500);
  await messages(accountId, 'sent', 29);
  queue.startWorker();
  await until(async () => (await left(accountId)).length === 1, 10_000);
});
