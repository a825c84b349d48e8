/** The store of rate limits that all servers share: counters and bans in PostgreSQL, on a pool of its own. */
import type { CounterStore } from '@specwright/server';
import { activeBans, createRefusalRecorder, removeBan } from './bans.ts';
import { connectCounters, createCounters, type CounterOptions } from './counters.ts';

/** How often expired counters are removed, and how many at once. */
const CLEANUP_INTERVAL_MS = 60_000;
const MAX_CLEANUP_ROWS = 1000;

// A row that another transaction uses is skipped: waiting for it could become a deadlock.
const CLEANUP = `
  DELETE FROM rate_limit_counters
   WHERE bucket IN (SELECT bucket FROM rate_limit_counters
                     WHERE day_ends < (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision
                     ORDER BY day_ends LIMIT ${MAX_CLEANUP_ROWS} FOR UPDATE SKIP LOCKED)`;

export interface PostgresCounterStore extends CounterStore {
  /** Removes counters whose windows have ended, up to 1000 of them. It runs about every minute. @returns how many. */
  removeExpired(): Promise<number>;
  /** Closes the pool. */
  readonly close: () => Promise<void>;
}

/** Opens the store. Nothing connects before it is used. */
export function openCounterStore(options: CounterOptions): PostgresCounterStore {
  const { advance = () => 0 } = options;
  const pool = connectCounters(options);
  const removeExpired = async () => (await pool.query(CLEANUP, [advance()])).rowCount ?? 0;
  // Jitter, so that not all servers do it at once. What fails is done a minute later.
  const interval = CLEANUP_INTERVAL_MS * (0.75 + Math.random() / 2);
  const timer = setInterval(() => void removeExpired().catch(() => undefined), interval).unref();
  return {
    ...createCounters(pool, options),
    recordRefusal: createRefusalRecorder(pool),
    bans: () => activeBans(pool, advance()),
    removeExpired,
    close: async () => {
      clearInterval(timer);
      await pool.end();
    },
  };
}

/**
 * Lifts the ban of an API key and resets its strikes. Every server admits the key within a second.
 *
 * @param url of the database.
 * @returns whether there was a ban or a strike.
 */
export async function liftBan(url: string, keyId: number): Promise<boolean> {
  const pool = connectCounters({ url, maxInFlight: 1 });
  try {
    return await removeBan(pool, keyId);
  } finally {
    await pool.end();
  }
}
