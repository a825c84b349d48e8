/** Deliveries and webhooks in the database: one job per delivery, one final status, and no access to those of other accounts. */
import { expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { createDeliveryId, endDelivery, findDelivery, findQueued, queueDelivery, retryDelivery } from '../../src/webhooks/deliveries.ts';
import { DELIVERY } from '../../src/webhooks/queue.ts';
import {
  deleteWebhook,
  findDeliveryTarget,
  getWebhook,
  isGone,
  recordFailure,
  recordGone,
  recordSuccess,
  setWebhook,
  type DeliveryTarget,
} from '../../src/webhooks/webhooks.ts';
import { newAccount, withWebhooksDatabase } from './support/webhooks-database.ts';

const URL = 'https://example.com/hook';
const NOW = new Date('2026-11-21T09:00:00.123Z');

const database = withWebhooksDatabase();
const me = { accountId: newAccount() };
const other = { accountId: newAccount() };

/** A delivery that is queued. @returns its id. */
async function queue(accountId: number, body = '{}'): Promise<string> {
  const id = createDeliveryId(NOW);
  await queueDelivery(database.db, { accountId, id, name: 'noted', body });
  return id;
}

const keyOf = (id: string, { accountId } = me) => `${accountId} ${id}`;
const jobsOf = (id: string) =>
  database
    .db('graphile_worker.jobs')
    .where({ key: keyOf(id) })
    .select('task_identifier', 'queue_name', 'attempts', 'max_attempts');

test('a delivery is queued with one job, under a UUIDv7 of its creation time', async () => {
  const body = '{"text":"Ré 🐕\\u0000"}';
  const id = await queue(me.accountId, body);
  expect(id).toMatch(/^msg_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(parseInt(id.slice(4).replace('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
  const job = { task_identifier: DELIVERY, queue_name: `account ${me.accountId}`, attempts: 0, max_attempts: 32767 };
  expect(await jobsOf(id)).toEqual([job]);
  expect(await findQueued(database.db, me.accountId, id)).toEqual({
    age: expect.any(Number),
    id,
    name: 'noted',
    body,
    url: null,
    secret: null,
    attempts: 0,
    webhookDeleted: false,
  });
  expect(await findDelivery(database.db, me.accountId, id)).toEqual({ status: 'queued', attempts: 0, answer: null, isDeclared: null });
});

test('a delivery whose id has been used is not queued again', async () => {
  const id = await queue(me.accountId);
  await database.db.raw('SELECT graphile_worker.remove_job(?)', [keyOf(id)]);
  await queueDelivery(database.db, { accountId: me.accountId, id, name: 'other', body: '[]' });
  expect(await findQueued(database.db, me.accountId, id)).toMatchObject({ name: 'noted', body: '{}' });
  expect(await jobsOf(id)).toEqual([]);
});

test('accounts that use the same id have a job each', async () => {
  const id = 'order-7-completed';
  const accounts = [me, other, { accountId: newAccount() }];
  for (const { accountId } of accounts) await queueDelivery(database.db, { accountId, id, name: 'noted', body: '{}' });
  await retryDelivery(database.db, other.accountId, id, { attempts: 1, delay: 60_000 });
  const jobs = database.db('graphile_worker.jobs').whereIn(
    'key',
    accounts.map((account) => keyOf(id, account)),
  );
  expect(await jobs.orderBy('queue_name').pluck('queue_name')).toEqual(
    accounts.map(({ accountId }) => `account ${accountId}${accountId === other.accountId ? ' again' : ''}`),
  );
});

test('a delivery with a final status keeps it, is not retried, and has ended once for its service', async () => {
  const id = await queue(me.accountId);
  const { accountId } = me;
  const ended: unknown[] = [];
  const onEnd = async (_: unknown, delivery: unknown) => void ended.push(delivery);
  const failed = { accountId, id, name: 'noted', status: 'failed', attempts: 3, answer: 500, isDeclared: false } as const;
  await endDelivery(database.db, failed, onEnd);
  await endDelivery(database.db, { ...failed, status: 'sent', attempts: 0 }, onEnd);
  await database.db.raw('SELECT graphile_worker.remove_job(?)', [keyOf(id)]);
  await retryDelivery(database.db, accountId, id, { attempts: 1, delay: 0 });
  expect(await findDelivery(database.db, accountId, id)).toEqual({ status: 'failed', attempts: 3, answer: 500, isDeclared: false });
  expect(await findQueued(database.db, accountId, id)).toBeUndefined();
  expect(await jobsOf(id)).toEqual([]);
  expect(ended).toEqual([failed]);
});

test('a delivery whose job cannot be queued is not there, or stays as it was, and the reason is told', async () => {
  const [tried, id] = [await queue(me.accountId), createDeliveryId(NOW)];
  await database.db.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no jobs today'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await expect(queueDelivery(database.db, { accountId: me.accountId, id, name: 'noted', body: '{}' })).rejects.toThrow('no jobs today');
    await expect(retryDelivery(database.db, me.accountId, tried, { attempts: 1, delay: 0 })).rejects.toThrow('no jobs today');
  } finally {
    await database.db.raw('DROP TRIGGER refuse ON graphile_worker._private_jobs; DROP FUNCTION refuse');
  }
  expect(await findDelivery(database.db, me.accountId, id)).toBeUndefined();
  expect(await findDelivery(database.db, me.accountId, tried)).toMatchObject({ status: 'queued', attempts: 0 });
});

test('a delivery does not end if what its service does then fails', async () => {
  const id = await queue(me.accountId);
  const ended = { accountId: me.accountId, id, name: 'noted', status: 'sent', attempts: 0 } as const;
  await expect(endDelivery(database.db, ended, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await findDelivery(database.db, me.accountId, id)).toMatchObject({ status: 'queued' });
});

test('a retry is one job with a delay', async () => {
  const id = await queue(me.accountId);
  await retryDelivery(database.db, me.accountId, id, { attempts: 1, delay: 60_000 });
  const { rows } = await database.db.raw<{ rows: { wait: number }[] }>(
    'SELECT extract(epoch FROM run_at - now())::float8 AS wait FROM graphile_worker.jobs WHERE key = ?',
    [keyOf(id)],
  );
  const [job, ...more] = rows;
  expect(more).toEqual([]);
  expect(job?.wait).toBeGreaterThan(50);
  expect(await findQueued(database.db, me.accountId, id)).toMatchObject({ attempts: 1 });
});

test("another account's delivery is not found, and cannot be ended or retried", async () => {
  const id = await queue(other.accountId);
  const { accountId } = me;
  expect(await findDelivery(database.db, accountId, id)).toBeUndefined();
  expect(await findQueued(database.db, accountId, id)).toBeUndefined();
  await endDelivery(database.db, { accountId, id, name: 'noted', status: 'sent', attempts: 0 });
  await retryDelivery(database.db, accountId, id, { attempts: 5, delay: 0 });
  expect(await findQueued(database.db, other.accountId, id)).toMatchObject({ attempts: 0 });
});

test('each account has its own webhook, whose secret is replaced each time it is set', async () => {
  await expect(getWebhook(database.db, me.accountId)).rejects.toMatchObject({ code: 'not_found' });
  const first = await setWebhook(database.db, me.accountId, { url: URL }, NOW);
  expect(await findDeliveryTarget(database.db, me.accountId)).toMatchObject({
    url: URL,
    secret: first.secret,
    failures: 0,
    pausedFor: 0,
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
    pausedFor: 0,
  });
});

test('a failed delivery, one that succeeded and a receiver that is gone count for a webhook of the account alone', async () => {
  const { accountId } = other;
  await setWebhook(database.db, accountId, { url: URL }, NOW);
  const read = async () => (await findDeliveryTarget(database.db, accountId)) as DeliveryTarget;
  const theirs = await read();
  await recordFailure(database.db, me.accountId, theirs, { threshold: 1, pause: 60_000 });
  await recordGone(database.db, me.accountId, theirs);
  expect(await read()).toEqual(theirs);
  await recordFailure(database.db, accountId, theirs, { threshold: 3, pause: 60_000 });
  await recordSuccess(database.db, me.accountId, theirs);
  expect(await read()).toEqual({ ...theirs, failures: 1 });
  await recordGone(database.db, accountId, theirs);
  expect(isGone(await read())).toBe(true);
});

test('a failure that cannot be recorded is an error', async () => {
  const { accountId } = other;
  await setWebhook(database.db, accountId, { url: URL }, NOW);
  const target = (await findDeliveryTarget(database.db, accountId)) as DeliveryTarget;
  const closed = connect({ url: database.url, pool: 1 });
  await closed.destroy();
  await expect(recordFailure(closed, accountId, target, { threshold: 3, pause: 60_000 })).rejects.toThrow();
});

test('preconditions on a webhook are checked, and no version is used twice', async () => {
  const accountId = newAccount();
  const fails = { code: 'precondition_failed' };
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, (version) => version !== undefined)).rejects.toMatchObject(fails);
  const first = await setWebhook(database.db, accountId, { url: URL }, NOW);
  await expect(setWebhook(database.db, accountId, { url: URL }, NOW, () => false)).rejects.toMatchObject(fails);
  await expect(deleteWebhook(database.db, accountId, () => false)).rejects.toMatchObject(fails);
  await deleteWebhook(database.db, accountId, (version) => version === first.version);
  await expect(deleteWebhook(database.db, accountId)).rejects.toMatchObject({ code: 'not_found' });
  expect((await setWebhook(database.db, accountId, { url: URL }, NOW)).version).not.toBe(first.version);
});

test('webhooks that are set at once replace one another: each has a version and a secret of its own, and the last one stays', async () => {
  const accountId = newAccount();
  const set = await Promise.all(Array.from({ length: 20 }, () => setWebhook(database.db, accountId, { url: URL }, NOW)));
  expect(new Set(set.map(({ version }) => version)).size).toBe(20);
  expect(new Set(set.map(({ secret }) => secret)).size).toBe(20);
  const last = Math.max(...set.map(({ version }) => Number(version)));
  const kept = await database.db('webhooks').where({ account_id: accountId }).select('version', 'secret');
  expect(kept).toEqual([{ version: last, secret: set.find(({ version }) => Number(version) === last)?.secret }]);
});
