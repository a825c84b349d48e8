/** Counters in the memory of this process: for one instance, and for tests. */
import { createBoundedCache } from '../bounded-cache.ts';
import type { CounterStore } from './counter-store.ts';
import { charge, EMPTY_WINDOWS, take, type Windows } from '../windows.ts';

/** Some tens of megabytes; beyond them the bucket that was used least recently is removed. */
const MAX_BUCKETS = 100_000;

/** A store in the memory of this process. It has no bans. @param now ms since the epoch. */
export function createMemoryStore(now: () => number = Date.now): CounterStore {
  const buckets = createBoundedCache<Windows>(MAX_BUCKETS);
  const windowsOf = (bucket: string) => buckets.get(bucket) ?? EMPTY_WINDOWS;
  return {
    take: (request) => {
      const sentAt = performance.now();
      const before = windowsOf(request.bucket);
      const result = take(before, request, now());
      if (result.minute !== before.minute || result.day !== before.day) buckets.set(request.bucket, result);
      const { minute, day, admitted, now: decidedAt } = result;
      return { minute, day, admitted, now: decidedAt, changes: 0, sentAt };
    },
    charge: async (charges) => {
      for (const added of charges) buckets.set(added.bucket, charge(windowsOf(added.bucket), added, now()));
    },
    recordRefusal: async () => undefined,
    bans: async () => ({ changes: 0, now: now(), bans: [] }),
  };
}
