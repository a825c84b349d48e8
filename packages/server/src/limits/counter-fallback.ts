/** Asks the shared store, decides alone while it does not answer, and tells it afterwards what was admitted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import type { Log } from '../ops/logger.ts';
import type { CounterStore, StoreResult } from './counter-store.ts';
import { createDeadlines } from './deadlines.ts';
import { createLocalCounters } from './local-counters.ts';
import type { RateLimitRequest, RateLimitResult } from './windows.ts';

/** How long the store may take to answer, and how long after a failure it is tried again, in ms. */
export const STORE_TIMEOUT_MS = 150;
const RETRY_INTERVAL_MS = 250;
/** How many buckets the store is asked for, or charged with, at once: so many fit into one statement. */
const MAX_BUCKETS_AT_ONCE = 512;

export interface FallbackOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
  /** How many instances share the limits: each alone admits its part of what is left. */
  readonly instances: number;
  /** How long the store may take, in ms. */
  readonly timeoutMs?: number;
}

/** The rest is known only if the shared store has decided. */
export type FallbackResult = RateLimitResult & Partial<Pick<StoreResult, 'changes' | 'sentAt'>>;

/**
 * Counters that always answer.
 *
 * When the store fails or takes too long, this process decides by itself, from the store's last word and at its part of what
 * was left then, until the store answers the questions that it did not answer. Before it is asked again it is charged with what
 * was admitted meanwhile.
 *
 * Whether the store has counted a question that failed is known only if its answer comes late. If it does not, what was admitted
 * is charged: so the limit holds, and at worst the requests of that moment are counted twice in their windows. The other way round
 * a client could make the store fail to be counted less.
 *
 * Beginning and end of an outage are logged, and `counts` says how many requests were decided how.
 */
export function createCounterFallback({ store, log, now, instances, timeoutMs = STORE_TIMEOUT_MS }: FallbackOptions) {
  const local = createLocalCounters(instances);
  const deadlines = createDeadlines(timeoutMs);
  const counts = { shared: 0, local: 0, outages: 0 };
  /** What the store has failed to answer, by bucket: it is back when it answers all of that. */
  const unanswered = new Map<string, RateLimitRequest>();
  let isDown = false;
  let isClosed = false;
  /** The last charge before the store is asked again: requests wait for it, so that none is decided without it. */
  let lastCharge: Promise<unknown> | undefined;
  /** A charge whose outcome is not known yet. It is not repeated before that. */
  let charging: Promise<void> | undefined;

  const ignore = () => undefined;

  function takeLocally(request: RateLimitRequest): FallbackResult {
    counts.local += 1;
    return local.take(request, now());
  }

  function handleFailure(request: RateLimitRequest, result: Promise<StoreResult>, error: unknown): FallbackResult {
    startOutage(error);
    if (unanswered.size < MAX_BUCKETS_AT_ONCE) unanswered.set(request.bucket, request);
    result.then((late) => {
      local.observe(request.bucket, late);
      if (!late.admitted) return;
      local.settleLate(request, late);
      void chargeRest();
    }, ignore);
    return takeLocally(request);
  }

  function startOutage(error: unknown): void {
    if (isDown || isClosed) return;
    isDown = true;
    counts.outages += 1;
    log.error({ err: error, instances }, 'the store of the rate limits does not answer: limits are counted in this process alone');
    // What the store is deciding at this moment is decided here too: it would not know what is admitted here from now on.
    deadlines.expireAll(new Error('the store of the rate limits does not answer'));
    void recover();
  }

  async function recover(): Promise<void> {
    const began = performance.now();
    for (;;) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      if (isClosed) return;
      try {
        await deadlines.race(askAgain());
        await payBack();
        break;
      } catch {
        // Not yet.
      }
    }
    log.info({ ms: performance.now() - began, decided: counts.local }, 'the store of the rate limits answers again');
    void chargeRest();
  }

  /** With the statement that failed, for the rows that it did not get. It counts nothing. */
  const askAgain = () =>
    Promise.all(
      Array.from(unanswered.values(), async (request) => local.observe(request.bucket, await store.take({ ...request, cost: 0 }))),
    );

  async function payBack(): Promise<void> {
    if (charging !== undefined) await chargeSome();
    // This process decides on while there is more than one charge.
    while (local.owing > MAX_BUCKETS_AT_ONCE) await chargeSome();
    lastCharge = chargeSome();
    try {
      await lastCharge;
      unanswered.clear();
      isDown = false;
    } finally {
      lastCharge = undefined;
    }
  }

  async function chargeSome(): Promise<void> {
    if (charging === undefined) {
      const charges = local.charges(MAX_BUCKETS_AT_ONCE, now());
      if (charges.length === 0) return;
      charging = store
        .charge(charges)
        .then(() => local.paid(charges, now()))
        .finally(() => (charging = undefined));
    }
    await deadlines.race(charging);
  }

  /** What becomes known only after the store is back: what it has counted late. */
  async function chargeRest(): Promise<void> {
    try {
      while (!isDown && charging === undefined && local.owing > 0) await chargeSome();
    } catch {
      // It is charged after the outage that begins, or with the next one.
    }
  }

  function count(request: RateLimitRequest, result: StoreResult): FallbackResult {
    counts.shared += 1;
    local.observe(request.bucket, result);
    return result;
  }

  function ask(request: RateLimitRequest): FallbackResult | Promise<FallbackResult> {
    if (isDown) return takeLocally(request);
    const result = store.take(request);
    if (!types.isPromise(result)) return count(request, result);
    return deadlines.race(result).then(
      (answer) => count(request, answer),
      (error: unknown) => handleFailure(request, result, error),
    );
  }

  return {
    counts,
    /** The last known state of a bucket. */
    known: local.known,
    /** A promise only if the store gives one. */
    take: (request: RateLimitRequest): FallbackResult | Promise<FallbackResult> =>
      lastCharge === undefined ? ask(request) : lastCharge.then(ignore, ignore).then(() => ask(request)),
    close: () => void (isClosed = true),
  };
}
