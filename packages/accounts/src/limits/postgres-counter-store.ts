/** The store of rate limits that all servers share: counters and bans in PostgreSQL, on a separate pool. */
import { poolMetrics } from '@specwright/postgres';
import type { CounterStore, MetricSource } from '@specwright/server';
import { activeBans, createRefusalRecorder, removeBan } from './bans.ts';
import { removeExpiredCounters } from './counter-cleanup.ts';
import { connectCounters, createCounters, type CounterOptions } from './counters.ts';
import { inBackground } from '@specwright/server';

/** How often expired counters are removed. */
const CLEANUP_INTERVAL_MS = 60_000;

export interface PostgresCounterStore extends CounterStore {
  /** Removes all counters that are not needed any more (`removeExpiredCounters`). It runs about every minute. @returns how many. */
  removeExpired(): Promise<number>;
  /** Its pool, for `metricSources` of `createServer`. */
  readonly metrics: MetricSource;
  /** Closes the pool. */
  readonly close: () => Promise<void>;
}

/** Opens the store. Connects on first use. */
export function openCounterStore(options: CounterOptions): PostgresCounterStore {
  const { advance = () => 0 } = options;
  const pool = connectCounters(options);
  let isCleaning = false;
  async function clean(): Promise<void> {
    if (isCleaning) return;
    isCleaning = true;
    // Failures are retried a minute later.
    await removeExpiredCounters(pool, advance).catch(() => undefined);
    isCleaning = false;
  }
  // Jitter, so that not all servers do it at once.
  const timer = setInterval(() => inBackground(clean()), CLEANUP_INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
  return {
    ...createCounters(pool, options),
    recordRefusal: createRefusalRecorder(pool),
    bans: () => activeBans(pool, advance()),
    removeExpired: () => removeExpiredCounters(pool, advance),
    metrics: () => {
      const { totalCount, idleCount, waitingCount } = pool;
      return poolMetrics('rate limits', { used: totalCount - idleCount, idle: idleCount, max: pool.options.max, waiting: waitingCount });
    },
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
