/** Counters of this process alone: for when the shared store does not answer, and for tests. */
import type { CounterStore } from './counter-store.ts';
import { EMPTY_WINDOWS, take, type RateLimitRequest, type RateLimitResult, type Windows } from './windows.ts';

/** As many buckets as fit in some tens of megabytes; beyond them the oldest is forgotten. */
const MAX_BUCKETS = 100_000;

/** @param now ms since the epoch. */
export function createMemoryCounters(now: () => number = Date.now) {
  const buckets = new Map<string, Windows>();
  return {
    take: (ask: RateLimitRequest): RateLimitResult => {
      const taken = take(buckets.get(ask.bucket) ?? EMPTY_WINDOWS, ask, now());
      if (taken.admitted && ask.cost > 0) setBounded(buckets, ask.bucket, { minute: taken.minute, day: taken.day }, MAX_BUCKETS);
      return taken;
    },
    /** Forgets everything. */
    clear: () => buckets.clear(),
  };
}

/** A store that is only this process's: for one instance alone, and for tests. It knows no bans. */
export function createMemoryStore(): CounterStore {
  const counters = createMemoryCounters();
  return {
    take: async (ask) => ({ ...counters.take(ask), changes: 0, sentAt: performance.now() }),
    recordRefusal: async () => undefined,
    bans: async () => ({ changes: 0, now: Date.now(), bans: [] }),
  };
}

export type MemoryCounters = ReturnType<typeof createMemoryCounters>;

/** Keeps an entry, and forgets the one that has not been written for longest if there are more than `most`. */
export function setBounded<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? '');
}
