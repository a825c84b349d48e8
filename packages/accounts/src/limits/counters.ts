/** The counters of the rate limits in PostgreSQL: one statement decides all requests that are pending (group commit). */
import type pg from 'pg';
import { openPool } from '@specwright/postgres';
import type { Charge, RateLimitRequest, RateLimitResult, StoreResult } from '@specwright/server/limits';
import { CHARGE, PARSERS, TAKE_STATEMENT, type CounterRow } from './counter-statements.ts';

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
      types: { getTypeParser: (oid: number) => PARSERS.get(oid) ?? String },
    },
  );
}

/** Decides requests together. Its promises are rejected with the error of `pg`. */
export class Counters {
  readonly #pool: pg.Pool;
  readonly #advance: CounterOptions['advance'];
  readonly #maxInFlight: number;
  #pending = new Map<string, Batch>();
  /** Requests of a pending bucket with another cost or quota: queued once the current batch is sent. */
  readonly #postponed: PendingRequest[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(pool: pg.Pool, { advance, maxInFlight = MAX_IN_FLIGHT }: Omit<CounterOptions, 'url'> = {}) {
    this.#pool = pool;
    this.#advance = advance;
    this.#maxInFlight = maxInFlight;
  }

  readonly take = (request: RateLimitRequest): Promise<StoreResult> =>
    new Promise((resolve, reject) => this.#add({ request, resolve, reject }));

  async charge(charges: readonly Charge[]): Promise<void> {
    const values = [
      charges.map(({ bucket }) => bucket),
      charges.map(({ minute }) => minute.used),
      charges.map(({ minute }) => minute.ends),
      charges.map(({ day }) => day.used),
      charges.map(({ day }) => day.ends),
      this.#advance?.() ?? 0,
    ];
    await this.#pool.query({ name: 'limits.charge', text: CHARGE, values });
  }

  /** Requests of the same turn of the event loop go into one statement. */
  #add(item: PendingRequest): void {
    const { request } = item;
    const batch = this.#pending.get(request.bucket);
    if (batch === undefined) this.#pending.set(request.bucket, { request, count: 1, pending: [item] });
    else if (isEqual(batch.request, request)) batch.count = batch.pending.push(item);
    else this.#postponed.push(item);
    if (!this.#isScheduled) this.#schedule();
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(this.#sendAll);
  }

  /**
   * Sends what is pending: at once while no statement is under way. Another one beside it is worth its own cost only if it has
   * many buckets; so the fewer processors are free, the more go into one.
   */
  readonly #sendAll = (): void => {
    this.#isScheduled = false;
    const max = this.#maxInFlight;
    while (this.#pending.size > 0 && this.#inFlight < max && (this.#inFlight === 0 || this.#pending.size >= MIN_BUCKETS_BESIDE)) {
      const statements = Math.max(1, Math.min(max - this.#inFlight, Math.floor(this.#pending.size / MIN_BUCKETS_BESIDE)));
      this.#send(this.#takeBatches(Math.min(MAX_BUCKETS, Math.ceil(this.#pending.size / statements))));
    }
  };

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
    this.#pool.query<CounterRow>({ ...TAKE_STATEMENT, values: valuesOf(batches, this.#advance?.() ?? 0) }).then(
      ({ rows }) => {
        this.#onAnswer();
        resolveAll(batches, rows, sentAt);
      },
      (error: unknown) => {
        this.#onAnswer();
        rejectAll(batches, error);
      },
    );
  }

  #onAnswer(): void {
    this.#inFlight -= 1;
    if (this.#pending.size > 0 && !this.#isScheduled) this.#schedule();
  }
}

const isEqual = (a: RateLimitRequest, b: RateLimitRequest) =>
  a.cost === b.cost && a.quota.minute === b.quota.minute && a.quota.day === b.quota.day;

const NEEDS_ESCAPE = /["\\]/;

/** The values of `TAKE_STATEMENT`: arrays as PostgreSQL reads them (8.15.6), for `pg` would quote every number. @param batches sorted by bucket. */
function valuesOf(batches: readonly Batch[], advance: number): string[] {
  let [buckets, costs, counts, minutes, days, granted, comma] = ['', '', '', '', '', '', ''];
  for (const { request, count } of batches) {
    const { bucket, cost, quota } = request;
    buckets += `${comma}"${NEEDS_ESCAPE.test(bucket) ? bucket.replace(/["\\]/g, '\\$&') : bucket}"`;
    costs += `${comma}${cost || 1}`;
    // What costs nothing is read, and counts no request.
    counts += `${comma}${cost === 0 ? 0 : count}`;
    minutes += `${comma}${quota.minute}`;
    days += `${comma}${quota.day}`;
    // If the bucket has no counter yet.
    granted += `${comma}${cost === 0 ? 0 : Math.max(0, Math.min(count, Math.floor(quota.minute / cost), Math.floor(quota.day / cost)))}`;
    comma = ',';
  }
  return [`{${buckets}}`, `{${costs}}`, `{${counts}}`, `{${minutes}}`, `{${days}}`, `{${granted}}`, String(advance)];
}

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
  const [, granted, minuteUsed, minuteEnds, dayUsed, dayEnds, now, changes] = row;
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
