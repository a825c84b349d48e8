/** Leases of jobs: renewed by their worker alone, freed when nobody renews them, and a job that has lost its lease is aborted. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect } from '@specwright/postgres';
import { scaleTimeout, startTcpProxy, until } from 'specwright/testing';
import { freeAbandonedJobs, JobLeases } from '../../src/webhooks/job-leases.ts';
import { enqueue } from '../../src/webhooks/queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const LEASE_MS = scaleTimeout(800);

const database = withWebhooksDatabase();
const cleanups: (() => Promise<void> | void)[] = [];
beforeEach(async () => {
  await database.db('graphile_worker._private_jobs').delete();
  await database.db('graphile_worker._private_job_queues').delete();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A job in a queue of its own, which a worker has locked some time ago. @returns its id. */
async function lockedJob(key: string, worker: string, age: string): Promise<string> {
  await database.db.transaction((trx) => enqueue(trx, { task: 'test', key, queue: `queue ${key}`, payload: {} }));
  const { rows } = await database.db.raw<{ rows: { id: string }[] }>(
    `WITH j AS (UPDATE graphile_worker._private_jobs SET locked_by = ?, locked_at = now() - ?::interval WHERE key = ? RETURNING id, job_queue_id),
          q AS (UPDATE graphile_worker._private_job_queues q SET locked_by = ?, locked_at = now() - ?::interval FROM j WHERE q.id = j.job_queue_id)
     SELECT id::text FROM j`,
    [worker, age, key, worker, age],
  );
  return rows[0]?.id ?? '';
}

const lockedBy = async () => {
  const jobs = await database
    .db('graphile_worker.jobs')
    .orderBy('key')
    .select<{ key: string; locked_by: string | null }[]>('key', 'locked_by');
  const queues = await database.db('graphile_worker._private_job_queues').orderBy('queue_name').pluck<(string | null)[]>('locked_by');
  return { jobs: Object.fromEntries(jobs.map((job) => [job.key, job.locked_by])), queues };
};

function startLeases(db = database.db, onFreed: (count: number) => void = () => undefined, lease = LEASE_MS): JobLeases {
  const leases = new JobLeases(db, { lease, onFreed });
  cleanups.push(() => leases.close());
  return leases;
}

/** What goes on until it is aborted or told to end. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const given: AbortSignal[] = [];
  return { given, end: () => end(), run: (signal: AbortSignal) => (given.push(signal), ended) };
}

test('frees jobs and queues whose lock is older than the lease, and no others of their workers', async () => {
  await lockedJob('new', 'alive', '5 seconds');
  await lockedJob('old', 'dead', '20 seconds');
  // A worker that is alive, and has a queue left from a job that somebody else has ended.
  await lockedJob('stale', 'alive', '20 seconds');
  await database.db('graphile_worker._private_jobs').where({ key: 'stale' }).delete();
  expect(await freeAbandonedJobs(database.db, 10_000)).toBe(3);
  expect(await lockedBy()).toEqual({ jobs: { new: 'alive', old: null }, queues: ['alive', null, null] });
  expect(await freeAbandonedJobs(database.db, 1000)).toBe(2);
  expect(await freeAbandonedJobs(database.db, 1000)).toBe(0);
});

test('a job that runs for several leases stays with its worker, although another one frees what is abandoned', async () => {
  const freed: number[] = [];
  const id = await lockedJob('long', 'me', '0 s');
  const { run, given, end } = work();
  const running = startLeases().run({ id, worker: 'me' }, run);
  startLeases(database.db, (count) => freed.push(count));
  await new Promise((resolve) => setTimeout(resolve, 3 * LEASE_MS));
  expect(await lockedBy()).toEqual({ jobs: { long: 'me' }, queues: ['me'] });
  expect([given[0]?.aborted, freed.filter((count) => count > 0)]).toEqual([false, []]);
  end();
  await running;
  // Nobody renews it any more.
  await until(async () => (await lockedBy()).jobs['long'] === null);
});

test('a job that another worker has got meanwhile is aborted', async () => {
  const id = await lockedJob('taken', 'me', '0 s');
  const { run, given, end } = work();
  const running = startLeases().run({ id, worker: 'me' }, run);
  await database.db('graphile_worker._private_jobs').where({ id }).update({ locked_by: 'other' });
  await until(() => given[0]?.aborted === true);
  expect(given[0]?.reason).toMatchObject({ message: 'its lease is lost' });
  expect((await lockedBy()).jobs).toEqual({ taken: 'other' });
  end();
  await running;
});

test('a job whose lease cannot be renewed is aborted before anybody else may have it', async () => {
  const proxy = await startTcpProxy(database.url);
  const db = connect({ url: proxy.url, pool: 1 });
  cleanups.push(
    () => proxy.close(),
    () => db.destroy(),
  );
  const id = await lockedJob('silent', 'me', '0 s');
  const { run, given, end } = work();
  await proxy.refuse();
  // A quarter of the lease is left when it is aborted: long enough for a busy machine to look.
  const lease = 4 * LEASE_MS;
  const running = startLeases(db, () => undefined, lease).run({ id, worker: 'me' }, run);
  const freed = await new Promise<number>((resolve, reject) => {
    given[0]?.addEventListener('abort', () => void freeAbandonedJobs(database.db, lease).then(resolve, reject), { once: true });
  });
  expect(given[0]?.reason).toMatchObject({ message: 'its lease could not be renewed' });
  expect(freed).toBe(0);
  end();
  await running;
});

test('an interruption aborts the jobs under way, and those that begin later', async () => {
  const leases = startLeases();
  const [now, later] = [work(), work()];
  const running = leases.run({ id: '1', worker: 'me' }, now.run);
  leases.interrupt();
  const begun = leases.run({ id: '2', worker: 'me' }, later.run);
  expect([now, later].map(({ given }) => given[0]?.aborted)).toEqual([true, true]);
  for (const { end } of [now, later]) end();
  await Promise.all([running, begun]);
});
