/** The counters of the rate limits in PostgreSQL: one statement decides all requests that are pending (group commit). */
import pg from 'pg';
import { openPool } from '@specwright/postgres';
import type { Charge, RateLimitRequest, RateLimitResult } from '@specwright/server';

/** How many statements are under way at once. Requests that come meanwhile go into the next one together. */
const MAX_IN_FLIGHT = 2;
/** How many buckets one statement has, so that it ends well within the limiter's timeout. */
const MAX_BUCKETS = 512;
/** How long a statement or a connection may take, in ms, unless the limiter itself waits longer. */
const MIN_TIMEOUT_MS = 2000;

const MINUTE = `CASE WHEN c.minute_ends > excluded.asked_at THEN c.minute_used ELSE 0 END`;
const DAY = `CASE WHEN c.day_ends > excluded.asked_at THEN c.day_used ELSE 0 END`;
/** How many of the requests are admitted. LEAST ignores a NULL, so a request of cost 0 always is. */
const GRANTED = `greatest(0, least(excluded.asked_count, (excluded.minute_limit - (${MINUTE})) / nullif(excluded.asked_cost, 0),
  (excluded.day_limit - (${DAY})) / nullif(excluded.asked_cost, 0)))`;
/** Only a counted request opens a window. */
const ends = (window: 'minute' | 'day', length: number) => `CASE
  WHEN c.${window}_ends > excluded.asked_at OR ${GRANTED} * excluded.asked_cost = 0 THEN c.${window}_ends
  ELSE excluded.asked_at + ${length} END`;
const used = (window: 'minute' | 'day', before: string) => `CASE
  WHEN ${GRANTED} * excluded.asked_cost = 0 THEN c.${window}_used
  ELSE (${before}) + ${GRANTED} * excluded.asked_cost END`;

/**
 * For the transaction of the statement alone, and within it, so that it costs no round trip. In the start-up message a pooler
 * would refuse it, and as a setting of the session give it to the next client. It is volatile, so it is evaluated although
 * nothing reads it.
 */
const ASYNCHRONOUS_COMMIT = `set_config('synchronous_commit', 'off', true)`;

/**
 * $1 buckets, each once; $2 costs; $3 numbers of requests; $4 and $5 limits; $6 how far a test has moved the clock, in ms.
 *
 * Rows are locked in the order of their keys, so that servers cannot deadlock. A row that another server is changing is
 * waited for, and read as it is after the change.
 */
const TAKE = `
  INSERT INTO rate_limit_counters AS c
    (bucket, minute_used, minute_ends, day_used, day_ends, asked_at, asked_cost, asked_count, minute_limit, day_limit, granted)
  SELECT bucket, granted * cost, CASE WHEN granted * cost = 0 THEN 0 ELSE moment + 60000 END,
         granted * cost, CASE WHEN granted * cost = 0 THEN 0 ELSE moment + 86400000 END,
         moment, cost, count, minute_limit, day_limit, granted
    FROM (SELECT a.*, t.moment, greatest(0, least(count, minute_limit / nullif(cost, 0), day_limit / nullif(cost, 0))) AS granted
            FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[]) AS a (bucket, cost, count, minute_limit, day_limit),
                 (SELECT ${ASYNCHRONOUS_COMMIT}, (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $6::double precision AS moment) t) asked
   ORDER BY bucket COLLATE "C"
  ON CONFLICT (bucket) DO UPDATE SET
    minute_used = ${used('minute', MINUTE)},
    minute_ends = ${ends('minute', 60_000)},
    day_used = ${used('day', DAY)},
    day_ends = ${ends('day', 86_400_000)},
    asked_at = excluded.asked_at, asked_cost = excluded.asked_cost, asked_count = excluded.asked_count,
    minute_limit = excluded.minute_limit, day_limit = excluded.day_limit,
    granted = ${GRANTED}
  RETURNING bucket, granted, minute_used, minute_ends, day_used, day_ends, asked_at, (SELECT changes FROM api_key_ban_changes)`;

/** The same for what was admitted without the store. Only a window of $3 or $5 that has not ended counts; no limit applies.
 * What is added may be negative, so it is in `asked_cost` and `asked_count`. */
const charged = (window: 'minute' | 'day', delta: 'asked_cost' | 'asked_count') => `
    ${window}_used = CASE WHEN excluded.${window}_ends = 0 THEN c.${window}_used
      WHEN c.${window}_ends > excluded.asked_at THEN greatest(0, least(c.${window}_used::bigint + excluded.${delta}, 2147483647))::int
      ELSE excluded.${window}_used END,
    ${window}_ends = CASE WHEN excluded.${window}_ends = 0 OR c.${window}_ends > excluded.asked_at THEN c.${window}_ends
      ELSE excluded.${window}_ends END`;
const CHARGE = `
  INSERT INTO rate_limit_counters AS c
    (bucket, minute_used, minute_ends, day_used, day_ends, asked_at, asked_cost, asked_count, minute_limit, day_limit, granted)
  SELECT bucket,
         CASE WHEN minute_ends > moment THEN greatest(0, minute_used) ELSE 0 END, CASE WHEN minute_ends > moment THEN minute_ends ELSE 0 END,
         CASE WHEN day_ends > moment THEN greatest(0, day_used) ELSE 0 END, CASE WHEN day_ends > moment THEN day_ends ELSE 0 END,
         moment, minute_used, day_used, 0, 0, 0
    FROM (SELECT a.*, (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $6::double precision AS moment
            FROM unnest($1::text[], $2::int[], $3::float8[], $4::int[], $5::float8[])
                 AS a (bucket, minute_used, minute_ends, day_used, day_ends)) charges
   ORDER BY bucket COLLATE "C"
  ON CONFLICT (bucket) DO UPDATE SET ${charged('minute', 'asked_cost')}, ${charged('day', 'asked_count')}, asked_at = excluded.asked_at`;

type Row = [
  bucket: string,
  granted: number,
  minuteUsed: number,
  minuteEnds: number,
  dayUsed: number,
  dayEnds: number,
  now: number,
  changes: number,
];

export type CounterResult = RateLimitResult & { readonly changes: number; readonly sentAt: number };

interface PendingRequest {
  readonly request: RateLimitRequest;
  readonly resolve: (result: CounterResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Equal requests of one bucket, in the order in which they came: one row of a statement. */
interface Batch {
  readonly request: RateLimitRequest;
  readonly pending: PendingRequest[];
}

export interface CounterOptions {
  /** The URL of the database. */
  readonly url: string;
  /** For tests: how far the database's clock is moved, in ms. */
  readonly advance?: () => number;
  /** How many statements are under way at once; 2 if it is not given. */
  readonly maxInFlight?: number;
  /** How long the limiter waits for a decision, in ms: a statement is not cancelled before, nor before 2000 ms. */
  readonly limiterTimeoutMs?: number;
}

/**
 * A pool of its own, so that requests are counted also when the service's pool is exhausted. With `synchronous_commit = off`
 * a crash of the database may lose the counts of the last moments (PostgreSQL, 28.4).
 */
export function connectCounters({ url, maxInFlight = MAX_IN_FLIGHT, limiterTimeoutMs = 0 }: Omit<CounterOptions, 'advance'>): pg.Pool {
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, limiterTimeoutMs);
  const bounds = { statementTimeoutMs: timeoutMs, lockTimeoutMs: timeoutMs };
  // Two more for bans.
  return openPool(
    { url, name: 'specwright rate limits', pool: maxInFlight + 2, ...bounds },
    {
      connectionTimeoutMillis: timeoutMs,
      idleTimeoutMillis: 60_000,
      allowExitOnIdle: true,
      types: { getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : String) },
    },
  );
}

// Every bigint of these tables is at most 2^53 - 1.
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.INT4, pg.types.builtins.FLOAT8]);

/** @returns `take`, which decides one request, and `charge`. They reject with the error of `pg`. */
export function createCounters(pool: pg.Pool, { advance = () => 0, maxInFlight = MAX_IN_FLIGHT }: Omit<CounterOptions, 'url'> = {}) {
  let pending: PendingRequest[] = [];
  let inFlight = 0;

  /** One batch for each bucket. A request of the bucket with another cost or quota goes into the next statement. */
  function takeBatches(): Batch[] {
    const batches = new Map<string, Batch>();
    const rest: PendingRequest[] = [];
    for (const item of pending) {
      const { request } = item;
      const batch = batches.get(request.bucket);
      if (batch === undefined && batches.size < MAX_BUCKETS) batches.set(request.bucket, { request, pending: [item] });
      else if (batch !== undefined && isEqual(batch.request, request)) batch.pending.push(item);
      else rest.push(item);
    }
    pending = rest;
    return [...batches.values()];
  }

  async function execute(batches: readonly Batch[]): Promise<void> {
    const values = [
      batches.map(({ request }) => request.bucket),
      batches.map(({ request }) => request.cost),
      batches.map((batch) => batch.pending.length),
      batches.map(({ request }) => request.quota.minute),
      batches.map(({ request }) => request.quota.day),
      advance(),
    ];
    const sentAt = performance.now();
    try {
      const { rows } = await pool.query<Row>({ name: 'limits.take', text: TAKE, values, rowMode: 'array' });
      const byBucket = new Map(rows.map((row) => [row[0], row]));
      for (const batch of batches) resolveBatch(batch, byBucket.get(batch.request.bucket), sentAt);
    } catch (error) {
      for (const batch of batches) for (const { reject } of batch.pending) reject(error);
    }
  }

  function run(): void {
    if (inFlight >= maxInFlight || pending.length === 0) return;
    inFlight += 1;
    void execute(takeBatches()).finally(() => {
      inFlight -= 1;
      run();
    });
  }

  return {
    take: (request: RateLimitRequest): Promise<CounterResult> =>
      new Promise((resolve, reject) => {
        pending.push({ request, resolve, reject });
        // Requests of the same turn of the event loop go into one statement.
        if (pending.length === 1) setImmediate(run);
      }),
    charge: async (charges: readonly Charge[]): Promise<void> => {
      const values = [
        charges.map(({ bucket }) => bucket),
        charges.map(({ minute }) => minute.used),
        charges.map(({ minute }) => minute.ends),
        charges.map(({ day }) => day.used),
        charges.map(({ day }) => day.ends),
        advance(),
      ];
      await pool.query({ name: 'limits.charge', text: CHARGE, values });
    },
  };
}

const isEqual = (a: RateLimitRequest, b: RateLimitRequest) =>
  a.cost === b.cost && a.quota.minute === b.quota.minute && a.quota.day === b.quota.day;

/** The first `granted` of a batch were admitted, each after those before it. */
function resolveBatch({ request, pending }: Batch, row: Row | undefined, sentAt: number): void {
  if (row === undefined) throw new Error('INSERT ... RETURNING gave no row');
  const [, granted, minuteUsed, minuteEnds, dayUsed, dayEnds, now, changes] = row;
  pending.forEach(({ resolve }, index) => {
    const admitted = index < granted;
    const usedAfter = admitted ? (granted - 1 - index) * request.cost : 0;
    const window = (used: number, end: number) => ({ used: used - usedAfter, ends: end });
    resolve({ admitted, now, changes, sentAt, minute: window(minuteUsed, minuteEnds), day: window(dayUsed, dayEnds) });
  });
}
