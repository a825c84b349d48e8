/** Promises: tells them from values, and handles the errors of those that nothing waits for. */

interface ErrorLog {
  error(fields: object, message: string): void;
}

/**
 * Whether `await` would wait for a value. Query builders of Knex, Drizzle, Prisma and Mongoose are thenables, not Promises: `instanceof`
 * and `types.isPromise` take them for results.
 */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return typeof (value as { then?: unknown }).then === 'function';
}

/**
 * Runs on without a caller that waits. A promise without a handler ends the process when it rejects; here its error is logged.
 *
 * @param log Default: a warning of the process. @param message says which work failed.
 */
export function inBackground(work: PromiseLike<unknown>, log?: ErrorLog, message = 'work in the background failed'): void {
  Promise.resolve(work).catch((err: unknown) => {
    if (log === undefined) process.emitWarning(`${message}: ${err instanceof Error ? err.message : String(err)}`);
    else log.error({ err }, message);
  });
}
