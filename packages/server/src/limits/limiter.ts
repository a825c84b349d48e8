/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { types } from 'node:util';
import { createBanCache } from './ban-cache.ts';
import type { Log } from '../ops/logger.ts';
import { createCounterFallback, type FallbackResult } from './counter-fallback.ts';
import { toBannedDecision, toDecision, type Ban, type RateLimitDecision } from './decision.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { Quota } from './plans.ts';
import type { ApiKeyRef, CounterStore } from './counter-store.ts';
import { EMPTY_WINDOWS, type RateLimitRequest, type Windows } from './windows.ts';

/** How many buckets' last windowsCache windows are kept, for answers that cannot wait for the store. */
const MAX_CACHED_BUCKETS = 10_000;

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
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
  /** Decides about a request and counts it. A promise only if something has to be waited for. */
  take(request: LimiterRequest): RateLimitDecision | Promise<RateLimitDecision>;
  /** What is windowsCache of a bucket now, without asking: for answers that cannot wait. */
  peek(bucket: string, quota: Quota): RateLimitDecision;
  /** How many decisions the shared store and this process alone have made, and how often the store was lost. */
  readonly counts: Readonly<Record<'shared' | 'local' | 'outages' | 'refused' | 'banned', number>>;
  close(): void;
}

export function createLimiter({ store, log, now = Date.now, instances = 1, timeoutMs }: LimiterOptions): Limiter {
  // The store's clock minus ours, in ms: its clock decides when a window or a ban ends.
  let clockOffset = 0;
  const clock = () => now() + clockOffset;
  const counters = createCounterFallback({ store, log, now: clock, instances, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const bans = createBanCache(store, log, clock);
  const windowsCache = createBoundedCache<Windows>(MAX_CACHED_BUCKETS);
  const counts = { refused: 0, banned: 0 };

  const peek = (bucket: string, quota: Quota): RateLimitDecision => {
    const moment = clock();
    return toDecision({ ...(windowsCache.get(bucket) ?? EMPTY_WINDOWS), admitted: true, now: moment }, 0, quota);
  };

  return {
    peek,
    get counts() {
      return { ...counters.counts, ...counts };
    },

    take({ key, bucket, cost, quota, arrivedAt = performance.now() }) {
      const standing = key && bans.get(key, clock());
      // What costs nothing is answered to a banned key too: it says when the ban ends.
      if (standing !== undefined && cost > 0) {
        counts.banned += 1;
        return toBannedDecision(peek(bucket, quota), standing, clock());
      }
      const result = counters.take({ bucket, cost, quota });
      return types.isPromise(result)
        ? result.then((taken) => decide(taken, key, bucket, cost, quota, arrivedAt))
        : decide(result, key, bucket, cost, quota, arrivedAt);
    },

    close() {
      counters.close();
      bans.close();
    },
  };

  /** A promise only if bans have to be read, or a strike stored. */
  function decide(
    taken: FallbackResult,
    key: ApiKeyRef | undefined,
    bucket: string,
    cost: number,
    quota: Quota,
    arrivedAt: number,
  ): RateLimitDecision | Promise<RateLimitDecision> {
    if (taken.changes !== undefined) clockOffset = taken.now - now();
    windowsCache.set(bucket, taken);
    const decision = toDecision(taken, cost, quota);
    if (!taken.admitted) counts.refused += 1;
    const withBan = (ban: Ban | undefined): RateLimitDecision => {
      if (ban === undefined) return decision;
      return cost > 0 ? toBannedDecision(decision, ban, taken.now) : { ...decision, ban };
    };
    if (taken.admitted && bans.isCurrent(taken.changes)) return withBan(key && bans.get(key, taken.now));
    return (async () => {
      await bans.refreshIfChanged(taken.changes);
      const standing = key && bans.get(key, taken.now);
      const mayStrike = key !== undefined && standing === undefined && !taken.admitted && taken.sentAt !== undefined;
      return withBan(mayStrike ? await strike(key, decision, (taken.sentAt ?? 0) - arrivedAt, quota) : standing);
    })();
  }

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
