/** Decides whether a request is admitted: cached bans, counters in the shared store, strikes for ignored Retry-After. */
import { createBanCache } from './ban-cache.ts';
import { toBannedDecision, toDecision, type RateLimitDecision } from './decision.ts';
import type { Log } from '../ops/logger.ts';
import { createCounterFallback } from './counter-fallback.ts';
import { setBounded } from './memory-store.ts';
import type { Quota } from './plans.ts';
import type { ApiKeyRef, CounterStore } from './counter-store.ts';
import { EMPTY_WINDOWS, type RateLimitRequest, type Windows } from './windows.ts';

/** How many buckets' last windows are cached, for responses that cannot wait for the store. */
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
  /** The key that is banned for ignoring Retry-After. None for requests without a valid key. */
  readonly key?: ApiKeyRef | undefined;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt?: number;
}

export interface Limiter {
  /** Decides a request and counts it. */
  take(request: LimiterRequest): Promise<RateLimitDecision>;
  /** The last known state of a bucket, without asking the store: for responses that cannot wait. */
  peek(bucket: string, quota: Quota): RateLimitDecision;
  /** Decisions of the shared store and of this process, outages of the store, refusals by limit and by ban. */
  readonly counts: Readonly<Record<'shared' | 'local' | 'outages' | 'refused' | 'banned', number>>;
  close(): void;
}

/** Creates a limiter. `close` it to end its polling. */
export function createLimiter({ store, log, now = Date.now, instances = 1, timeoutMs }: LimiterOptions): Limiter {
  // The store's clock minus ours, in ms: its clock decides when a window or a ban ends.
  let clockOffset = 0;
  const clock = () => now() + clockOffset;
  const counters = createCounterFallback({ store, log, now: clock, instances, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const bans = createBanCache(store, log, clock);
  const windowsCache = new Map<string, Windows>();
  const counts = { refused: 0, banned: 0 };

  const peek = (bucket: string, quota: Quota): RateLimitDecision => {
    return toDecision({ ...(windowsCache.get(bucket) ?? EMPTY_WINDOWS), admitted: true, now: clock() }, 0, quota);
  };

  return {
    peek,
    get counts() {
      return { ...counters.counts, ...counts };
    },

    async take({ key, arrivedAt = performance.now(), ...request }) {
      const { bucket, cost, quota } = request;
      const cachedBan = key && bans.get(key, clock());
      // A request that is not counted is admitted for a banned key too: it can report the ban.
      if (cachedBan !== undefined && cost > 0) {
        counts.banned += 1;
        return toBannedDecision(peek(bucket, quota), cachedBan, clock());
      }
      const result = await counters.take(request);
      if (result.changes !== undefined) clockOffset = result.now - now();
      setBounded(windowsCache, bucket, { minute: result.minute, day: result.day }, MAX_CACHED_BUCKETS);
      const decision = toDecision(result, cost, quota);
      await bans.refreshIfChanged(result.changes);
      let ban = key && bans.get(key, result.now);
      if (!result.admitted) {
        counts.refused += 1;
        // Only the shared store knows when a request was refused: what this process refuses alone is no strike.
        if (key !== undefined && result.sentAt !== undefined) ban ??= await recordRefusal(key, decision, result.sentAt - arrivedAt, quota);
      }
      if (ban === undefined) return decision;
      return cost > 0 ? toBannedDecision(decision, ban, result.now) : { ...decision, ban };
    },

    close() {
      counters.close();
      bans.close();
    },
  };

  /** @param age how long before the decision the request arrived, in ms. */
  async function recordRefusal(key: ApiKeyRef, { now: refusedAt, retryAfter = 1 }: RateLimitDecision, age: number, { minute }: Quota) {
    const refusal = { arrivedAt: refusedAt - Math.max(0, age), refusedAt, retryAt: refusedAt + retryAfter * 1000, limit: minute };
    try {
      const ban = await store.recordRefusal(key, refusal);
      if (ban !== undefined) bans.add(ban);
      return ban;
    } catch (error) {
      // The request is refused anyway, only its strike is lost.
      log.warn({ err: error }, 'a strike could not be recorded');
      return undefined;
    }
  }
}
