/** How store functions talk to the database: reads, and transactions that are tried again when they collide. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from './connect.ts';
import { isRetryable, translate } from './sqlstate.ts';

const MAX_TRIES = 4;

/** Runs a query. @throws AppError where the contract has an error for what went wrong. */
export async function read<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw translate(error);
  }
}

/**
 * Runs `work` in a transaction (READ COMMITTED). After a deadlock or a serialization failure it is run again from the
 * start, three times at the most, so it must have no effect but on the database.
 *
 * @param options.deleting as in `translate`.
 * @throws AppError where the contract has an error for what went wrong.
 */
export async function transaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  options: { deleting?: boolean } = {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!isRetryable(error) || tries >= MAX_TRIES) throw translate(error, options.deleting);
      // Jitter, so that two that collided do not collide again.
      await sleep(Math.random() * 10 * 2 ** tries);
    }
  }
}
