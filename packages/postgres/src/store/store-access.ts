/** How store functions use the database: reads, and transactions that are retried after a deadlock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../connection/connect.ts';
import { AbandonedError, pipelineOf } from '../statements/pipeline.ts';
import { prepareStatement, type Bind, type RowsOf, type StoreQuery } from '../statements/prepared-statement.ts';
import { LastStatements, runStatement } from '../statements/run-statement.ts';
import { isQueueFull, isRetryable, isStaleStatement, NotRunAgainError, translateError, type Constraints } from './sqlstate.ts';
import { counter, type Metric, type Repeatable } from '@specwright/server';

const MAX_ATTEMPTS = 4;
/** The longest wait before the first retry, in ms; it doubles with each retry. */
const MAX_FIRST_WAIT_MS = 20;

export interface StoreAccess {
  /** Adds the errors of further constraints, as `recordTable` does for those of its table. They count for all statements of the schema. */
  readonly addConstraints: (constraints: Constraints) => void;
  /** Runs a query, and once more if its prepared statement is of a former schema. @throws AppError if the error has a translation (`Constraints`). */
  readonly read: <T>(query: PromiseLike<T>) => Promise<T>;
  /**
   * A read of one row by its key, which Knex builds once. Those of one turn of the event loop share a connection and a write to
   * it, so a slow one delays the rest: for rows that an index finds.
   *
   * @param build makes the query, and has each parameter as a value in it.
   * @returns what runs it with values. It throws what `read` does.
   */
  readonly prepare: <Parameters extends unknown[], Row>(
    build: (db: Database, ...parameters: Parameters) => StoreQuery<Row>,
  ) => (db: Database, ...parameters: Parameters) => Promise<Row>;
  /**
   * Runs a single statement that changes rows, which is a transaction itself: without `BEGIN` and `COMMIT` it takes one round trip.
   * It is run again as `transaction` does.
   *
   * @param build makes the query, for each attempt. @throws AppError as `transaction` does.
   */
  readonly write: <T>(db: Database, build: () => PromiseLike<T>) => Promise<T>;
  /**
   * A statement that changes rows, which Knex builds once; in a transaction a step of it, and else one itself, that is run again as
   * `transaction` does.
   *
   * @param build makes the query, and has each parameter as a value in it.
   * @returns what runs it with values, and returns its rows. It throws AppError as `transaction` does.
   */
  readonly prepareWrite: <Parameters extends unknown[], Result>(
    build: (db: Database, ...parameters: Parameters) => StoreQuery<Result>,
    options?: { deleting?: boolean },
  ) => (db: Database, ...parameters: Parameters) => Promise<RowsOf<Result>>;
  /**
   * Runs `work` in a transaction (READ COMMITTED). After a deadlock, a serialization failure (40P01, 40001) or a stale prepared
   * statement it is run again, up to three times, so it must have no effects outside the database: those belong in `afterCommit`.
   *
   * In a transaction it is a savepoint, and the outer transaction is run again.
   *
   * What it reads can be given to it, and is checked by the compiler: a stream, which can be read once, is given with `once`.
   *
   * @param work may return `commitWith(...)`, whose statements are sent with COMMIT: no code of the transaction can fail after it.
   * @throws AppError if the error has a translation (`Constraints`); service_unavailable if every retry failed, and if it must not be run
   *   again.
   */
  readonly transaction: <T, Given = undefined>(
    db: Database,
    work: (trx: Transaction, given: Given) => Promise<T | LastStatements<T>>,
    options?: TransactionOptions<Given>,
  ) => Promise<T>;
}

export type TransactionOptions<Given = undefined> = {
  /** Whether it deletes: errors are then translated by `onDelete`. */
  readonly deleting?: boolean;
} & (
  | { /** What `work` is given each time that it is run. */ readonly given?: Given & Repeatable<Given>; readonly once?: undefined }
  | {
      readonly given?: Given;
      /** That it must not be run again, or whether it must not be, once it has failed: a stream was read. */
      readonly once: true | (() => boolean);
    }
);

type FollowUp = (db: Database) => Promise<void>;

/** What is to be done when a transaction has committed, and the savepoints in it. */
const followUpsOf = new WeakMap<Database, FollowUp[]>();

/**
 * Has `work` done once the transaction has committed, before `transaction` resolves; it is not called after a rollback. It is given
 * the pool, not the transaction, and must not throw: what has been committed has succeeded.
 *
 * @param trx from `transaction`. In one that was begun otherwise `work` is not done, because its commit is not observed.
 */
export function afterCommit(trx: Transaction, work: FollowUp): void {
  followUpsOf.get(trx)?.push(work);
}

/** `read` and `transaction` for a schema. @param constraints the errors of its constraints; a table may add those of its own. */
export function createStoreAccess({ onWrite, onDelete }: Constraints = {}): StoreAccess {
  const constraints = { onWrite: { ...onWrite }, onDelete: { ...onDelete } };
  return {
    ...createStatements(constraints),
    addConstraints(added) {
      Object.assign(constraints.onWrite, added.onWrite);
      Object.assign(constraints.onDelete, added.onDelete);
    },
  };
}

function createStatements(constraints: Constraints): Omit<StoreAccess, 'addConstraints'> {
  const read = async <T>(query: PromiseLike<T>): Promise<T> => {
    try {
      // Whether it is run again or only waited for again is up to Knex: its queries are run each time that they are waited for.
      return await query.then(undefined, (error: unknown) => {
        if (!isStaleStatement(error as Error)) throw error;
        // In a transaction, which has failed with it, it fails again, and the outer transaction is run again.
        return query.then(undefined, () => {
          throw error;
        });
      });
    } catch (error) {
      throw translateError(error, constraints);
    }
  };
  return {
    read,
    prepare(build) {
      let bind: Bind | undefined;
      // The database is not in the statement, so the first one builds it for all.
      return async (db, ...values) => {
        const alone = () => read(build(db, ...values));
        if (db.isTransaction === true || isObserved(db)) return alone();
        bind ??= prepareStatement((...parameters) => build(db, ...(parameters as typeof values)), values.length);
        try {
          const [row] = await pipelineOf(db).run(bind(values));
          return row as Awaited<ReturnType<typeof build>>;
        } catch (error) {
          if (error instanceof AbandonedError || isStaleStatement(error as Error)) return alone();
          throw translateError(error, constraints);
        }
      };
    },
    prepareWrite(build, { deleting } = {}) {
      let bind: Bind | undefined;
      return (db, ...values) => {
        const bound = (bind ??= prepareStatement((...parameters) => build(db, ...(parameters as typeof values)), values.length));
        const run = async () => (isObserved(db) ? rowsOf(await build(db, ...values)) : (await runStatement(db, bound(values))).rows);
        return retry(db, run as () => Promise<never>, constraints, deleting);
      };
    },
    write: (db, build) => retry(db, async () => build(), constraints),
    async transaction<T, Given>(
      db: Database,
      work: (trx: Transaction, given: Given) => Promise<T | LastStatements<T>>,
      { given, once, deleting }: TransactionOptions<Given> = {},
    ) {
      let followUps: FollowUp[] = [];
      const attempt = () => {
        followUps = [];
        return db.transaction(async (trx) => {
          followUpsOf.set(trx, followUps);
          const result = await work(trx, given as Given);
          return result instanceof LastStatements ? result.run(trx) : () => result;
        });
      };
      const toResult = await retry(db, attempt, constraints, deleting, once);
      if (db.isTransaction === true) followUpsOf.get(db)?.push(...followUps);
      else for (const followUp of followUps) await followUp(db);
      return toResult();
    },
  };
}

const rowsOf = (result: unknown): unknown => (Array.isArray(result) ? result : ((result as { rows?: unknown } | null)?.rows ?? []));

/** Listeners to a database's queries are called by Knex: no query bypasses it. */
const isObserved = (db: Database) => EVENTS.some((event) => db.listenerCount(event) > 0);
const EVENTS = ['query', 'query-response', 'query-error'];

/** In a transaction nothing is run again here: the outer transaction is. */
async function retry<T>(
  db: Database,
  run: () => Promise<T>,
  constraints: Constraints,
  deleting?: boolean,
  once?: true | (() => boolean),
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (isQueueFull(error as Error)) suspendNotifications();
      if (isRetryable(error) && (once === true || once?.() === true)) throw new NotRunAgainError(error);
      if (db.isTransaction === true && isRetryable(error)) throw error;
      if (!isRetryable(error) || attempt >= MAX_ATTEMPTS) throw translateError(error, constraints, deleting);
      // Jitter, so that two transactions that collided do not collide again.
      await sleep(Math.random() * MAX_FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }
}

// Notifications that a transaction sends, and that never fail what they announce: PostgreSQL refuses the COMMIT if its queue of
// them is full.

/** How long nothing is notified after the queue was full, in ms. What is announced is polled, or expires, meanwhile. */
const SUSPENSION_MS = 5000;

let suspendedUntil = 0;
let refused = 0;

/** Has transactions notify nothing for a while: the one that was refused succeeds when it is run again. */
function suspendNotifications(): void {
  suspendedUntil = performance.now() + SUSPENSION_MS;
  refused += 1;
}

export const areNotificationsSuspended = (): boolean => performance.now() < suspendedUntil;

/** Sends a notification if and when the transaction commits; none while the queue is full. */
export async function notify(trx: Database, channel: string, payload: string): Promise<void> {
  if (!areNotificationsSuspended()) await trx.raw('SELECT pg_notify(?, ?)', [channel, payload]);
}

export const notificationMetrics = (): Metric[] => [
  counter(
    'db_client_notify_queue_full_total',
    'Transactions that PostgreSQL has refused because its queue of notifications was full.',
    refused,
  ),
];
