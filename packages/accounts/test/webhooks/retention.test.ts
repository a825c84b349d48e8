/** Messages that have ended are kept for a time, and then deleted by the worker, with what the queue keeps of their accounts. */
import { afterEach, expect, test } from '@jest/globals';
import { until, withFixture } from 'specwright/testing';
import { replayDeliveries, retryDelivery } from '../../src/webhooks/deliveries.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

/** Messages of one account, made so many days ago, which ended so many days ago. */
async function messages(accountId: number, status: string, days: number, count = 1, ended = days): Promise<void> {
  await database.db.raw(
    `INSERT INTO webhook_deliveries (account_id, id, name, body, status, created_at, ended_at)
       SELECT ?, 'msg_' || gen_random_uuid(), 'noted', '{}', ?, now() - make_interval(days => ?), now() - make_interval(days => ?)
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
  const other = queue.startWorker({ retentionDays: 7 });
  await until(async () => !(await queueNames()).includes(`account ${late}`));
  await other.stop();
  expect([await left(accountId), await left(late)]).toEqual([['failed'], ['failed']]);
  expect(await replayDeliveries(database.db, { accountId: late, since: new Date(0) })).toBe(1);
  expect(await database.db('webhook_deliveries').where({ account_id: late }).first('status', 'ended_at')).toEqual({
    status: 'queued',
    ended_at: null,
  });
  await database.db('graphile_worker._private_jobs').delete();
});

const queueNames = () => database.db('graphile_worker._private_job_queues').pluck<string[]>('queue_name');

test('a job that was replaced while a worker had it that has died is removed', async () => {
  const accountId = await queue.accountWithWebhook();
  const id = await queue.send(accountId);
  await database.db('graphile_worker._private_jobs').update({ locked_by: 'dead', locked_at: new Date(0) });
  await retryDelivery(database.db, accountId, id, { attempts: 1, delay: 3_600_000 });
  expect(await queue.countJobs()).toBe(2);
  const worker = queue.startWorker();
  await until(async () => (await database.db('graphile_worker.jobs').whereNotNull('locked_by')).length === 0);
  await worker.stop();
  queue.startWorker();
  await until(async () => (await queue.countJobs()) === 1);
  await database.db('graphile_worker._private_jobs').delete();
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
  // As a worker leaves it that has done the job, and has removed nothing since.
  await database.db('graphile_worker._private_jobs').delete();
  expect(await queueNames()).toContain(`account ${accountId}`);
  queue.startWorker();
  await until(async () => !(await queueNames()).includes(`account ${accountId}`));
});
