/** Frees jobs that no worker would do any more, whatever has become of those that had them. */
import type { Database } from '@specwright/postgres';
import { read } from './store.ts';

/** How often to look for abandoned jobs at the least, and for jobs whose queue is gone, in ms. */
const ABANDONED_INTERVAL_MS = 5000;
const ORPHANS_INTERVAL_MS = 60_000;

/**
 * Looks for jobs to free, now and from now on.
 *
 * @param lease as in `freeAbandonedJobs`. @param onFreed called with how many there were. @returns ends it.
 */
export function startSweeps(db: Database, lease: number, onFreed: (jobs: number) => void): () => void {
  const sweeps = [
    every(Math.min(lease / 4, ABANDONED_INTERVAL_MS), async () => onFreed(await freeAbandonedJobs(db, lease))),
    every(ORPHANS_INTERVAL_MS, async () => onFreed(await freeJobsWithoutQueue(db))),
  ];
  return () => {
    for (const sweep of sweeps) clearInterval(sweep);
  };
}

/**
 * Frees the jobs of a process that has died, and the queues that it has left locked. A queue may be locked without a job: one worker has
 * ended the job that another had been given when the first was slow.
 *
 * @param lease how long a job of a living one takes at the most, in ms. @returns how many jobs and queues were freed.
 */
export async function freeAbandonedJobs(db: Database, lease: number): Promise<number> {
  const { rows } = await read(
    db.raw<{ rows: { freed: number }[] }>(
      `SELECT count(*)::int AS freed, graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
         FROM (SELECT locked_by, locked_at FROM graphile_worker._private_jobs
               UNION ALL SELECT locked_by, locked_at FROM graphile_worker._private_job_queues) locks
        WHERE locked_at < now() - ?::float8 * interval '1 millisecond' HAVING count(*) > 0`,
      [lease],
    ),
  );
  return rows[0]?.freed ?? 0;
}

/**
 * Frees jobs whose queue does not exist, which no worker would take: it was removed as empty while the job was added. They run outside of
 * any queue.
 *
 * @returns how many there were.
 */
async function freeJobsWithoutQueue(db: Database): Promise<number> {
  const { rowCount } = await read(
    db.raw<{ rowCount: number }>(
      `UPDATE graphile_worker._private_jobs j SET job_queue_id = NULL
        WHERE is_available AND run_at < now() AND job_queue_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM graphile_worker._private_job_queues q WHERE q.id = j.job_queue_id)`,
    ),
  );
  return rowCount;
}

/** Does something now, and every so many ms. What fails is done the next time. */
function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  const attempt = () => void work().catch(() => undefined);
  attempt();
  return setInterval(attempt, ms);
}
