/** The job queue, graphile-worker, in a separate schema. The only file that imports the library. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  areNotificationsSuspended,
  connect,
  connectOptions,
  directOptions,
  openPool,
  type Database,
  type RunQuery,
  type Transaction,
} from '@specwright/postgres';
import { byLabel, gauge, type Metric } from '@specwright/server';
import type { Task, WorkerPool } from 'graphile-worker';
import { read } from './store.ts';

/** The tasks of the queue: a delivery in time, and one that follows a failure of it or of its receiver. */
export const DELIVERY = 'deliver_webhook';
export const REDELIVERY = 'redeliver_webhook';

/** When it is first used: no start waits for it. @throws Error with the fix: Node.js keeps the failure of a module, such as EMFILE. */
async function loadLibrary() {
  try {
    return await import('graphile-worker');
  } catch (cause) {
    throw new Error(`graphile-worker cannot be loaded: ${(cause as Error).message}; start this process again`, { cause });
  }
}
/** The queue's own migrations, as this version of the library numbers them. */
const NEWEST_MIGRATION = 18;
/** The most that the library allows, so that no job is lost: its handler decides when to give up. */
const MAX_ATTEMPTS = 32767;
/** How long to wait before the queue is started again after a failure, in ms. */
const RESTART_DELAY_MS = 1000;
/** How long the removal of old queues may take, in ms. */
const CLEANING_TIMEOUT_MS = 10_000;
/** Connections of a worker, beside the one that listens. */
const MAX_CONNECTIONS = 4;
const STOP_MARGIN_MS = 1000;
/** The levels of the library's log that are passed on. */
const LOGGED_LEVELS: readonly string[] = ['error', 'warning'];

/** A second pool to the same database, so that one use cannot starve another. @param pool the most connections at once. */
export const connectBeside = (db: Database, pool: number): Database => connect({ ...connectOptions(db), pool, acquireTimeoutMs: 2000 });

function openQueuePool(db: Database, pool: number, statementTimeoutMs?: number) {
  const options = directOptions(db);
  return openPool({
    ...options,
    name: `${options.name ?? 'webhook'} queue`,
    pool,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  });
}

/** Brings the queue's own schema to this version's. Safe from many processes at once. */
export async function migrateQueue(db: Database): Promise<void> {
  const { Logger, runMigrations } = await loadLibrary();
  const pool = openQueuePool(db, 1);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined), taskList: {} });
  } finally {
    await pool.end();
  }
}

export async function queueIsBehind(query: RunQuery): Promise<boolean> {
  const [table] = await query<{ present: boolean }>(`SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS present`);
  if (!table?.present) return true;
  const [newest] = await query<{ id: number | null }>('SELECT max(id) AS id FROM graphile_worker.migrations');
  return (newest?.id ?? 0) < NEWEST_MIGRATION;
}

export interface Job {
  /** What kind of work it is: the name under which a worker takes it. */
  readonly task: string;
  /** There is at most one job of a key that waits: a second one replaces it. */
  readonly key: string;
  /** Jobs of one queue run one at a time. */
  readonly queue: string;
  readonly payload: object;
  /** The least delay, in ms. */
  readonly delay?: number;
}

/** As the library adds a job, but for the notification: a worker finds it when it polls. */
const ADD_JOB_SILENTLY = [
  // A job that is being done goes on without its key.
  `UPDATE graphile_worker._private_jobs SET key = NULL, attempts = max_attempts WHERE key = :key AND is_available IS NOT TRUE`,
  `WITH task AS (INSERT INTO graphile_worker._private_tasks (identifier) VALUES (:task)
                 ON CONFLICT (identifier) DO UPDATE SET identifier = excluded.identifier RETURNING id),
        queue AS (INSERT INTO graphile_worker._private_job_queues (queue_name) VALUES (:queue)
                  ON CONFLICT (queue_name) DO UPDATE SET queue_name = excluded.queue_name RETURNING id)
   INSERT INTO graphile_worker._private_jobs AS job (job_queue_id, task_id, payload, run_at, max_attempts, key)
   SELECT queue.id, task.id, :payload::json, now() + :delay::float8 * interval '1 millisecond', :attempts::int, :key FROM task, queue
   ON CONFLICT (key) DO UPDATE SET job_queue_id = excluded.job_queue_id, task_id = excluded.task_id, payload = excluded.payload,
     run_at = excluded.run_at, attempts = 0, last_error = NULL, revision = job.revision + 1 WHERE job.locked_at IS NULL`,
];
const ADD_JOB = [
  `SELECT id FROM graphile_worker.add_job(:task, payload := :payload::json, queue_name := :queue,
     run_at := now() + :delay::float8 * interval '1 millisecond', max_attempts := :attempts, job_key := :key)`,
];

/** Adds a job as part of a transaction: it is there if and only if the transaction commits. */
export async function enqueue(trx: Transaction, { task, key, queue, payload, delay = 0 }: Job): Promise<void> {
  const values = { task, key, queue, payload: JSON.stringify(payload), delay, attempts: MAX_ATTEMPTS };
  for (const statement of areNotificationsSuspended() ? ADD_JOB_SILENTLY : ADD_JOB) {
    const given = Object.entries(values).filter(([name]) => new RegExp(`:${name}\\b`).test(statement));
    await trx.raw(statement, Object.fromEntries(given));
  }
}

/** How many jobs there are of each task, none included, and how long the oldest one whose time has come has waited. */
export async function queueMetrics(db: Database): Promise<Metric[]> {
  const { rows } = await db.raw<{ rows: { task: string; jobs: number; age: number }[] }>(
    `SELECT task_identifier AS task, count(*)::float8 AS jobs, coalesce(extract(epoch FROM now() - min(run_at)
              FILTER (WHERE run_at <= now() AND locked_at IS NULL)), 0)::float8 AS age
       FROM graphile_worker.jobs GROUP BY task_identifier`,
  );
  const ofTasks = (name: string, help: string, field: 'jobs' | 'age'): Metric => {
    const byTask = { [DELIVERY]: 0, [REDELIVERY]: 0, ...Object.fromEntries(rows.map((row) => [row.task, row[field]])) };
    return { ...gauge(name, help, byLabel('task', byTask)), isShared: true };
  };
  return [
    ofTasks('messages_queue_jobs', 'Messages that are queued, by task.', 'jobs'),
    ofTasks('messages_queue_age_seconds', 'How long the oldest message that could be sent has waited.', 'age'),
  ];
}

/** Removes what is left of jobs that have ended: the names of their queues. */
export async function cleanQueue(db: Database): Promise<void> {
  const { Logger, makeWorkerUtils } = await loadLibrary();
  // One statement for all of them, in the background.
  const pool = openQueuePool(db, 1, CLEANING_TIMEOUT_MS);
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, logger: new Logger(() => () => undefined) });
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] });
    await utils.release();
  } finally {
    await pool.end();
  }
}

export interface QueueWorkerOptions {
  /** What does the jobs of each task. If it throws, the job is done again later. `signal` is aborted when it has to end. */
  readonly tasks: Readonly<Record<string, (payload: unknown, signal: AbortSignal) => Promise<void>>>;
  /** How long a job takes at the most, in ms: one that takes longer is free for others. */
  readonly lease: number;
  readonly concurrency: number;
  /** How often to look for jobs whose time has come, in ms. New ones are noticed at once (LISTEN/NOTIFY). */
  readonly pollInterval: number;
  /** How long jobs under way may take to end when the work is stopped, in ms. */
  readonly stopTimeout: number;
  readonly onProblem: (message: string) => void;
  /** Called with how many jobs were freed that no worker would have done. */
  readonly onFreed: (jobs: number) => void;
}

/**
 * Handles jobs until it is stopped. It survives a database that goes away and comes back.
 *
 * @returns a function that takes no further job, lets those under way end, and closes its connections.
 */
export function startQueueWorker(db: Database, options: QueueWorkerOptions): () => Promise<void> {
  const { tasks, lease, concurrency, pollInterval, stopTimeout, onProblem, onFreed } = options;
  const stopped = new AbortController();
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([task, handle]): [string, Task] => [
      task,
      (payload, { abortSignal }) => handle(payload, abortSignal ?? stopped.signal),
    ]),
  );
  let runner: WorkerPool | undefined;

  async function session(): Promise<void> {
    const { Logger, runTaskList } = await loadLibrary();
    const logger = new Logger(() => (level, message) => {
      // It advises a connection for each delivery: none is needed while one is under way.
      if (LOGGED_LEVELS.includes(level) && !message.includes('maxPoolSize')) onProblem(message);
    });
    // A delivery needs no connection while it is under way.
    const pool = openQueuePool(db, Math.min(concurrency, MAX_CONNECTIONS) + 1);
    const endSweeps = startSweeps(db, lease, onFreed);
    try {
      if (stopped.signal.aborted) return;
      // `run` also starts a scheduler, whose failure to reach the database is a rejection that nothing handles: it would end the process.
      runner = runTaskList(
        { concurrency, pollInterval, gracefulShutdownAbortTimeout: stopTimeout, noHandleSignals: true, logger },
        taskList,
        pool,
      );
      await runner.promise;
    } finally {
      endSweeps();
      runner = undefined;
      await pool.end();
    }
  }

  async function sessions(): Promise<void> {
    while (!stopped.signal.aborted) {
      await session().catch((error: unknown) => onProblem(error instanceof Error ? error.message : String(error)));
      await sleep(RESTART_DELAY_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  }

  const ended = sessions();
  return async () => {
    stopped.abort();
    // It rejects if it is stopping already, which is what is wanted. Beside a silent database it may take longer than there is time.
    const ending = Promise.all([runner?.gracefulShutdown().catch(() => undefined), ended]);
    await Promise.race([ending, sleep(stopTimeout + STOP_MARGIN_MS, undefined, { ref: false })]);
  };
}

// Frees jobs that no worker would do any more, whatever has become of those that had them.

/** How often to look for abandoned jobs at the least, and for jobs whose queue is gone, in ms. */
const ABANDONED_INTERVAL_MS = 5000;
const ORPHANS_INTERVAL_MS = 60_000;

/**
 * Looks for jobs to free, now and from now on.
 *
 * @param lease as in `freeAbandonedJobs`. @param onFreed called with how many there were. @returns ends it.
 */
function startSweeps(db: Database, lease: number, onFreed: (jobs: number) => void): () => void {
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
