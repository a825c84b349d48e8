/** Leases of jobs: a worker renews those of its jobs while they run, and any worker frees those that nobody renews. */
import type { Database } from '@specwright/postgres';
import { read } from './store.ts';

export interface LeaseOptions {
  /** How long a job stays locked that its worker does not renew, in ms. */
  readonly lease: number;
  /** Called with how many jobs and queues were freed that no worker would have done. */
  readonly onFreed: (count: number) => void;
}

/** A job that is locked, as the queue hands it out. */
interface LockedJob {
  readonly id: string;
  readonly worker: string;
}

interface RunningJob extends LockedJob {
  readonly controller: AbortController;
  /** When the lease was renewed, before the statement was sent, on the clock of `performance.now()`, in ms. */
  renewedAt: number;
  /** Aborts the job when the lease was not renewed in time. */
  expiry: NodeJS.Timeout;
}

/** Renewed a few times within the lease, so that one statement that fails costs none. */
const RENEWALS_PER_LEASE = 4;
/** The part of the lease after which a job that could not be renewed is aborted: before anybody else may start it. */
const ABORT_AFTER = 0.75;
/** How often to look for jobs whose queue is gone, in ms. */
const ORPHANS_INTERVAL_MS = 60_000;

export class JobLeases {
  readonly #db: Database;
  readonly #lease: number;
  readonly #running = new Set<RunningJob>();
  readonly #timers: readonly NodeJS.Timeout[];
  #isInterrupted = false;

  constructor(db: Database, { lease, onFreed }: LeaseOptions) {
    this.#db = db;
    this.#lease = lease;
    this.#timers = [
      every(lease / RENEWALS_PER_LEASE, () => this.#renew()),
      every(lease / RENEWALS_PER_LEASE, async () => onFreed(await freeAbandonedJobs(db, lease))),
      every(ORPHANS_INTERVAL_MS, async () => onFreed(await freeJobsWithoutQueue(db))),
    ];
  }

  /** Runs a job, whose lease is renewed meanwhile. `signal` is aborted when the lease is lost, and by `interrupt`. */
  async run(job: LockedJob, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const renewedAt = performance.now();
    const running: RunningJob = { ...job, controller, renewedAt, expiry: this.#expire(controller, renewedAt) };
    if (this.#isInterrupted) abort(running, 'the worker is being stopped');
    this.#running.add(running);
    try {
      await work(running.controller.signal);
    } finally {
      this.#running.delete(running);
      clearTimeout(running.expiry);
    }
  }

  /** Aborts the jobs under way, and those that begin from now on. */
  interrupt(): void {
    this.#isInterrupted = true;
    for (const job of this.#running) abort(job, 'the worker is being stopped');
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #renew(): Promise<void> {
    const began = performance.now();
    const due = [...this.#running].filter(({ renewedAt }) => began - renewedAt > this.#lease / RENEWALS_PER_LEASE / 2);
    if (due.length === 0) return;
    const renewed = await renewLeases(this.#db, due);
    for (const job of due) {
      if (!renewed.has(job.id)) abort(job, 'its lease is lost');
      else if (this.#running.has(job) && began > job.renewedAt) {
        job.renewedAt = began;
        clearTimeout(job.expiry);
        job.expiry = this.#expire(job.controller, began);
      }
    }
  }

  /** A timer of its own, not a look at each renewal: the next one may come when the lease is over. */
  #expire(controller: AbortController, renewedAt: number): NodeJS.Timeout {
    const left = ABORT_AFTER * this.#lease - (performance.now() - renewedAt);
    return setTimeout(() => abort({ controller }, 'its lease could not be renewed'), Math.max(0, left));
  }
}

const abort = ({ controller }: Pick<RunningJob, 'controller'>, reason: string) => controller.abort(new Error(reason));

/** @returns the ids of those that their workers still have. */
async function renewLeases(db: Database, jobs: readonly LockedJob[]): Promise<Set<string>> {
  const { rows } = await read(
    db.raw<{ rows: { id: string }[] }>(
      `WITH renewed AS (
         UPDATE graphile_worker._private_jobs j SET locked_at = now() FROM json_to_recordset(?::json) AS held(id bigint, worker text)
          WHERE j.id = held.id AND j.locked_by = held.worker RETURNING j.id, j.job_queue_id, j.locked_by),
       queues AS (
         UPDATE graphile_worker._private_job_queues q SET locked_at = now() FROM renewed
          WHERE q.id = renewed.job_queue_id AND q.locked_by = renewed.locked_by)
       SELECT id::text FROM renewed`,
      [JSON.stringify(jobs.map(({ id, worker }) => ({ id, worker })))],
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Frees the jobs of a process that has died, and the queues that it has left locked. A queue may be locked without a job: one worker has
 * ended the job that another had been given.
 *
 * Not by `force_unlock_workers`, which also frees the other jobs of a worker that is alive.
 *
 * @param lease in ms. @returns how many jobs and queues were freed.
 */
export async function freeAbandonedJobs(db: Database, lease: number): Promise<number> {
  const free = (table: string) => `UPDATE graphile_worker.${table} SET locked_by = NULL, locked_at = NULL
                                    WHERE locked_at < now() - :lease::float8 * interval '1 millisecond' RETURNING 1`;
  const { rows } = await read(
    db.raw<{ rows: { freed: number }[] }>(
      `WITH jobs AS (${free('_private_jobs')}), queues AS (${free('_private_job_queues')})
       SELECT ((SELECT count(*) FROM jobs) + (SELECT count(*) FROM queues))::int AS freed`,
      { lease },
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
