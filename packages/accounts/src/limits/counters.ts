/** The counters of the rate limits in PostgreSQL: one statement decides all requests that are pending (group commit). */
import pg from 'pg';
import { openPool } from '@specwright/postgres';
import type { Charge, RateLimitRequest, RateLimitResult, StoreResult } from '@specwright/server/limits';
import { CHARGE, takeStatement, type CounterRow } from './counter-statements.ts';

/** How many statements are under way at once. Requests that come meanwhile go into the next one together. */
const MAX_IN_FLIGHT = 2;
/** How many buckets one statement has, so that it ends well within the limiter's timeout. */
const MAX_BUCKETS = 512;
/** The minimum of buckets for a second statement while another one is under way. */
const MIN_BUCKETS_BESIDE = 32;
/** How long a statement or a connection may take, in ms, unless the limiter itself waits longer. */
const MIN_TIMEOUT_MS = 2000;

interface PendingRequest {
  readonly request: RateLimitRequest;
  readonly resolve: (result: StoreResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Equal requests of one bucket, in the order in which they came: one row of a statement. */
interface Batch {
  readonly request: RateLimitRequest;
  readonly pending: PendingRequest[];
  count: number;
}

export interface CounterOptions {
  readonly url: string;
  /** For tests: how far the database's clock is moved, in ms. */
  readonly advance?: () => number;
  /** How many statements are under way at once; 2 if it is not given. */
  readonly maxInFlight?: number;
  /** How long the limiter waits for a decision, in ms: a statement is not cancelled before, nor before 2000 ms. */
  readonly limiterTimeoutMs?: number;
}

/**
 * A separate pool, so that requests are counted also when the service's pool is exhausted. With `synchronous_commit = off`
 * a crash of the database may lose the counts of the last moments (PostgreSQL, 28.4).
 */
export function connectCounters({ url, maxInFlight = MAX_IN_FLIGHT, limiterTimeoutMs = 0 }: Omit<CounterOptions, 'advance'>): pg.Pool {
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, limiterTimeoutMs);
  const bounds = { statementTimeoutMs: timeoutMs, lockTimeoutMs: timeoutMs };
  // Two more connections, for queries of bans.
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

/** Decides requests together. Its promises are rejected with the error of `pg`. */
export class Counters {
  readonly #pool: pg.Pool;
  readonly #advance: () => number;
  readonly #maxInFlight: number;
  #pending = new Map<string, Batch>();
  /** Requests of a pending bucket with another cost or quota: queued once the current batch is sent. */
  readonly #postponed: PendingRequest[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(pool: pg.Pool, { advance = () => 0, maxInFlight = MAX_IN_FLIGHT }: Omit<CounterOptions, 'url'> = {}) {
    this.#pool = pool;
    this.#advance = advance;
    this.#maxInFlight = maxInFlight;
  }

  readonly take = (request: RateLimitRequest): Promise<StoreResult> =>
    new Promise((resolve, reject) => {
      this.#add({ request, resolve, reject });
      this.#schedule();
    });

  async charge(charges: readonly Charge[]): Promise<void> {
    const values = [
      charges.map(({ bucket }) => bucket),
      charges.map(({ minute }) => minute.used),
      charges.map(({ minute }) => minute.ends),
      charges.map(({ day }) => day.used),
      charges.map(({ day }) => day.ends),
      this.#advance(),
    ];
    await this.#pool.query({ name: 'limits.charge', text: CHARGE, values });
  }

  #add(item: PendingRequest): void {
    const { bucket } = item.request;
    const batch = this.#pending.get(bucket);
    if (batch === undefined) this.#pending.set(bucket, { request: item.request, count: 1, pending: [item] });
    else if (isEqual(batch.request, item.request)) batch.count = batch.pending.push(item);
    else this.#postponed.push(item);
  }

  /** Requests of the same turn of the event loop go into one statement. */
  #schedule(): void {
    if (this.#isScheduled || this.#pending.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#sendAll());
  }

  /**
   * Sends what is pending: at once while no statement is under way. Another one beside it is worth its own cost only if it has
   * many buckets; so the fewer processors are free, the more go into one.
   */
  #sendAll(): void {
    this.#isScheduled = false;
    const max = this.#maxInFlight;
    while (this.#pending.size > 0 && this.#inFlight < max && (this.#inFlight === 0 || this.#pending.size >= MIN_BUCKETS_BESIDE)) {
      const statements = Math.max(1, Math.min(max - this.#inFlight, Math.floor(this.#pending.size / MIN_BUCKETS_BESIDE)));
      this.#send(this.#takeBatches(Math.min(MAX_BUCKETS, Math.ceil(this.#pending.size / statements))));
    }
  }

  /** Up to `max` buckets, sorted: so rows are locked in one order by all servers. */
  #takeBatches(max: number): Batch[] {
    const pending = this.#pending;
    const batches = pending.size <= max ? [...pending.values()] : [...pending.values()].slice(0, max);
    if (batches.length === pending.size) this.#pending = new Map();
    else for (const { request } of batches) pending.delete(request.bucket);
    for (const item of this.#postponed.splice(0)) this.#add(item);
    return batches.sort((a, b) => (a.request.bucket < b.request.bucket ? -1 : 1));
  }

  #send(batches: readonly Batch[]): void {
    const sentAt = performance.now();
    this.#inFlight += 1;
    this.#pool.query<CounterRow>(takeStatement(batches, this.#advance())).then(
      ({ rows }) => {
        this.#inFlight -= 1;
        this.#schedule();
        resolveAll(batches, rows, sentAt);
      },
      (error: unknown) => {
        this.#inFlight -= 1;
        this.#schedule();
        rejectAll(batches, error);
      },
    );
  }
}

const isEqual = (a: RateLimitRequest, b: RateLimitRequest) =>
  a.cost === b.cost && a.quota.minute === b.quota.minute && a.quota.day === b.quota.day;

function rejectAll(batches: readonly Batch[], error: unknown): void {
  for (const { pending } of batches) for (const { reject } of pending) reject(error);
}

/** Rows come in the order of the batches, which is checked: that costs nothing. */
function resolveAll(batches: readonly Batch[], rows: readonly CounterRow[], sentAt: number): void {
  for (let i = 0; i < batches.length; i++)
    if (rows[i]?.[0] !== batches[i]?.request.bucket)
      return rejectAll(batches, new Error('the rows of the counters are not those that were asked for, in their order'));
  for (let i = 0; i < batches.length; i++) resolveBatch(batches[i] as Batch, rows[i] as CounterRow, sentAt);
}

/** The first `granted` of a batch were admitted, each after those before it. */
function resolveBatch({ request: { cost }, pending }: Batch, row: CounterRow, sentAt: number): void {
  const granted = Number(row[1]);
  const [minuteUsed, minuteEnds, dayUsed, dayEnds] = [Number(row[2]), Number(row[3]), Number(row[4]), Number(row[5])];
  const [now, changes] = [Number(row[6]), Number(row[7])];
  for (let i = 0; i < pending.length; i++) {
    const admitted = cost === 0 || i < granted;
    const usedAfter = admitted ? Math.max(0, granted - 1 - i) * cost : 0;
    const [minute, day] = [windowOf(minuteUsed - usedAfter, minuteEnds), windowOf(dayUsed - usedAfter, dayEnds)];
    (pending[i] as PendingRequest).resolve({ admitted, now, changes, sentAt, minute, day });
  }
}

const NOT_OPEN = { used: 0, ends: 0 };

/** A window in which nothing was counted is not open: the row says when it would end if something had been. */
const windowOf = (used: number, ends: number): RateLimitResult['minute'] => (used > 0 ? { used, ends } : NOT_OPEN);
