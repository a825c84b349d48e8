/** Decides about requests: bans from memory, counters from the shared store, strikes for those who do not wait. */
import { type Quota, inBackground, isThenable } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import { type FallbackResult, CounterFallback } from './counters/counter-fallback.ts';
import type { ApiKeyBan, ApiKeyRef, CounterStore } from './counters/counter-store.ts';
import { type Ban, type RateLimitDecision, secondsUntil, toBannedDecision, toDecision } from './decision.ts';
import type { Refusal } from './strikes.ts';
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
  readonly #store: CounterStore;
  readonly #log: LimiterOptions['log'];
  readonly #now: () => number;
  readonly #counters: CounterFallback;
  readonly #bans: ReturnType<typeof createBanCache>;
  readonly #storeClock = createStoreClock();
  readonly #counts = { refused: 0, banned: 0 };
  /** The store's clock minus ours, in ms: its clock decides when a window or a ban ends. */
  #clockOffset = 0;

  constructor({ store, log, now = Date.now, instances = 1, timeoutMs }: LimiterOptions) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    const clock = () => this.#clock();
    this.#counters = new CounterFallback({ store, log, now: clock, instances, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    this.#bans = createBanCache(store, log, clock);
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
    const { key, bucket, cost, quota } = request;
    const ban = key && this.#bans.get(key, this.#clock());
    // What costs nothing is answered to a banned key too: it says when the ban ends.
    if (ban !== undefined && cost > 0) {
      this.#counts.banned += 1;
      return toBannedDecision(this.peek(bucket, quota), ban, this.#clock());
    }
    const arrivedAt = request.arrivedAt ?? performance.now();
    const taken = this.#counters.take(request);
    return isThenable(taken) ? taken.then((later) => this.#decide(request, later, arrivedAt)) : this.#decide(request, taken, arrivedAt);
  }

  /** How long a key is banned, in s, also by another server. Never rejects: a known ban stays in force while the store does not answer. */
  async bannedFor(key: ApiKeyRef): Promise<number | undefined> {
    await this.#bans.refresh();
    const now = this.#clock();
    const ban = this.#bans.get(key, now);
    return ban && secondsUntil(ban.until, now);
  }

  close(): void {
    this.#counters.close();
    this.#bans.close();
  }

  #clock(): number {
    return this.#now() + this.#clockOffset;
  }

  /** A promise only if bans have to be read, or a strike stored. */
  #decide(request: LimiterRequest, taken: FallbackResult, arrivedAt: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (taken.changes !== undefined) this.#clockOffset = taken.now - this.#now();
    const decision = toDecision(taken, request.cost, request.quota, taken.changes !== undefined);
    if (taken.admitted && this.#bans.isCurrent(taken.changes))
      return withBan(request, decision, request.key && this.#bans.get(request.key, taken.now));
    if (!taken.admitted) this.#counts.refused += 1;
    return this.#decideWithBans(request, taken, decision, arrivedAt);
  }

  async #decideWithBans(request: LimiterRequest, taken: FallbackResult, decision: RateLimitDecision, arrivedAt: number) {
    const { key } = request;
    await this.#bans.refreshIfChanged(taken.changes);
    const ban = key && this.#bans.get(key, taken.now);
    const mayStrike = key !== undefined && ban === undefined && !taken.admitted && taken.sentAt !== undefined;
    if (!mayStrike) return withBan(request, decision, ban);
    this.#storeClock.observe(taken.now, taken.sentAt);
    const { retryAfter = 1 } = decision;
    const refusal = {
      arrivedAt: this.#storeClock.at(arrivedAt),
      sentAfter: this.#storeClock.at(request.sentAfter ?? arrivedAt),
      refusedAt: taken.now,
      retryAt: taken.now + retryAfter * 1000,
      limit: request.quota.minute,
    };
    return withBan(request, decision, await this.#recordRefusal(key, refusal));
  }

  async #recordRefusal(key: ApiKeyRef, refusal: Refusal): Promise<Ban | undefined> {
    try {
      const ban = await this.#store.recordRefusal(key, refusal);
      if (ban !== undefined) this.#bans.add(ban);
      return ban;
    } catch (error) {
      // The request is refused anyway; that it came early is not remembered.
      this.#log.warn({ err: error }, 'a strike could not be stored');
      return undefined;
    }
  }
}

function withBan({ cost }: LimiterRequest, decision: RateLimitDecision, ban: Ban | undefined): RateLimitDecision {
  if (ban === undefined) return decision;
  return cost > 0 ? toBannedDecision(decision, ban, decision.now) : { ...decision, ban };
}

/** Moments of this process by the store's clock, so that those of several processes can be compared. */
function createStoreClock() {
  let offset: number | undefined;
  return {
    /**
     * Notes that the store's clock was `storeNow` (ms since the epoch) at some time between `sentAt`, on the clock of
     * `performance.now()`, and this moment.
     *
     * The offset is changed only as far as what is observed demands: two moments of this process keep their distance, and a
     * moment after an answer is never before what the store said then.
     */
    observe(storeNow: number, sentAt: number): void {
      const least = storeNow - performance.now();
      const most = storeNow - sentAt;
      offset = Math.min(Math.max(offset ?? least, least), most);
    },

    /** @param moment on the clock of `performance.now()`. @returns ms since the epoch. */
    at: (moment: number): number => moment + (offset ?? performance.timeOrigin),
  };
}

const POLL_INTERVAL_MS = 1000;

const cacheKey = ({ accountId, keyId }: ApiKeyRef) => `${accountId}/${keyId}`;

function createBanCache(store: Pick<CounterStore, 'bans'>, log: Pick<Log, 'warn' | 'error'>, now: () => number) {
  let cache = new Map<string, Ban>();
  let lastChanges = -1;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function read(): Promise<void> {
    try {
      const { changes, bans } = await store.bans();
      lastChanges = changes;
      readAt = performance.now();
      cache = new Map(bans.map((ban) => [cacheKey(ban), { until: ban.until }]));
    } catch (error) {
      // The cached bans stay in force. The fallback logs the outage, once.
      log.warn({ err: error }, 'bans of API keys could not be read');
    }
    schedulePoll();
  }

  /** Requests of banned keys do not reach the store, so lifted bans have to be polled. */
  function schedulePoll(): void {
    for (const [key, { until }] of cache) if (until <= now()) cache.delete(key);
    if (cache.size > 0 && !closed) timer ??= setTimeout(poll, POLL_INTERVAL_MS).unref();
  }

  function poll(): void {
    timer = undefined;
    inBackground(readOnce(), log);
  }

  const readOnce = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)));

  return {
    /** @param moment ms since the epoch. */
    get(key: ApiKeyRef, moment: number): Ban | undefined {
      if (cache.size === 0) return undefined;
      const ban = cache.get(cacheKey(key));
      return ban !== undefined && ban.until > moment ? ban : undefined;
    },
    add(ban: ApiKeyBan): void {
      cache.set(cacheKey(ban), { until: ban.until });
      schedulePoll();
    },
    /** Whether `changes` is the number that was last read; `undefined` says nothing. */
    isCurrent: (changes: number | undefined): boolean => changes === undefined || changes === lastChanges,
    async refreshIfChanged(changes: number | undefined): Promise<void> {
      if (changes === undefined || changes === lastChanges) return;
      // A read that is under way may have begun before the change.
      await reading;
      if (changes !== lastChanges) await readOnce();
    },
    async refresh(): Promise<void> {
      if (performance.now() - readAt > POLL_INTERVAL_MS) await readOnce();
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
