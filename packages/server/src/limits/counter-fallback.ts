/** Counts in the shared store, and in this process while the store does not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryCounters } from './memory-store.ts';
import type { Log } from '../ops/logger.ts';
import type { CounterStore } from './counter-store.ts';
import type { RateLimitRequest, RateLimitResult } from './windows.ts';

/** How long the store may take to answer, and how often it is tried during an outage. */
export const STORE_TIMEOUT_MS = 150;
const RETRY_INTERVAL_MS = 250;

export interface FallbackOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** The clock of the store, in ms since the epoch. */
  readonly now: () => number;
  /** How many instances share the limits: during an outage each admits its part. */
  readonly instances: number;
  /** How long the store may take to answer, in ms. */
  readonly timeoutMs?: number;
}

/** `changes` and `sentAt` are set if the shared store has decided. */
export type FallbackResult = RateLimitResult & { readonly changes?: number; readonly sentAt?: number };

class StoreTimeoutError extends Error {}

/**
 * Creates counters that always answer.
 *
 * When the store fails or times out, this process decides with its own counters, at `limit / instances` (at least 1), until
 * the store answers again. The start and the end of an outage are logged; `counts` has the number of decisions of each kind.
 */
export function createCounterFallback({ store, log, now, instances, timeoutMs = STORE_TIMEOUT_MS }: FallbackOptions) {
  const local = createMemoryCounters(now);
  const counts = { shared: 0, local: 0, outages: 0 };
  let isDown = false;
  let closed = false;

  function takeLocally({ bucket, cost, quota }: RateLimitRequest): FallbackResult {
    counts.local += 1;
    const part = (limit: number) => Math.max(cost, 1, Math.floor(limit / instances));
    return local.take({ bucket, cost, quota: { minute: part(quota.minute), day: part(quota.day) } });
  }

  function startOutage(error: unknown): void {
    if (isDown || closed) return;
    isDown = true;
    counts.outages += 1;
    log.error({ err: error, instances }, 'the rate-limit store does not answer: counting in this process');
    void waitForStore();
  }

  async function waitForStore(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      if (closed) return;
      try {
        await withTimeout(store.bans(), timeoutMs);
        break;
      } catch {
        // The next attempt may succeed.
      }
    }
    isDown = false;
    local.clear();
    log.info({ ms: performance.now() - startedAt, decided: counts.local }, 'the rate-limit store answers again');
  }

  return {
    counts,
    isDown: () => isDown,
    async take(request: RateLimitRequest): Promise<FallbackResult> {
      if (isDown) return takeLocally(request);
      try {
        const result = await withTimeout(store.take(request), timeoutMs);
        counts.shared += 1;
        return result;
      } catch (error) {
        startOutage(error);
        return takeLocally(request);
      }
    },
    close: () => void (closed = true),
  };
}

/** @throws StoreTimeoutError if the promise is still pending after `ms`. */
function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before I/O: after a pause of this process the answer may have arrived already.
      setImmediate(() => reject(new StoreTimeoutError(`no answer within ${ms} ms`)));
    }, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
