/** Messages that have ended are kept for a time, and then deleted by the worker, with what the queue keeps of their accounts. */
import { afterEach, expect, test } from '@jest/globals';
import { until, withFixture } from 'specwright/testing';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

/** Messages of one account, made so many days ago. */
async function messages(accountId: number, status: string, days: number, count = 1): Promise<void> {
  await database.db.raw(
    `INSERT INTO webhook_deliveries (account_id, id, name, body, status, created_at)
       SELECT ?, 'msg_' || gen_random_uuid(), 'noted', '{}', ?, now() - make_interval(days => ?) FROM generate_series(1, ?)`,
    [accountId, status, days, count],
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

test('more than a batch is deleted at once', async () => {
  const accountId = await queue.accountWithWebhook();
  await messages(accountId, 'sent', 31, 2500);
  await messages(accountId, 'sent', 29);
  queue.startWorker();
  await until(async () => (await left(accountId)).length === 1, 10_000);
});

test('the names of queues without jobs are removed from the queue', async () => {
  const accountId = await queue.accountWithWebhook();
  await queue.send(accountId);
  const queues = () => database.db('graphile_worker._private_job_queues').pluck<string[]>('queue_name');
  // As a worker leaves it that has done the job, and has removed nothing since.
  await database.db('graphile_worker._private_jobs').delete();
  expect(await queues()).toContain(`account ${accountId}`);
  queue.startWorker();
  await until(async () => !(await queues()).includes(`account ${accountId}`));
});
