/** Removes counters that are not needed any more, as fast as a flood can make them. */
import type pg from 'pg';
import { ADDRESS_BUCKET_PREFIX } from '@specwright/server';

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
export async function removeExpiredCounters(pool: pg.Pool, advance: () => number): Promise<number> {
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
