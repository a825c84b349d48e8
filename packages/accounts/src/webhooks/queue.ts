/** The job queue, graphile-worker, in a separate schema. The only file that imports the library. */
import { EventEmitter } from 'node:events';
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
import { byLabel, gauge, inBackground, type Metric } from '@specwright/server';
import type { Task, Worker, WorkerEvents, WorkerPool } from 'graphile-worker';
import { JobLeases, type LeaseOptions } from './job-leases.ts';

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
/** How long to wait before workers that have failed are replaced, and between looks whether the database answers, in ms. */
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
  /** There is at most one job of a key that waits: a second one, of any account, replaces it. */
  readonly key: string;
  /** Jobs of one queue run one at a time. */
  readonly queue: string;
  readonly payload: object;
  /** The least delay, in ms. */
  readonly delay?: number | undefined;
  /** From 0, which goes first, to 32767; those of one priority in the order of their times. */
  readonly priority?: number | undefined;
}

/** As the library adds a job, but for the notification: a worker finds it when it polls. */
const ADD_JOB_SILENTLY = [
  // A job that is being done goes on without its key.
  `UPDATE graphile_worker._private_jobs SET key = NULL, attempts = max_attempts WHERE key = :key AND is_available IS NOT TRUE`,
  `WITH task AS (INSERT INTO graphile_worker._private_tasks (identifier) VALUES (:task)
                 ON CONFLICT (identifier) DO UPDATE SET identifier = excluded.identifier RETURNING id),
        queue AS (INSERT INTO graphile_worker._private_job_queues (queue_name) VALUES (:queue)
                  ON CONFLICT (queue_name) DO UPDATE SET queue_name = excluded.queue_name RETURNING id)
   INSERT INTO graphile_worker._private_jobs AS job (job_queue_id, task_id, payload, run_at, max_attempts, key, priority)
   SELECT queue.id, task.id, :payload::json, now() + :delay::float8 * interval '1 millisecond', :attempts::int, :key, :priority::int
     FROM task, queue
   ON CONFLICT (key) DO UPDATE SET job_queue_id = excluded.job_queue_id, task_id = excluded.task_id, payload = excluded.payload,
     run_at = excluded.run_at, priority = excluded.priority, attempts = 0, last_error = NULL, revision = job.revision + 1 WHERE job.locked_at IS NULL`,
];
const ADD_JOB = [
  `SELECT id FROM graphile_worker.add_job(:task, payload := :payload::json, queue_name := :queue,
     run_at := now() + :delay::float8 * interval '1 millisecond', max_attempts := :attempts, job_key := :key, priority := :priority)`,
];

/** Adds a job as part of a transaction: it is there if and only if the transaction commits. */
export async function enqueue(trx: Transaction, { task, key, queue, payload, delay = 0, priority = 0 }: Job): Promise<void> {
  const values = { task, key, queue, payload: JSON.stringify(payload), delay, priority, attempts: MAX_ATTEMPTS };
  for (const statement of areNotificationsSuspended() ? ADD_JOB_SILENTLY : ADD_JOB) {
    const given = Object.entries(values).filter(([name]) => new RegExp(`:${name}\\b`).test(statement));
    await trx.raw(statement, Object.fromEntries(given));
  }
}

/** Lets jobs of a queue go first that wait behind those of others. */
export async function hastenJobs(db: Database, queue: string): Promise<void> {
  await db.raw(
    `SELECT graphile_worker.reschedule_jobs(array_agg(id), priority := 0) FROM graphile_worker.jobs
      WHERE queue_name = ? AND priority > 0 AND locked_at IS NULL HAVING count(*) > 0`,
    [queue],
  );
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
    return gauge(name, help, byLabel('task', byTask));
  };
  return [
    ofTasks('messages_queue_jobs', 'Messages that are queued, by task.', 'jobs'),
    ofTasks('messages_queue_age_seconds', 'How long the oldest message that could be sent has waited.', 'age'),
  ];
}

/** Removes what is left of jobs: those that were replaced while a worker had them that then died, and the names of queues without jobs. */
export async function cleanQueue(db: Database): Promise<void> {
  // A service may have jobs with fewer attempts, which it wants to see when they have failed for good.
  await db.raw(
    `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
      WHERE key IS NULL AND attempts >= max_attempts AND max_attempts = ? AND locked_at IS NULL HAVING count(*) > 0`,
    [MAX_ATTEMPTS],
  );
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

export interface QueueWorkerOptions extends LeaseOptions {
  /** What does the jobs of each task. If it throws, the job is done again later. `signal` is aborted when it has to end. */
  readonly tasks: Readonly<Record<string, (payload: unknown, signal: AbortSignal) => Promise<void>>>;
  readonly concurrency: number;
  /** How often to look for jobs whose time has come, in ms. New ones are noticed at once (LISTEN/NOTIFY). */
  readonly pollInterval: number;
  /** How long jobs under way may take to end when the work is stopped, in ms. */
  readonly stopTimeout: number;
  readonly onProblem: (message: string) => void;
  /** Called when workers have failed and are replaced, with the reason. */
  readonly onRestart: (reason: string) => void;
}

/**
 * Handles jobs until it is stopped. It survives a database that goes away and comes back.
 *
 * @returns a function that takes no further job, lets those under way end, and closes its connections.
 */
export function startQueueWorker(db: Database, options: QueueWorkerOptions): () => Promise<void> {
  const { tasks, stopTimeout, onProblem, onRestart } = options;
  const stopped = new AbortController();
  const leases = new JobLeases(db, options);
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([task, handle]): [string, Task] => [
      task,
      (payload, { job }) => leases.run({ id: job.id, worker: job.locked_by ?? '' }, (signal) => handle(payload, signal)),
    ]),
  );
  const pools = new Set<QueuePool>();

  async function start(): Promise<void> {
    while (!stopped.signal.aborted) {
      const failure = await new Promise<string | undefined>((resolve) => {
        const pool = runPool(db, { ...options, taskList, stopped: stopped.signal, onFailed: resolve });
        pools.add(pool);
        void pool.ended
          .catch((error: unknown) => onProblem((error as Error).message))
          .finally(() => {
            pools.delete(pool);
            resolve(undefined);
          });
      });
      if (failure !== undefined) onRestart(failure);
      await pause(stopped.signal);
    }
  }

  const started = start();
  return async () => {
    stopped.abort();
    const interruption = setTimeout(() => leases.interrupt(), stopTimeout);
    for (const pool of pools) pool.stop();
    // Beside a silent database it may take longer than there is time.
    const ending = Promise.allSettled([started, ...[...pools].map(({ ended }) => ended)]);
    await Promise.race([ending, sleep(stopTimeout + STOP_MARGIN_MS, undefined, { ref: false })]);
    clearTimeout(interruption);
    leases.close();
  };
}

const pause = (signal: AbortSignal) => sleep(RESTART_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);

/** Workers that share connections. */
interface QueuePool {
  /** Takes no further job. */
  stop(): void;
  /** Resolves once the jobs under way have ended, and the connections are closed. */
  readonly ended: Promise<void>;
}

interface QueuePoolOptions extends Pick<QueueWorkerOptions, 'concurrency' | 'pollInterval' | 'onProblem'> {
  readonly taskList: Readonly<Record<string, Task>>;
  readonly stopped: AbortSignal;
  /** Called when it takes no further job because one of its workers has failed. Jobs under way go on. */
  readonly onFailed: (reason: string) => void;
}

/**
 * Starts workers. The library replaces none that has ended, which each does whose job cannot be recorded as done, and keeps a failed
 * look-up of its tasks for good (graphile/worker#592): at the first failed statement all of them are to be replaced.
 */
function runPool(db: Database, { concurrency, pollInterval, onProblem, taskList, stopped, onFailed }: QueuePoolOptions): QueuePool {
  let runner: WorkerPool | undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    if (runner !== undefined) inBackground(runner.gracefulShutdown());
  };
  const fail = ({ worker, error }: { worker: Worker; error: unknown }) => {
    // Ends it without an error, which the library would print on standard error.
    inBackground(Promise.resolve(worker.release(true)));
    if (!stopped.aborted) onFailed((error as Error).message);
    stop();
  };

  async function run(): Promise<void> {
    const { Logger, runTaskList } = await loadLibrary();
    const logger = new Logger(() => (level, message) => {
      // It advises a connection for each delivery: none is needed while one is under way.
      if (LOGGED_LEVELS.includes(level) && !message.includes('maxPoolSize')) onProblem(message);
    });
    const events: WorkerEvents = new EventEmitter();
    events.on('worker:getJob:error', fail).on('worker:fatalError', fail);
    const pool = openQueuePool(db, Math.min(concurrency, MAX_CONNECTIONS) + 1);
    try {
      while (!stopped.aborted && !(await answers(pool))) await pause(stopped);
      if (stopped.aborted) return;
      // `run` also starts a scheduler, whose failure to reach the database is a rejection that nothing handles: it would end the process.
      runner = runTaskList({ concurrency, pollInterval, noHandleSignals: true, logger, events }, taskList, pool);
      await runner.promise;
    } finally {
      await pool.end();
    }
  }

  return { stop, ended: run() };
}

const answers = (pool: ReturnType<typeof openQueuePool>) =>
  pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
