/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { createBanCache } from './ban-cache.ts';
import { toBannedDecision, toDecision, type RateLimitDecision } from './decision.ts';
import { createCounterFallback, type Log } from './counter-fallback.ts';
import { setBounded } from './memory-store.ts';
import type { Quota } from './plans.ts';
import type { ApiKeyRef, CounterStore } from './counter-store.ts';
import { EMPTY_WINDOWS, type RateLimitRequest, type Windows } from './windows.ts';

/** How many buckets' last known windows are kept, for answers that cannot wait for the store. */
const MAX_CACHED_BUCKETS = 10_000;

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly log: Log;
  /** ms since the epoch. */
  readonly now?: () => number;
  /** How many instances share the store. */
  readonly instances?: number;
  /** How long the store may take to answer, in ms. */
  readonly timeoutMs?: number;
}

export interface LimiterRequest extends RateLimitRequest {
  /** Whose strikes and bans. None for requests without a valid key. */
  readonly key?: ApiKeyRef | undefined;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt?: number;
}

export interface Limiter {
  /** Decides about a request and counts it. */
  take(request: LimiterRequest): Promise<RateLimitDecision>;
  /** What is known of a bucket now, without asking: for answers that cannot wait. */
  peek(bucket: string, quota: Quota): RateLimitDecision;
  /** How many decisions the shared store and this process alone have made, and how often the store was lost. */
  readonly counts: Readonly<Record<'shared' | 'local' | 'outages' | 'refused' | 'banned', number>>;
  close(): void;
}

export function createLimiter({ store, log, now = Date.now, instances = 1, timeoutMs }: LimiterOptions): Limiter {
  // How far the store's clock is ahead of ours, in ms: its clock decides when a window or a ban ends.
  let ahead = 0;
  const clock = () => now() + ahead;
  const counters = createCounterFallback({ store, log, now: clock, instances, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const bans = createBanCache(store, log, clock);
  const known = new Map<string, Windows>();
  const counts = { refused: 0, banned: 0 };

  const peek = (bucket: string, quota: Quota): RateLimitDecision => {
    const moment = clock();
    return toDecision({ ...(known.get(bucket) ?? EMPTY_WINDOWS), admitted: true, now: moment }, 0, quota);
  };

  return {
    peek,
    get counts() {
      return { ...counters.counts, ...counts };
    },

    async take({ key, arrivedAt = performance.now(), ...ask }) {
      const { bucket, cost, quota } = ask;
      const before = key && bans.of(key, clock());
      // What costs nothing is answered to a banned key too: it tells when the ban ends.
      if (before !== undefined && cost > 0) {
        counts.banned += 1;
        return toBannedDecision(peek(bucket, quota), before, clock());
      }
      const taken = await counters.take(ask);
      if (taken.changes !== undefined) ahead = taken.now - now();
      setBounded(known, bucket, { minute: taken.minute, day: taken.day }, MAX_CACHED_BUCKETS);
      const decision = toDecision(taken, cost, quota);
      await bans.refreshIfChanged(taken.changes);
      const struck = key && !taken.admitted && taken.sentAt !== undefined;
      const ban = key && (bans.of(key, taken.now) ?? (struck ? await strike(key, decision, taken.sentAt - arrivedAt, quota) : undefined));
      if (!taken.admitted) counts.refused += 1;
      if (ban === undefined) return decision;
      return cost > 0 ? toBannedDecision(decision, ban, taken.now) : { ...decision, ban };
    },

    close() {
      counters.close();
      bans.close();
    },
  };

  async function strike(key: ApiKeyRef, { now: refusedAt, retryAfter = 1 }: RateLimitDecision, age: number, { minute }: Quota) {
    const refusal = { arrivedAt: refusedAt - Math.max(0, age), refusedAt, retryAt: refusedAt + retryAfter * 1000, limit: minute };
    try {
      const ban = await store.recordRefusal(key, refusal);
      if (ban !== undefined) bans.add(ban);
      return ban;
    } catch (error) {
      // The request is refused anyway; that it came early is not remembered.
      log.warn({ err: error }, 'a strike could not be stored');
      return undefined;
    }
  }
}
