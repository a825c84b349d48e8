/**
 * Bounds how many requests run at once; beyond that a short queue, fair to each account; beyond that 503 at once.
 *
 * The bound is adaptive (`concurrency-limit.ts`). The queue is bounded by time, not by length: what waits in it, by the recent
 * durations of requests, may be what the server does in a part of the deadline of a request. So an admitted request is served in
 * time, and a database that has stopped shortens the queue to nothing. Each caller has its share of that bound even when others fill
 * it: very many callers together may exceed it, and those that have waited for half of their deadline are then refused. CoDel, which
 * drops what has waited for long, would let clients wait before it refuses them; here most are refused on arrival, before the body is read.
 *
 * While slots are free this costs a set's entry; shares are counted only when requests have to wait.
 */
import { type Exchange, NO_SLOT, type OperationLoad, type Sets } from '../exchange.ts';
import type { Step } from '../step.ts';
import { ConcurrencyLimit, MIN_LIMIT } from './concurrency-limit.ts';
import { FairQueue } from './fair-queue.ts';
import { type RefusalOptions, Refusals } from './refusals.ts';

/** How long the queue may be, and how much a request that has waited must have left, in proportion to the deadline of requests. */
const QUEUE_SHARE = 0.4;
const MIN_REST_SHARE = 0.5;
/** Callers without a running request may use so much more than the limit: they do not wait until a request of another one ends. */
const EXTRA_SHARE = 1.25;
/** What a request is taken to last before one has ended, in ms, and the weight of each duration in an average. */
const UNKNOWN_MS = 10;
const WEIGHT = 0.1;
/** As many as run at once on a quiet server, at most. */
const FEW = MIN_LIMIT / 2;

export interface AdmissionOptions extends RefusalOptions {
  /** Called with each request of an operation that finds all slots taken. */
  readonly onFull: () => void;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #limit = new ConcurrencyLimit();
  readonly #queue = new FairQueue<Waiting>();
  readonly #refusals: Refusals;
  /** Those with a slot. */
  readonly #running = new Set<Exchange>();
  /** When a request has last found more than a few running: one that was under way then tells nothing of a quiet server. */
  #busyAt = -1;
  /** How long requests have lasted of late, on average. */
  #recentMs = UNKNOWN_MS;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#refusals = new Refusals(options, () => this.counts);
  }

  /** `expired`: answered at their deadline, while their work goes on. `held`: refused, and told so later, as they came again too early. */
  get counts() {
    const { held, refused } = this.#refusals;
    return { running: this.#running.size, expired: this.#expired, limit: this.#limit.value, waiting: this.#queue.size, held, refused };
  }

  /** How many more requests there is time for; less than one in an overload. */
  get room(): number {
    return this.#limit.value - this.#running.size - this.#queue.size;
  }

  get #expired(): number {
    let count = 0;
    for (const { isExpired } of this.#running) if (isExpired) count++;
    return count;
  }

  /** The first step of an operation: takes a slot if one is free. Else its caller is looked up first, as the queue is fair to callers. */
  admit(): Step<'load' | 'slotSince'> {
    const load: OperationLoad = { quietMs: 0 };
    return (exchange) => {
      exchange.load = load;
      if (this.#running.size < this.#limit.value) this.#start(exchange, exchange.arrivedAt);
      else this.#options.onFull();
    };
  }

  /** Takes a slot, unless the request has one or needs none. @returns a promise if it has to wait. @throws AppError service_unavailable */
  acquire(exchange: Exchange): void | Promise<void> {
    if (exchange.load === undefined || exchange.slotSince !== NO_SLOT) return;
    const now = performance.now();
    if (this.#running.size < this.#limit.value) return this.#start(exchange, now);
    const key = exchange.service.bucketOf(exchange);
    const waiting = this.#queue.lengthOf(key);
    const mayUseMore = waiting === 0 && this.#running.size < this.#limit.value * EXTRA_SHARE;
    if (mayUseMore && !this.#hasSlot(key)) return this.#start(exchange, now);
    if (this.#isLate(exchange, now) || !this.#hasRoomFor(waiting)) return this.#refusals.refuse(exchange);
    return new Promise((resolve, reject) => this.#queue.push(key, { exchange, resolve, reject }));
  }

  /** The client is waited for: the slot is given back, and tells nothing of how long the operation takes. */
  release(exchange: Sets<'slotSince'>): void {
    if (!this.#running.delete(exchange)) return;
    exchange.slotSince = NO_SLOT;
    if (this.#queue.size > 0) this.#fillSlots();
  }

  /** Takes a slot again after the handler waited for its client. May exceed the limit, because the request was already admitted. */
  resume(exchange: Exchange): void {
    if (exchange.load !== undefined) this.#start(exchange, performance.now());
  }

  /**
   * When a request was answered and its work has ended. One whose deadline has passed has its slot until then: given back before, it would
   * let any number of handlers run that no client waits for (Envoy and Netflix's limiters count as here).
   */
  end(exchange: Exchange): void {
    if (exchange.slotSince !== NO_SLOT) this.#record(exchange);
    this.release(exchange);
  }

  #start(exchange: Sets<'slotSince'>, since: number): void {
    exchange.slotSince = since;
    this.#running.add(exchange);
    if (this.#running.size > FEW) this.#busyAt = since;
  }

  #fillSlots(): void {
    const now = performance.now();
    while (this.#running.size < this.#limit.value) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      const { exchange, resolve, reject } = waiting;
      // Answered while it waited: no further step runs.
      if (exchange.phase !== 'waiting') resolve();
      else if (this.#isLate(exchange, now) || exchange.isClosed) reject(this.#refusals.errorOf(exchange));
      else {
        this.#start(exchange, now);
        resolve();
      }
    }
  }

  #hasSlot(key: string): boolean {
    for (const exchange of this.#running) if (exchange.service.bucketOf(exchange) === key) return true;
    return false;
  }

  /**
   * A key may have as much of the queue as it leaves room (dynamic thresholds, Choudhury and Hahne 1998), and an equal share in any case, as
   * if one more key came. When the limit falls, more waits than there is time for: a key that has less than its share is not refused for it.
   *
   * @param waiting its requests.
   */
  #hasRoomFor(waiting: number): boolean {
    // No time is known at which the slots of expired requests will be free.
    const slots = this.#limit.value - this.#expired;
    const before = Math.min(waiting + this.#queue.size, (waiting + 1) * (this.#queue.lines + 1));
    return before * this.#recentMs < slots * this.#options.requestTimeoutMs * QUEUE_SHARE;
  }

  #isLate({ deadline }: Exchange, now: number): boolean {
    return deadline - now < this.#options.requestTimeoutMs * MIN_REST_SHARE;
  }

  #record(exchange: Exchange): void {
    const now = performance.now();
    const ms = now - exchange.slotSince;
    const load = exchange.load as OperationLoad;
    this.#recentMs += (ms - this.#recentMs) * WEIGHT;
    if (this.#queue.size > 0) this.#limit.adapt(load.quietMs, ms, now);
    else if (exchange.slotSince > this.#busyAt) load.quietMs += (ms - load.quietMs) * (load.quietMs === 0 ? 1 : WEIGHT);
  }
}
