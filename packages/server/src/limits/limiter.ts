/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { isThenable, type Quota } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import { KnownBans } from './known-bans.ts';
import { type FallbackResult, CounterFallback } from './counters/counter-fallback.ts';
import type { ApiKeyRef, Ban, CounterStore } from './counters/counter-store.ts';
import { exceededWindows, type RateLimitRequest, type RateLimitResult, type Window, WINDOW_MS, type WindowName } from './windows.ts';

export interface LimiterOptions {
  readonly store: CounterStore;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** ms since the epoch. */
  readonly now?: () => number;
  readonly instances?: number;
  /** How long the store may take to answer, in ms. */
  readonly timeoutMs?: number | undefined;
}

export interface LimiterRequest extends RateLimitRequest {
  /** Whose strikes and bans. None for requests without a valid key. */
  readonly key?: ApiKeyRef | undefined;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt?: number;
  /** When its client was last told something on its connection, on the same clock: it was sent after that (`Refusal`). */
  readonly sentAfter?: number | undefined;
}

export interface RateLimitWindow {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in ms since the epoch. One without requests would end a full length from now. */
  readonly ends: number;
}

export interface RateLimitDecision {
  readonly admitted: boolean;
  /** Whether the store has decided. If not, the windows are what this instance knows, and may admit, alone. */
  readonly isExact: boolean;
  /** ms since the epoch, by the clock that decided. */
  readonly now: number;
  readonly windows: Readonly<Record<WindowName, RateLimitWindow>>;
  /** The window that the headers report: the one with the fewest left, on a tie the longer. */
  readonly reported: WindowName;
  /** In whole seconds, at least 1; only if not admitted. */
  readonly retryAfter?: number;
  readonly ban?: Ban;
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
    this.#counters = new CounterFallback({ store, log, now: clock, instances, timeoutMs });
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

/** Seconds until a moment: at least 1, because a `Retry-After` of 0 invites a retry at once, and at most a day. */
export const secondsUntil = (moment: number, now: number): number => Math.min(86_400, Math.max(1, Math.ceil((moment - now) / 1000)));

export function toDecision(result: RateLimitResult, cost: number, quota: Quota, isExact = true): RateLimitDecision {
  const { admitted, now } = result;
  const windows = {
    minute: toWindow(result.minute, quota.minute, WINDOW_MS.minute, now),
    day: toWindow(result.day, quota.day, WINDOW_MS.day, now),
  };
  const reported: WindowName = windows.minute.remaining < windows.day.remaining ? 'minute' : 'day';
  if (admitted) return { admitted, isExact, now, windows, reported };
  // Of requests that the store decided together, a refused one may fit its last state: the reported window counts then.
  const exceeded = exceededWindows(result, { cost, quota }, now);
  const ends = (exceeded.length > 0 ? exceeded : [reported]).map((name) => windows[name].ends);
  return { admitted, isExact, now, windows, reported, retryAfter: secondsUntil(Math.max(...ends), now) };
}

/** Never a longer wait than the window: the clock may have been set back since it was opened. */
function toWindow({ used, ends }: Window, limit: number, ms: number, now: number): RateLimitWindow {
  const isOpen = ends > now;
  return { limit, remaining: isOpen ? Math.max(0, limit - used) : limit, ends: isOpen ? Math.min(ends, now + ms) : now + ms };
}

/** The decision for a banned key: nothing is left until the ban ends. */
export function toBannedDecision(
  { windows, reported, isExact }: Pick<RateLimitDecision, 'windows' | 'reported' | 'isExact'>,
  ban: Ban,
  now: number,
): RateLimitDecision {
  const exhausted = ({ limit, ends }: RateLimitWindow): RateLimitWindow => ({ limit, remaining: 0, ends: Math.max(ends, ban.until) });
  const all = { minute: exhausted(windows.minute), day: exhausted(windows.day) };
  return { admitted: false, isExact, now, windows: all, reported, retryAfter: secondsUntil(ban.until, now), ban };
}
