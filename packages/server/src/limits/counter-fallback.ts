/** Asks the shared store, and decides alone while it does not answer. */
import { types } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logger.ts';
import type { CounterStore, StoreResult } from './counter-store.ts';
import { createDeadlines } from './deadlines.ts';
import { createMemoryCounters } from './memory-store.ts';
import type { RateLimitRequest, RateLimitResult } from './windows.ts';

/** How long the store may take to answer, and how long after a failure it is tried again, in ms. */
export const STORE_TIMEOUT_MS = 150;
const RETRY_INTERVAL_MS = 250;

export interface FallbackOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
  /** How many instances share the limits: each alone admits its part. */
  readonly instances: number;
  /** How long the store may take, in ms. */
  readonly timeoutMs?: number;
}

/** The rest is known only if the shared store has decided. */
export type FallbackResult = RateLimitResult & Partial<Pick<StoreResult, 'changes' | 'sentAt'>>;

/**
 * Counters that always answer.
 *
 * When the store fails or takes too long, this process decides by itself, at `limit / instances` (at least 1), until the
 * store answers again; its beginning and end are logged, and `counts` says how many were decided how.
 */
export function createCounterFallback({ store, log, now, instances, timeoutMs = STORE_TIMEOUT_MS }: FallbackOptions) {
  const local = createMemoryCounters(now);
  const deadlines = createDeadlines(timeoutMs);
  const counts = { shared: 0, local: 0, outages: 0 };
  let down = false;
  let closed = false;

  function takeLocally({ bucket, cost, quota }: RateLimitRequest): FallbackResult {
    counts.local += 1;
    const part = (limit: number) => Math.max(cost, 1, Math.floor(limit / instances));
    return local.take({ bucket, cost, quota: { minute: part(quota.minute), day: part(quota.day) } });
  }

  function startOutage(error: unknown): void {
    if (down || closed) return;
    down = true;
    counts.outages += 1;
    log.error({ err: error, instances }, 'the store of the rate limits does not answer: limits are counted in this process alone');
    void waitForStore();
  }

  async function waitForStore(): Promise<void> {
    const began = performance.now();
    for (;;) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      if (closed) return;
      try {
        await deadlines.race(store.bans());
        break;
      } catch {
        // Not yet.
      }
    }
    down = false;
    log.info({ ms: performance.now() - began, decided: counts.local }, 'the store of the rate limits answers again');
  }

  const count = (result: StoreResult): FallbackResult => {
    counts.shared += 1;
    return result;
  };

  return {
    counts,
    isDown: () => down,
    /** A promise only if the store gives one. */
    take(request: RateLimitRequest): FallbackResult | Promise<FallbackResult> {
      if (down) return takeLocally(request);
      const result = store.take(request);
      if (!types.isPromise(result)) return count(result);
      return deadlines.race(result).then(count, (error: unknown) => {
        startOutage(error);
        return takeLocally(request);
      });
    },
    close: () => void (closed = true),
  };
}
