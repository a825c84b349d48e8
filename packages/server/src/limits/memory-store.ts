/** Counters in the memory of this process: for one instance, for outages of the shared store, and for tests. */
import type { CounterStore } from './counter-store.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { EMPTY_WINDOWS, take, type RateLimitRequest, type RateLimitResult, type Windows } from './windows.ts';

/** Some tens of megabytes; beyond them the bucket that was used least recently is removed. */
const MAX_BUCKETS = 100_000;

/** @param now ms since the epoch. */
export function createMemoryCounters(now: () => number = Date.now) {
  const buckets = createBoundedCache<Windows>(MAX_BUCKETS);
  return {
    take: (request: RateLimitRequest): RateLimitResult => {
      const result = take(buckets.get(request.bucket) ?? EMPTY_WINDOWS, request, now());
      if (result.admitted && request.cost > 0) buckets.set(request.bucket, { minute: result.minute, day: result.day });
      return result;
    },
  };
}

/** A store in the memory of this process: for one instance, and for tests. It has no bans. */
export function createMemoryStore(): CounterStore {
  const counters = createMemoryCounters();
  return {
    take: (request) => ({ ...counters.take(request), changes: 0, sentAt: performance.now() }),
    recordRefusal: async () => undefined,
    bans: async () => ({ changes: 0, now: Date.now(), bans: [] }),
  };
}
