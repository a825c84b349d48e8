/** What all instances share of the rate limits: counters and bans, on a pool of their own, and the removal of old rows. */
import type { CounterStore } from '@specwright/server';
import { activeBans, createRefusals, liftBan } from './bans.ts';
import { connectCounters, createCounters, type CounterOptions } from './counters.ts';

/** How often old rows are removed, in ms, and how many at once. */
const CLEAN_EVERY = 60_000;
const CLEAN_AT_ONCE = 1000;

// A row that somebody is about to use is passed over: waiting for it could become a circle.
const CLEAN = `
  DELETE FROM rate_limit_counters
   WHERE bucket IN (SELECT bucket FROM rate_limit_counters
                     WHERE day_ends < (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $1::double precision
                     ORDER BY day_ends LIMIT ${CLEAN_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

export interface LimitStore extends CounterStore {
  /** Removes counters whose windows are over. @returns how many. */
  clean(): Promise<number>;
  readonly close: () => Promise<void>;
}

/** Opens the store. Nothing connects before it is needed. */
export function openLimitStore(options: CounterOptions): LimitStore {
  const { advance = () => 0 } = options;
  const pool = connectCounters(options);
  const clean = async () => (await pool.query(CLEAN, [advance()])).rowCount ?? 0;
  // Not all instances at once. What fails now is done in a minute.
  const timer = setInterval(() => void clean().catch(() => undefined), CLEAN_EVERY * (0.75 + Math.random() / 2)).unref();
  return {
    take: createCounters(pool, options).take,
    recordRefusal: createRefusals(pool),
    bans: () => activeBans(pool, advance()),
    clean,
    close: async () => {
      clearInterval(timer);
      await pool.end();
    },
  };
}

/** Lifts a ban, for the command line. @returns whether there was one. */
export async function unban(url: string, keyId: number): Promise<boolean> {
  const pool = connectCounters({ url, lanes: 1 });
  try {
    return await liftBan(pool, keyId);
  } finally {
    await pool.end();
  }
}
