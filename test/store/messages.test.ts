/** Messages and webhooks as they are stored: a message has one job, ends once, and an account sees its own alone. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { createMessage, DELIVERY, endMessage, findQueued, getMessage, retryMessage } from '../../src/db/messages.ts';
import { enqueue, freeAbandonedJobs } from '../../src/db/queue.ts';
import { deleteWebhook, findDeliveryTarget, getWebhook, setWebhook } from '../../src/db/webhooks.ts';
import { newAccount } from '../support/app.ts';

const URL = 'https://example.com/hook';
const NOW = new Date('2026-11-21T09:00:00.123Z');

let database: TestDatabase;
let db: Database;
let me: number;
let other: number;
beforeAll(async () => {
  database = await createDatabase();
  db = database.db;
  me = (await newAccount(db)).accountId;
  other = (await newAccount(db)).accountId;
});
afterAll(() => database.drop());

const jobsOf = (key: string) =>
  db('graphile_worker.jobs').where({ key }).select('task_identifier', 'queue_name', 'attempts', 'max_attempts');

test('a message is queued with one job, under an id of its own that sorts by time', async () => {
  const { version, record } = await createMessage(db, me, { message: 'Ré 🐕\n\u0001' }, NOW);
  expect({ version, record }).toEqual({
    version: '1',
    record: { id: record.id, message: 'Ré 🐕\n\u0001', status: 'queued', createdAt: NOW.toISOString() },
  });
  expect(record.id).toMatch(/^msg_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(parseInt(record.id.slice(4).replace('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
  expect(await jobsOf(record.id)).toEqual([{ task_identifier: DELIVERY, queue_name: `account ${me}`, attempts: 0, max_attempts: 32767 }]);
  expect(await getMessage(db, me, record.id)).toEqual({ version, record });
});

test('it ends once: what has ended stays as it is, and is not tried again', async () => {
  const { record } = await createMessage(db, me, { message: 'hello' }, NOW);
  await endMessage(db, me, record.id, { status: 'failed', attempts: 3 });
  await endMessage(db, me, record.id, { status: 'sent', attempts: 0 });
  await db.raw('SELECT graphile_worker.remove_job(?)', [record.id]);
  await retryMessage(db, me, record.id, { attempts: 1, delay: 0 });
  expect(await getMessage(db, me, record.id)).toMatchObject({ version: '2', record: { status: 'failed' } });
  expect(await findQueued(db, me, record.id)).toBeUndefined();
  expect(await jobsOf(record.id)).toEqual([]);
});

test('another try is one job, later', async () => {
  const { record } = await createMessage(db, me, { message: 'hello' }, NOW);
  await retryMessage(db, me, record.id, { attempts: 1, delay: 60_000 });
  const { rows } = await db.raw<{ rows: { wait: number }[] }>(
    'SELECT extract(epoch FROM run_at - now())::float8 AS wait FROM graphile_worker.jobs WHERE key = ?',
    [record.id],
  );
  const [job, ...more] = rows;
  expect(more).toEqual([]);
  expect(job?.wait).toBeGreaterThan(50);
  expect(await findQueued(db, me, record.id)).toMatchObject({ attempts: 1 });
});

test("another account's message answers as one that does not exist, and cannot be ended or tried again", async () => {
  const { record } = await createMessage(db, other, { message: 'hello' }, NOW);
  await expect(getMessage(db, me, record.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findQueued(db, me, record.id)).toBeUndefined();
  await endMessage(db, me, record.id, { status: 'sent', attempts: 0 });
  await retryMessage(db, me, record.id, { attempts: 5, delay: 0 });
  expect(await findQueued(db, other, record.id)).toMatchObject({ attempts: 0 });
});

test('a webhook is per account; its secret is for deliveries alone, and it is replaced with each one set', async () => {
  await expect(getWebhook(db, me)).rejects.toMatchObject({ code: 'not_found' });
  const first = await setWebhook(db, me, { url: URL }, NOW);
  expect(await findDeliveryTarget(db, me)).toEqual({ url: URL, secret: first.secret });
  expect(await getWebhook(db, me)).toEqual({ version: first.version, record: { url: URL, createdAt: NOW.toISOString() } });
  const second = await setWebhook(db, me, { url: `${URL}/2` }, NOW);
  expect(second.secret).not.toBe(first.secret);
  expect(second.version).not.toBe(first.version);
  expect(await findDeliveryTarget(db, other)).toBeUndefined();
  await expect(getWebhook(db, other)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteWebhook(db, other)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findDeliveryTarget(db, me)).toEqual({ url: `${URL}/2`, secret: second.secret });
});

test('conditions on a webhook hold, and a version never comes again', async () => {
  const { accountId } = await newAccount(db);
  const fails = { code: 'precondition_failed' };
  await expect(setWebhook(db, accountId, { url: URL }, NOW, () => true)).rejects.toMatchObject(fails);
  const first = await setWebhook(db, accountId, { url: URL }, NOW);
  await expect(setWebhook(db, accountId, { url: URL }, NOW, () => false)).rejects.toMatchObject(fails);
  await expect(deleteWebhook(db, accountId, () => false)).rejects.toMatchObject(fails);
  await deleteWebhook(db, accountId, (version) => version === first.version);
  await expect(deleteWebhook(db, accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect((await setWebhook(db, accountId, { url: URL }, NOW)).version).not.toBe(first.version);
});

test('a webhook set many times at once is set, and the last secret is the one that signs', async () => {
  const { accountId } = await newAccount(db);
  const made = await Promise.all(Array.from({ length: 20 }, () => setWebhook(db, accountId, { url: URL }, NOW)));
  const target = await findDeliveryTarget(db, accountId);
  expect(made.map(({ secret }) => secret)).toContain(target?.secret);
});

test('the jobs of a process that died are freed once they are older than the lease, and no others', async () => {
  await db.transaction(async (trx) => {
    for (const key of ['old', 'new']) await enqueue(trx, { task: 'test', key, queue: `queue ${key}`, payload: {} });
  });
  const lock = (key: string, worker: string, age: string) =>
    db.raw(
      `WITH j AS (UPDATE graphile_worker._private_jobs SET locked_by = ?, locked_at = now() - ?::interval WHERE key = ? RETURNING job_queue_id)
       UPDATE graphile_worker._private_job_queues q SET locked_by = ?, locked_at = now() - ?::interval FROM j WHERE q.id = j.job_queue_id`,
      [worker, age, key, worker, age],
    );
  await lock('old', 'dead', '20 seconds');
  await lock('new', 'alive', '5 seconds');
  await freeAbandonedJobs(db, 10_000);
  const locks = await db('graphile_worker.jobs').whereIn('key', ['old', 'new']).orderBy('key').pluck('locked_by');
  expect(locks).toEqual(['alive', null]);
  expect(await db('graphile_worker._private_job_queues').where({ queue_name: 'queue old' }).pluck('locked_by')).toEqual([null]);
  await freeAbandonedJobs(db, 1000);
  expect(await db('graphile_worker.jobs').whereNotNull('locked_by')).toEqual([]);
});

test('deleting an account takes its messages and its webhook with it', async () => {
  const { accountId } = await newAccount(db);
  await setWebhook(db, accountId, { url: URL }, NOW);
  const { record } = await createMessage(db, accountId, { message: 'hello' }, NOW);
  await db('accounts').where({ account_id: accountId }).delete();
  await expect(getMessage(db, accountId, record.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findDeliveryTarget(db, accountId)).toBeUndefined();
});
