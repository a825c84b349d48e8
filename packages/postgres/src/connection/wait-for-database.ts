/** Waits for a database that is not there yet: a server may be started before it, or while it is being replaced. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@specwright/server';
import type { WaitLog } from './command-log.ts';
import { assertSupportedServer, type Database } from './connect.ts';

const POLL_INTERVAL_MS = 500;

export interface WaitOptions {
  /** How long to wait, in ms. */
  readonly timeoutMs: number;
  /** Gets one line when there is something to wait for, and one when it is there. */
  readonly log: WaitLog;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves once the database answers.
 *
 * @throws AppError service_unavailable with the last reason if it does not in time; Error if it is older than PostgreSQL 14; the
 *   reason of `signal`.
 */
export async function waitForDatabase(db: Database, url: string, { timeoutMs, log, signal }: WaitOptions): Promise<void> {
  const end = performance.now() + timeoutMs;
  let isReported = false;
  for (;;) {
    try {
      await assertSupportedServer(db, url);
      if (isReported) log.info({}, 'the database answers');
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isAppError(error) || performance.now() + POLL_INTERVAL_MS > end) throw error;
      if (!isReported) log.warn({ reason: error.message, timeoutMs }, 'waiting for the database');
      isReported = true;
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    signal?.throwIfAborted();
  }
}
