/** Counters in the memory of this process: for one instance, for outages of the shared store, and for tests. */
import type { CounterStore } from './counter-store.ts';
import { EMPTY_WINDOWS, take, type RateLimitRequest, type RateLimitResult, type Windows } from './windows.ts';

/** Some tens of megabytes; beyond them the oldest bucket is removed. */
const MAX_BUCKETS = 100_000;

/** @param now ms since the epoch. */
export function createMemoryCounters(now: () => number = Date.now) {
  const buckets = new Map<string, Windows>();
  return {
    take: (request: RateLimitRequest): RateLimitResult => {
      const result = take(buckets.get(request.bucket) ?? EMPTY_WINDOWS, request, now());
      if (result.admitted && request.cost > 0) setBounded(buckets, request.bucket, { minute: result.minute, day: result.day }, MAX_BUCKETS);
      return result;
    },
    clear: () => buckets.clear(),
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

/** Sets an entry, and deletes the least recently set one if there are more than `maxSize`. */
export function setBounded<T>(map: Map<string, T>, key: string, value: T, maxSize: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > maxSize) map.delete(map.keys().next().value ?? '');
}
