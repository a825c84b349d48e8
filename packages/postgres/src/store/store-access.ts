/** How store functions use the database: reads, and transactions that are retried after a deadlock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../connection/connect.ts';
import {
  FAILED_TRANSACTION,
  isQueueFull,
  isRetryable,
  isStaleStatement,
  NotRunAgainError,
  translateError,
  type Constraints,
} from './sqlstate.ts';
import { counter, type Metric, type Repeatable } from '@specwright/contract/runtime';

const MAX_ATTEMPTS = 4;
/** The longest wait before the first retry, in ms; it doubles with each retry. */
const MAX_FIRST_WAIT_MS = 20;

export interface StoreAccess {
  /** Adds the errors of further constraints, as `recordTable` does for those of its table. They count for all statements of the schema. */
  readonly addConstraints: (constraints: Constraints) => void;
  /**
   * Runs a single statement, which outside of a transaction is one itself, and is run again as `transaction` does.
   *
   * @throws AppError if the error has a translation (`Constraints`).
   */
  readonly read: <T>(query: PromiseLike<T>) => Promise<T>;
  /**
   * Runs `work` in a transaction (READ COMMITTED). After a deadlock, a serialization failure (40P01, 40001) or a stale prepared
   * statement it is run again, up to three times, so it must have no effects outside the database: those belong in `afterCommit`.
   *
   * In a transaction it is a savepoint, and the outer transaction is run again.
   *
   * What it reads can be given to it, and is checked by the compiler: a stream, which can be read once, is given with `once`.
   *
   * @throws AppError if the error has a translation (`Constraints`); service_unavailable if every retry failed, and if it must not be run
   *   again.
   */
  readonly transaction: <T, Given = undefined>(
    db: Database,
    work: (trx: Transaction, given: Given) => Promise<T>,
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

type FollowUp = (db: Database) => void | Promise<void>;

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

/** The constraints that errors are translated by. */
export const constraintsOf = new WeakMap<StoreAccess, Constraints>();

/** `read` and `transaction` for a schema. @param constraints the errors of its constraints; a table may add those of its own. */
export function createStoreAccess({ onWrite, onDelete }: Constraints = {}): StoreAccess {
  const constraints = { onWrite: { ...onWrite }, onDelete: { ...onDelete } };
  const access: StoreAccess = {
    addConstraints(added) {
      Object.assign(constraints.onWrite, added.onWrite);
      Object.assign(constraints.onDelete, added.onDelete);
    },
    // A query of Knex is run each time that it is waited for.
    read: (query) => Promise.resolve(query).catch((error: unknown) => runAgain(error, async () => query, constraints)),
    async transaction<T, Given>(
      db: Database,
      work: (trx: Transaction, given: Given) => Promise<T>,
      { given, once, deleting }: TransactionOptions<Given> = {},
    ) {
      let followUps: FollowUp[] = [];
      const attempt = async () => {
        followUps = [];
        return db.transaction(async (trx) => {
          followUpsOf.set(trx, followUps);
          return work(trx, given as Given);
        });
      };
      const isStep = db.isTransaction === true;
      const result = await attempt().catch((error: unknown) => runAgain(error, attempt, constraints, { isStep, deleting, once }));
      if (isStep) followUpsOf.get(db)?.push(...followUps);
      else for (const followUp of followUps) await followUp(db);
      return result;
    },
  };
  constraintsOf.set(access, constraints);
  return access;
}

interface RetryOptions {
  /** Whether it is a step of a transaction, which is run again as a whole. */
  readonly isStep?: boolean;
  readonly deleting?: boolean | undefined;
  readonly once?: true | (() => boolean) | undefined;
}

/** Runs a statement or a transaction that has failed again, if it may succeed then. @param failure its error. */
export async function runAgain<T>(
  failure: unknown,
  run: () => Promise<T>,
  constraints: Constraints,
  options: RetryOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    if (isQueueFull(failure as Error)) suspendNotifications();
    if (!mayRunAgain(failure, options)) throw translateError(failure, constraints, options.deleting);
    if (options.isStep === true) throw failure as Error;
    if (attempt >= MAX_ATTEMPTS) throw translateError(failure, constraints, options.deleting);
    // Jitter, so that two transactions that collided do not collide again.
    if (!isStaleStatement(failure as Error)) await sleep(Math.random() * MAX_FIRST_WAIT_MS * 2 ** (attempt - 1));
    try {
      return await run();
    } catch (error) {
      // A statement of a transaction that has failed with it before: the transaction is run again.
      if ((error as { code?: string }).code === FAILED_TRANSACTION) throw failure as Error;
      failure = error;
    }
  }
}

/** @throws NotRunAgainError if what failed might succeed, and must not be run again. */
function mayRunAgain(error: unknown, { once }: RetryOptions): boolean {
  if (!isRetryable(error)) return false;
  if (once === true || once?.() === true) throw new NotRunAgainError(error);
  return true;
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
