/** Messages and webhooks in the database: one job per message, one final status, and no access to those of other accounts. */
import { expect, test } from '@jest/globals';
import { withDatabase, withFixture } from '@specwright/testing';
import { createMessage, DELIVERY, endMessage, findQueued, getMessage, retryMessage } from '../../src/db/messages.ts';
import { enqueue, freeAbandonedJobs } from '@specwright/webhooks';
import { deleteWebhook, findDeliveryTarget, getWebhook, setWebhook } from '../../src/db/webhooks.ts';
import { newAccount } from '../support/service/app.ts';

const URL = 'https://example.com/hook';
const NOW = new Date('2026-11-21T09:00:00.123Z');

const database = withDatabase();
const me = withFixture(() => newAccount(database.db));
const other = withFixture(() => newAccount(database.db));

const jobsOf = (key: string) =>
  database.db('graphile_worker.jobs').where({ key }).select('task_identifier', 'queue_name', 'attempts', 'max_attempts');

test('a message is queued with one job, under a UUIDv7 of its creation time', async () => {
  const { version, record } = await createMessage(database.db, me.accountId, { message: 'Ré 🐕\n\u0001' }, NOW);
  expect({ version, record }).toEqual({
    version: '1',
    record: { id: record.id, message: 'Ré 🐕\n\u0001', status: 'queued', createdAt: NOW.toISOString() },
  });
  expect(record.id).toMatch(/^msg_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(parseInt(record.id.slice(4).replace('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
  expect(await jobsOf(record.id)).toEqual([
    { task_identifier: DELIVERY, queue_name: `account ${me.accountId}`, attempts: 0, max_attempts: 32767 },
  ]);
  expect(await getMessage(database.db, me.accountId, record.id)).toEqual({ version, record });
});

test('a message with a final status keeps it, and is not retried', async () => {
  const { record } = await createMessage(database.db, me.accountId, { message: 'hello' }, NOW);
  await endMessage(database.db, me.accountId, record.id, { status: 'failed', attempts: 3 });
  await endMessage(database.db, me.accountId, record.id, { status: 'sent', attempts: 0 });
  await database.db.raw('SELECT graphile_worker.remove_job(?)', [record.id]);
  await retryMessage(database.db, me.accountId, record.id, { attempts: 1, delay: 0 });
  expect(await getMessage(database.db, me.accountId, record.id)).toMatchObject({ version: '2', record: { status: 'failed' } });
  expect(await findQueued(database.db, me.accountId, record.id)).toBeUndefined();
  expect(await jobsOf(record.id)).toEqual([]);
});

test('a retry is one job with a delay', async () => {
  const { record } = await createMessage(database.db, me.accountId, { message: 'hello' }, NOW);
  await retryMessage(database.db, me.accountId, record.id, { attempts: 1, delay: 60_000 });
  const { rows } = await database.db.raw<{ rows: { wait: number }[] }>(
    'SELECT extract(epoch FROM run_at - now())::float8 AS wait FROM graphile_worker.jobs WHERE key = ?',
    [record.id],
  );
  const [job, ...more] = rows;
  expect(more).toEqual([]);
  expect(job?.wait).toBeGreaterThan(50);
  expect(await findQueued(database.db, me.accountId, record.id)).toMatchObject({ attempts: 1 });
});

test("another account's message is not found, and cannot be ended or retried", async () => {
  const { record } = await createMessage(database.db, other.accountId, { message: 'hello' }, NOW);
  await expect(getMessage(database.db, me.accountId, record.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findQueued(database.db, me.accountId, record.id)).toBeUndefined();
  await endMessage(database.db, me.accountId, record.id, { status: 'sent', attempts: 0 });
  await retryMessage(database.db, me.accountId, record.id, { attempts: 5, delay: 0 });
  expect(await findQueued(database.db, other.accountId, record.id)).toMatchObject({ attempts: 0 });
});

test('each account has its own webhook, whose secret is replaced each time it is set', async () => {
  await expect(getWebhook(database.db, me.accountId)).rejects.toMatchObject({ code: 'not_found' });
  const first = await setWebhook(database.db, me.accountId, { url: URL }, NOW);
  expect(await findDeliveryTarget(database.db, me.accountId)).toMatchObject({
    url: URL,
    secret: first.secret,
    failures: 0,
    isPaused: false,
  });
  expect(await getWebhook(database.db, me.accountId)).toEqual({
    version: first.version,
    record: { url: URL, createdAt: NOW.toISOString() },
  });
  const second = await setWebhook(database.db, me.accountId, { url: `${URL}/2` }, NOW);
  expect(second.secret).not.toBe(first.secret);
  expect(second.version).not.toBe(first.version);
  expect(await findDeliveryTarget(database.db, other.accountId)).toBeUndefined();
  await expect(getWebhook(database.db, other.accountId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteWebhook(database.db, other.accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findDeliveryTarget(database.db, me.accountId)).toMatchObject({
    url: `${URL}/2`,
    secret: second.secret,
    failures: 0,
    isPaused: false,
  });
});

test('preconditions on a webhook are checked, and no version is used twice', async () => {
  const { accountId } = await newAccount(database.db);
  const fails = { code: 'precondition_failed' };
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, (version) => version !== undefined)).rejects.toMatchObject(fails);
  const first = await setWebhook(database.db, accountId, { url: URL }, NOW);
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, () => false)).rejects.toMatchObject(fails);
  await expect(deleteWebhook(database.db, accountId, () => false)).rejects.toMatchObject(fails);
  await deleteWebhook(database.db, accountId, (version) => version === first.version);
  await expect(deleteWebhook(database.db, accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect((await setWebhook(database.db, accountId, { url: URL }, NOW)).version).not.toBe(first.version);
});

test('frees the jobs of a dead process once their lock is older than the lease, and no others', async () => {
  await database.db.transaction(async (trx) => {
    for (const key of ['old', 'new']) await enqueue(trx, { task: 'test', key, queue: `queue ${key}`, payload: {} });
  });
  const lock = (key: string, worker: string, age: string) =>
    database.db.raw(
      `WITH j AS (UPDATE graphile_worker._private_jobs SET locked_by = ?, locked_at = now() - ?::interval WHERE key = ? RETURNING job_queue_id)
       UPDATE graphile_worker._private_job_queues q SET locked_by = ?, locked_at = now() - ?::interval FROM j WHERE q.id = j.job_queue_id`,
      [worker, age, key, worker, age],
    );
  await lock('old', 'dead', '20 seconds');
  await lock('new', 'alive', '5 seconds');
  await freeAbandonedJobs(database.db, 10_000);
  const locks = await database.db('graphile_worker.jobs').whereIn('key', ['old', 'new']).orderBy('key').pluck('locked_by');
  expect(locks).toEqual(['alive', null]);
  expect(await database.db('graphile_worker._private_job_queues').where({ queue_name: 'queue old' }).pluck('locked_by')).toEqual([null]);
  await freeAbandonedJobs(database.db, 1000);
  expect(await database.db('graphile_worker.jobs').whereNotNull('locked_by')).toEqual([]);
});

test('deleting an account deletes its messages and its webhook', async () => {
  const { accountId } = await newAccount(database.db);
  await setWebhook(database.db, accountId, { url: URL }, NOW);
  const { record } = await createMessage(database.db, accountId, { message: 'hello' }, NOW);
  await database.db('accounts').where({ account_id: accountId }).delete();
  await expect(getMessage(database.db, accountId, record.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await findDeliveryTarget(database.db, accountId)).toBeUndefined();
});

test('webhooks that are set at once replace one another: each has a version and a secret of its own, and the last one stays', async () => {
  const { accountId } = await newAccount(database.db);
  const set = await Promise.all(Array.from({ length: 20 }, () => setWebhook(database.db, accountId, { url: URL }, NOW)));
  expect(new Set(set.map(({ version }) => version)).size).toBe(20);
  expect(new Set(set.map(({ secret }) => secret)).size).toBe(20);
  const last = Math.max(...set.map(({ version }) => Number(version)));
  const kept = await database.db('webhooks').where({ account_id: accountId }).select('version', 'secret');
  expect(kept).toEqual([{ version: last, secret: set.find(({ version }) => Number(version) === last)?.secret }]);
});
