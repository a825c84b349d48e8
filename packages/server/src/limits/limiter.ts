/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { isThenable, type Quota } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import { KnownBans } from './known-bans.ts';
import { type FallbackResult, CounterFallback } from './counters/counter-fallback.ts';
import type { ApiKeyRef, CounterStore } from './counters/counter-store.ts';
import { type Ban, type RateLimitDecision, secondsUntil, toBannedDecision, toDecision } from './decision.ts';
import type { RateLimitRequest } from './windows.ts';

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** ms since the epoch. */
  readonly now?: () => number;
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

export const createLimiter = (options: LimiterOptions): Limiter => new Limiter(options);

export class Limiter {
  readonly #now: () => number;
  readonly #counters: CounterFallback;
  readonly #bans: KnownBans;
  readonly #counts = { refused: 0, banned: 0 };
  /** The store's clock minus ours, in ms: its clock decides when a window or a ban ends. */
  #clockOffset = 0;

  constructor({ store, log, now = Date.now, instances = 1, timeoutMs }: LimiterOptions) {
    this.#now = now;
    const clock = () => this.#clock();
    this.#counters = new CounterFallback({ store, log, now: clock, instances, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    this.#bans = new KnownBans({ store, log, now: clock });
  }

  /** How many decisions the shared store and this process alone have made, and how often the store was lost. */
  get counts(): Readonly<Record<'shared' | 'local' | 'outages' | 'refused' | 'banned', number>> {
    return { ...this.#counters.counts, ...this.#counts };
  }

  /** What is known of a bucket now, without asking: for answers that cannot wait. */
  peek(bucket: string, quota: Quota): RateLimitDecision {
    return toDecision({ ...this.#counters.known(bucket), admitted: true, now: this.#clock() }, 0, quota, false);
  }

  /** Decides about a request and counts it. A promise only if something has to be waited for. */
  take(request: LimiterRequest): RateLimitDecision | Promise<RateLimitDecision> {
    const refusal = this.#bans.active.size === 0 ? undefined : this.#refuseBanned(request);
    if (refusal !== undefined) return refusal;
    const arrivedAt = request.arrivedAt ?? performance.now();
    const taken = this.#counters.take(request);
    return isThenable(taken) ? taken.then((later) => this.#decide(request, later, arrivedAt)) : this.#decide(request, taken, arrivedAt);
  }

  /** How long a key is banned, in s, also by another server. Never rejects: a known ban stays in force while the store does not answer. */
  async bannedFor(key: ApiKeyRef): Promise<number | undefined> {
    await this.#bans.refresh();
    const now = this.#clock();
    const ban = this.#bans.of(key, now);
    return ban && secondsUntil(ban.until, now);
  }

  close(): void {
    this.#counters.close();
    this.#bans.close();
  }

  #clock(): number {
    return this.#now() + this.#clockOffset;
  }

  /** What costs nothing is answered to a banned key too: it says when the ban ends. */
  #refuseBanned({ key, bucket, cost, quota }: LimiterRequest): RateLimitDecision | undefined {
    const now = this.#clock();
    const ban = this.#bans.of(key, now);
    if (ban === undefined || cost === 0) return undefined;
    this.#counts.banned += 1;
    return toBannedDecision(this.peek(bucket, quota), ban, now);
  }

  /** A promise only if bans have to be read, or a strike stored. */
  #decide(request: LimiterRequest, taken: FallbackResult, arrivedAt: number): RateLimitDecision | Promise<RateLimitDecision> {
    const { admitted, changes, now } = taken;
    if (changes !== undefined) this.#clockOffset = now - this.#now();
    const decision = toDecision(taken, request.cost, request.quota, changes !== undefined);
    const areCurrent = changes === undefined || changes === this.#bans.changes;
    if (admitted && areCurrent)
      return this.#bans.active.size === 0 ? decision : withBan(request, decision, this.#bans.of(request.key, now));
    if (!admitted) this.#counts.refused += 1;
    return this.#decideWithBans(request, taken, decision, arrivedAt);
  }

  async #decideWithBans(request: LimiterRequest, taken: FallbackResult, decision: RateLimitDecision, arrivedAt: number) {
    const { key, sentAfter, quota } = request;
    const { admitted, changes, now, sentAt } = taken;
    await this.#bans.refreshIfChanged(changes);
    const ban = this.#bans.of(key, now);
    if (key === undefined || ban !== undefined || admitted || sentAt === undefined) return withBan(request, decision, ban);
    const { retryAfter = 1 } = decision;
    const refusal = { arrivedAt, sentAfter, sentAt, now, retryAfter, limit: quota.minute };
    return withBan(request, decision, await this.#bans.recordRefusal(key, refusal));
  }
}

function withBan({ cost }: LimiterRequest, decision: RateLimitDecision, ban: Ban | undefined): RateLimitDecision {
  if (ban === undefined) return decision;
  return cost > 0 ? toBannedDecision(decision, ban, decision.now) : { ...decision, ban };
}
