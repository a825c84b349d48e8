/** The store of rate limits that all servers share: counters and bans in PostgreSQL, on a separate pool. */
import { poolMetrics } from '@specwright/postgres';
import { type MetricSource, repeatInBackground } from '@specwright/server';
import { ADDRESS_BUCKET_PREFIX, type CounterStore } from '@specwright/server/limits';
import type pg from 'pg';
import { activeBans, createRefusalRecorder, removeBan } from './bans.ts';
import { type CounterOptions, Counters, connectCounters } from './counters.ts';

const CLEANUP_INTERVAL_MS = 60_000;

/** It is one of the `parts` of a server. */
export interface PostgresCounterStore extends CounterStore {
  /** Removes all counters that are not needed any more (`removeExpiredCounters`). It runs about every minute. @returns how many. */
  removeExpired(): Promise<number>;
  readonly metrics: MetricSource;
  /** Opens a connection, before a request needs it. If there is no database, readiness says so. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface CounterStoreOptions extends CounterOptions {
  /** `false` for a process that is frozen between requests: others remove what has expired. */
  readonly background?: boolean;
}

/** Opens the store. Connects on first use. */
export function openCounterStore(options: CounterStoreOptions): PostgresCounterStore {
  const { advance = () => 0, background = true } = options;
  const pool = connectCounters(options);
  const counters = new Counters(pool, options);
  // What fails is done a minute later.
  const clean = () => removeExpiredCounters(pool, advance).catch(() => undefined);
  const endCleaning = background ? repeatInBackground(clean, CLEANUP_INTERVAL_MS) : undefined;
  return {
    take: counters.take,
    charge: (charges) => counters.charge(charges),
    recordRefusal: createRefusalRecorder(pool),
    bans: () => activeBans(pool, advance()),
    removeExpired: () => removeExpiredCounters(pool, advance),
    metrics: () => {
      const { totalCount, idleCount, waitingCount } = pool;
      return poolMetrics('rate limits', { used: totalCount - idleCount, idle: idleCount, max: pool.options.max, waiting: waitingCount });
    },
    start: async () => {
      await activeBans(pool, advance()).catch(() => undefined);
    },
    close: async () => {
      endCleaning?.();
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

/** How many counters one statement removes or looks at, so that it ends within its timeout on a busy database. */
const MAX_ROWS = 2000;

const NOW = '((extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision)';

// A row that another transaction uses is skipped: waiting for it could become a deadlock.
const REMOVE_ENDED = `
  DELETE FROM rate_limit_counters
   WHERE bucket IN (SELECT bucket FROM rate_limit_counters WHERE day_ends < ${NOW}
                     ORDER BY day_ends LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)`;

/** No more was used than an even rate of the day's limit allows: forgetting it lets the address have no more than that rate. */
const IS_IDLE = `minute_ends < ${NOW} AND day_used <= day_limit * (${NOW} - (day_ends - 86400000)) / 86400000`;

/** Looks at the addresses after $2, in the order of their keys. The second look sees the row after it is locked. */
const REMOVE_IDLE_ADDRESSES = `
  WITH page AS MATERIALIZED (
    SELECT bucket, ${IS_IDLE} AS is_idle FROM rate_limit_counters
     WHERE bucket > $2 AND bucket < $3 ORDER BY bucket LIMIT ${MAX_ROWS}
  ), removed AS (
    DELETE FROM rate_limit_counters
     WHERE bucket IN (SELECT bucket FROM rate_limit_counters
                       WHERE bucket IN (SELECT bucket FROM page WHERE is_idle) AND ${IS_IDLE} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT (SELECT max(bucket) FROM page) AS last, (SELECT count(*) FROM page) AS seen, (SELECT count(*) FROM removed) AS removed`;

/** Sorts after every bucket of an address. */
const AFTER_ADDRESSES = `${ADDRESS_BUCKET_PREFIX.slice(0, -1)}${String.fromCharCode(ADDRESS_BUCKET_PREFIX.charCodeAt(ADDRESS_BUCKET_PREFIX.length - 1) + 1)}`;

/**
 * Removes the counters whose windows have ended, and those of addresses that may be forgotten earlier: a flood from many
 * addresses, such as the networks of one large IPv6 prefix, leaves rows for minutes instead of a day.
 *
 * @param advance how far the clock is moved, in ms. @returns how many.
 */
async function removeExpiredCounters(pool: pg.Pool, advance: () => number): Promise<number> {
  let total = 0;
  for (let removed = MAX_ROWS; removed === MAX_ROWS; total += removed)
    removed = (await pool.query({ name: 'limits.removeEnded', text: REMOVE_ENDED, values: [advance()] })).rowCount ?? 0;
  let after: string | null = ADDRESS_BUCKET_PREFIX;
  while (after !== null) {
    const values: unknown[] = [advance(), after, AFTER_ADDRESSES];
    type Row = { last: string | null; seen: number; removed: number };
    const { rows } = await pool.query<Row>({ name: 'limits.removeIdleAddresses', text: REMOVE_IDLE_ADDRESSES, values });
    const [page] = rows;
    total += page?.removed ?? 0;
    after = page?.seen === MAX_ROWS ? page.last : null;
  }
  return total;
}
