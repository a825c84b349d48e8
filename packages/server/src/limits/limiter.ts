/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { createBanCache } from './ban-cache.ts';
import type { Log } from '../ops/log/logger.ts';
import { createCounterFallback, type FallbackResult } from './counters/counter-fallback.ts';
import { toBannedDecision, toDecision, type Ban, type RateLimitDecision } from './decision.ts';
import { isThenable, type Quota } from '@specwright/contract';
import type { ApiKeyRef, CounterStore } from './counters/counter-store.ts';
import type { Refusal } from './strikes.ts';
import { createStoreClock } from './counters/store-clock.ts';
import type { RateLimitRequest } from './windows.ts';

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
  /** When its client was last told something on its connection, on the same clock: it was sent after that (`Refusal`). */
  readonly sentAfter?: number | undefined;
}

export interface Limiter {
  /** Decides about a request and counts it. A promise only if something has to be waited for. */
  take(request: LimiterRequest): RateLimitDecision | Promise<RateLimitDecision>;
  /** What is known of a bucket now, without asking: for answers that cannot wait. */
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
  const storeClock = createStoreClock();
  const counts = { refused: 0, banned: 0 };

  const peek = (bucket: string, quota: Quota): RateLimitDecision =>
    toDecision({ ...counters.known(bucket), admitted: true, now: clock() }, 0, quota, false);

  return {
    peek,
    get counts() {
      return { ...counters.counts, ...counts };
    },

    take(request) {
      const { key, bucket, cost, quota } = request;
      const ban = key && bans.get(key, clock());
      // What costs nothing is answered to a banned key too: it says when the ban ends.
      if (ban !== undefined && cost > 0) {
        counts.banned += 1;
        return toBannedDecision(peek(bucket, quota), ban, clock());
      }
      const arrivedAt = request.arrivedAt ?? performance.now();
      const taken = counters.take(request);
      return isThenable(taken) ? taken.then((later) => decide(request, later, arrivedAt)) : decide(request, taken, arrivedAt);
    },

    close() {
      counters.close();
      bans.close();
    },
  };

  /** A promise only if bans have to be read, or a strike stored. */
  function decide(request: LimiterRequest, taken: FallbackResult, arrivedAt: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (taken.changes !== undefined) clockOffset = taken.now - now();
    const decision = toDecision(taken, request.cost, request.quota, taken.changes !== undefined);
    if (taken.admitted && bans.isCurrent(taken.changes)) return withBan(request, decision, request.key && bans.get(request.key, taken.now));
    if (!taken.admitted) counts.refused += 1;
    return decideWithBans(request, taken, decision, arrivedAt);
  }

  async function decideWithBans(request: LimiterRequest, taken: FallbackResult, decision: RateLimitDecision, arrivedAt: number) {
    const { key } = request;
    await bans.refreshIfChanged(taken.changes);
    const ban = key && bans.get(key, taken.now);
    const mayStrike = key !== undefined && ban === undefined && !taken.admitted && taken.sentAt !== undefined;
    if (!mayStrike) return withBan(request, decision, ban);
    storeClock.observe(taken.now, taken.sentAt);
    const { retryAfter = 1 } = decision;
    return withBan(
      request,
      decision,
      await recordRefusal(key, {
        arrivedAt: storeClock.at(arrivedAt),
        sentAfter: storeClock.at(request.sentAfter ?? arrivedAt),
        refusedAt: taken.now,
        retryAt: taken.now + retryAfter * 1000,
        limit: request.quota.minute,
      }),
    );
  }

  async function recordRefusal(key: ApiKeyRef, refusal: Refusal): Promise<Ban | undefined> {
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

function withBan({ cost }: LimiterRequest, decision: RateLimitDecision, ban: Ban | undefined): RateLimitDecision {
  if (ban === undefined) return decision;
  return cost > 0 ? toBannedDecision(decision, ban, decision.now) : { ...decision, ban };
}
