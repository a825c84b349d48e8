/** The counters of the rate limits: one statement decides for every request that waits, exactly, with all other instances. */
import pg from 'pg';
import type { RateLimitRequest, RateLimitResult } from '@specwright/server';

/** What arrives while this many statements are under way waits for the next one. */
const LANES = 2;
/** The most buckets in one statement: it should end well before anybody loses patience. */
const MAX_BUCKETS = 512;
/** How long a statement or a connection may take before it is given up, in ms. Whoever waits has been answered long before. */
const GIVE_UP = 2000;

const MINUTE = `CASE WHEN c.minute_ends > excluded.asked_at THEN c.minute_used ELSE 0 END`;
const DAY = `CASE WHEN c.day_ends > excluded.asked_at THEN c.day_used ELSE 0 END`;
/** How many of the requests fit. LEAST passes over a NULL, so what costs nothing always fits. */
const GRANTED = `greatest(0, least(excluded.asked_count, (excluded.minute_limit - (${MINUTE})) / nullif(excluded.asked_cost, 0),
  (excluded.day_limit - (${DAY})) / nullif(excluded.asked_cost, 0)))`;
/** A window is opened only by what is counted. */
const ends = (window: 'minute' | 'day', length: number) => `CASE
  WHEN c.${window}_ends > excluded.asked_at OR ${GRANTED} * excluded.asked_cost = 0 THEN c.${window}_ends
  ELSE excluded.asked_at + ${length} END`;
const used = (window: 'minute' | 'day', before: string) => `CASE
  WHEN ${GRANTED} * excluded.asked_cost = 0 THEN c.${window}_used
  ELSE (${before}) + ${GRANTED} * excluded.asked_cost END`;

/**
 * $1 buckets, each once; $2 costs; $3 how many requests; $4, $5 limits; $6 ms by which a test has moved the clock.
 *
 * Rows are locked in the order of their keys, so that instances wait for each other and never in a circle. A row that
 * another instance is changing is waited for, and then read as it has become.
 */
const TAKE = `
  INSERT INTO rate_limit_counters AS c
    (bucket, minute_used, minute_ends, day_used, day_ends, asked_at, asked_cost, asked_count, minute_limit, day_limit, granted)
  SELECT bucket, granted * cost, CASE WHEN granted * cost = 0 THEN 0 ELSE moment + 60000 END,
         granted * cost, CASE WHEN granted * cost = 0 THEN 0 ELSE moment + 86400000 END,
         moment, cost, count, minute_limit, day_limit, granted
    FROM (SELECT a.*, t.moment, greatest(0, least(count, minute_limit / nullif(cost, 0), day_limit / nullif(cost, 0))) AS granted
            FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[]) AS a (bucket, cost, count, minute_limit, day_limit),
                 (SELECT (extract(epoch FROM statement_timestamp()) * 1000)::double precision + $6::double precision AS moment) t) asked
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

export type Counted = RateLimitResult & { readonly changes: number; readonly sentAt: number };

interface Waiting {
  readonly ask: RateLimitRequest;
  readonly resolve: (taken: Counted) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that ask the same of the same bucket, in the order in which they came. */
interface Group {
  readonly ask: RateLimitRequest;
  readonly waiting: Waiting[];
}

export interface CounterOptions {
  readonly url: string;
  /** ms by which the database's clock is moved: for tests, which do not wait. */
  readonly advance?: () => number;
  readonly lanes?: number;
}

/**
 * A pool of its own, so that requests which wait for a connection are still counted. It does not wait for the disk: a
 * crash of the database may forget the last moments' requests.
 */
export function connectCounters({ url, lanes = LANES }: Pick<CounterOptions, 'url' | 'lanes'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: inHaste(url),
    application_name: 'specwright rate limits',
    // Bans have a place beside the counters.
    max: lanes + 2,
    connectionTimeoutMillis: GIVE_UP,
    query_timeout: GIVE_UP,
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
    types: { getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : String) },
  });
  // An idle connection that is lost is replaced when it is next needed.
  pool.on('error', ignore);
  return pool;
}

/** The same database, for sessions that do not wait for the disk. */
function inHaste(url: string): string {
  const hasty = new URL(url);
  hasty.searchParams.set('options', `${hasty.searchParams.get('options') ?? ''} -c synchronous_commit=off`.trim());
  return hasty.href;
}

// Every bigint here is an id or a count, and ends at 2^53 - 1.
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.INT4, pg.types.builtins.FLOAT8]);
const ignore = () => undefined;

/** @returns `take`, which decides about one request. It rejects with what PostgreSQL or the connection said. */
export function createCounters(pool: pg.Pool, { advance = () => 0, lanes = LANES }: Omit<CounterOptions, 'url'> = {}) {
  let waiting: Waiting[] = [];
  let busy = 0;

  /** One group for each bucket. Who asks something else of it has to wait for the next statement. */
  function nextGroups(): Group[] {
    const groups = new Map<string, Group>();
    const later: Waiting[] = [];
    for (const one of waiting) {
      const group = groups.get(one.ask.bucket);
      if (group === undefined && groups.size < MAX_BUCKETS) groups.set(one.ask.bucket, { ask: one.ask, waiting: [one] });
      else if (group !== undefined && isSame(group.ask, one.ask)) group.waiting.push(one);
      else later.push(one);
    }
    waiting = later;
    return [...groups.values()];
  }

  async function decide(groups: readonly Group[]): Promise<void> {
    const values = [
      groups.map(({ ask }) => ask.bucket),
      groups.map(({ ask }) => ask.cost),
      groups.map((group) => group.waiting.length),
      groups.map(({ ask }) => ask.quota.minute),
      groups.map(({ ask }) => ask.quota.day),
      advance(),
    ];
    const sentAt = performance.now();
    try {
      const { rows } = await pool.query<Row>({ name: 'limits.take', text: TAKE, values, rowMode: 'array' });
      const byBucket = new Map(rows.map((row) => [row[0], row]));
      for (const group of groups) answer(group, byBucket.get(group.ask.bucket), sentAt);
    } catch (error) {
      for (const group of groups) for (const one of group.waiting) one.reject(error);
    }
  }

  function run(): void {
    if (busy >= lanes || waiting.length === 0) return;
    busy += 1;
    void decide(nextGroups()).finally(() => {
      busy -= 1;
      run();
    });
  }

  return {
    take: (ask: RateLimitRequest): Promise<Counted> =>
      new Promise((resolve, reject) => {
        waiting.push({ ask, resolve, reject });
        // What arrives in the same turn of the event loop goes together.
        if (waiting.length === 1) setImmediate(run);
      }),
  };
}

const isSame = (a: RateLimitRequest, b: RateLimitRequest) => a.cost === b.cost && a.quota.minute === b.quota.minute && a.quota.day === b.quota.day;

/** The first `granted` of a group were admitted, each seeing what the ones before it had used. */
function answer({ ask, waiting }: Group, row: Row | undefined, sentAt: number): void {
  if (row === undefined) throw new Error('INSERT ... RETURNING gave no row');
  const [, granted, minuteUsed, minuteEnds, dayUsed, dayEnds, now, changes] = row;
  waiting.forEach(({ resolve }, index) => {
    const admitted = index < granted;
    const after = admitted ? (granted - 1 - index) * ask.cost : 0;
    const window = (used: number, end: number) => ({ used: used - after, ends: end });
    resolve({ admitted, now, changes, sentAt, minute: window(minuteUsed, minuteEnds), day: window(dayUsed, dayEnds) });
  });
}
