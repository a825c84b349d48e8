/** How store functions talk to the database: reads, and transactions that are tried again when they collide. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from './connect.ts';
import { isRetryable, translateError, type Constraints } from './sqlstate.ts';

const MAX_ATTEMPTS = 4;

export interface StoreAccess {
  /** Runs a query. @throws AppError where the contract has an error for what went wrong. */
  readonly read: <T>(query: PromiseLike<T>) => Promise<T>;
  /**
   * Runs `work` in a transaction (READ COMMITTED). After a deadlock or a serialization failure it is run again from the
   * start, three times at the most, so it must have no effect but on the database.
   *
   * @param options.deleting whether it deletes: a foreign key then fails in the other direction.
   * @throws AppError where the contract has an error for what went wrong.
   */
  readonly transaction: <T>(db: Database, work: (trx: Transaction) => Promise<T>, options?: { deleting?: boolean }) => Promise<T>;
}

/** `read` and `transaction` for a schema. @param constraints what its constraints mean to a client. */
export function createStoreAccess(constraints: Constraints = {}): StoreAccess {
  return {
    async read(query) {
      try {
        return await query;
      } catch (error) {
        throw translateError(error, constraints);
      }
    },
    async transaction(db, work, options = {}) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction(work);
        } catch (error) {
          if (!isRetryable(error) || attempt >= MAX_ATTEMPTS) throw translateError(error, constraints, options.deleting);
          // Jitter, so that two that collided do not collide again.
          await sleep(Math.random() * 10 * 2 ** attempt);
        }
      }
    },
  };
}
