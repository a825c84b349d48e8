/**
 * Bounds how many requests run at once; beyond that a short queue, fair to each account; beyond that 503 at once.
 *
 * The bound is adaptive (`concurrency-limit.ts`). The queue is bounded by time, not by length: what waits in it, by the recent
 * durations of requests, may be what the server does in a part of the deadline of a request. So an admitted request is served in
 * time, and a database that has stopped shortens the queue to nothing. CoDel, which drops what has waited for long, would let
 * clients wait before it refuses them; here nearly all are refused on arrival, before the body is read.
 *
 * While slots are free this costs a comparison; shares are counted only when requests have to wait.
 */
import type { Log } from '../../log/logger.ts';
import { type Exchange, NO_SLOT, type OperationLoad, type Sets } from '../exchange.ts';
import type { Step } from '../step.ts';
import { averageOf, ConcurrencyLimit, MIN_LIMIT } from './concurrency-limit.ts';
import { FairQueue } from './fair-queue.ts';
import { Refusals } from './refusals.ts';

/** How long the queue may be, and how long a request may wait in it, in proportion to the deadline of requests. */
const QUEUE_SHARE = 0.4;
const MAX_WAIT_SHARE = 0.5;
/** Callers without a running request may use so much more than the limit: they do not wait until a request of another one ends. */
const EXTRA_SHARE = 1.25;

export interface AdmissionOptions {
  readonly requestTimeoutMs: number;
  readonly log: Pick<Log, 'warn'>;
}

/** What a request is taken to last before one has ended, in ms. */
const UNKNOWN_MS = 10;

interface Waiting {
  readonly exchange: Exchange;
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Admission {
  readonly #requestTimeoutMs: number;
  readonly #limit = new ConcurrencyLimit();
  readonly #queue = new FairQueue<Waiting>();
  readonly #refusals: Refusals;
  readonly #expired = new Set<Exchange>();
  #running = 0;
  /** How long requests have lasted of late, on average. */
  #recentMs = UNKNOWN_MS;

  constructor({ requestTimeoutMs, log }: AdmissionOptions) {
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#refusals = new Refusals({ requestTimeoutMs, log, state: () => this.#state });
  }

  /** `expired`: answered at their deadline, while their work goes on. `held`: refused, and told so later, as they came again too early. */
  get counts() {
    return { ...this.#state, held: this.#refusals.held, refused: this.#refusals.refused };
  }

  /** How many more requests there is time for; less than one in an overload. */
  get room(): number {
    return this.#limit.value - this.#running - this.#queue.size;
  }

  get #state() {
    return { running: this.#running, expired: this.#expired.size, limit: this.#limit.value, waiting: this.#queue.size };
  }

  /** The first step of an operation: takes a slot if one is free. Else its caller is looked up first, as the queue is fair to callers. */
  admit(): Step<'load' | 'slotSince'> {
    const load: OperationLoad = { quietMs: 0 };
    return (exchange) => {
      exchange.load = load;
      if (this.#running < this.#limit.value) this.#start(exchange, exchange.arrivedAt);
    };
  }

  /**
   * Takes a slot, unless the request has one or needs none.
   *
   * @param since when it has begun to wait. @param others has the requests whose deadline runs.
   * @returns a promise if it has to wait. @throws AppError service_unavailable
   */
  acquire(exchange: Exchange, since: number, others: { readonly list: () => readonly Exchange[] }): void | Promise<void> {
    if (exchange.load === undefined || exchange.slotSince !== NO_SLOT) return;
    const now = performance.now();
    if (this.#running < this.#limit.value) return this.#start(exchange, now);
    const key = exchange.service.bucketOf(exchange);
    const waiting = this.#queue.lengthOf(key);
    const mayUseMore = waiting === 0 && this.#running < this.#limit.value * EXTRA_SHARE;
    if (mayUseMore && !hasSlot(others.list(), key) && !hasSlot(this.#expired, key)) return this.#start(exchange, now);
    if (this.#isLate(since, now) || !this.#hasRoomFor(waiting)) return this.#refusals.refuse(exchange);
    return new Promise((resolve, reject) => this.#queue.push(key, { exchange, since, resolve, reject }));
  }

  /** The client is waited for: the slot is given back, and tells nothing of how long the operation takes. */
  release(exchange: Sets<'slotSince'>): void {
    if (exchange.slotSince === NO_SLOT) return;
    exchange.slotSince = NO_SLOT;
    this.#running--;
    if (this.#queue.size > 0) this.#fillSlots();
  }

  /** Takes a slot again after the handler waited for its client. May exceed the limit, because the request was already admitted. */
  resume(exchange: Exchange): void {
    if (exchange.load !== undefined) this.#start(exchange, performance.now());
  }

  /**
   * When the deadline of a request has passed. Its slot is counted until its work ends: given back at once, it would let any number of
   * handlers run that no client waits for (Envoy and Netflix's limiters count as here).
   */
  expire(exchange: Exchange): void {
    if (exchange.slotSince === NO_SLOT) return;
    this.#expired.add(exchange);
    // The queue is to be short by now, not when the work has ended.
    this.#record(exchange);
  }

  /** When a request was answered and its work has ended. @param isExpired whether its deadline had passed before. */
  end(exchange: Exchange, isExpired: boolean): void {
    if (exchange.slotSince === NO_SLOT) return;
    if (isExpired) this.#expired.delete(exchange);
    else this.#record(exchange);
    this.release(exchange);
  }

  #start(exchange: Sets<'slotSince'>, since: number): void {
    exchange.slotSince = since;
    this.#running++;
  }

  #fillSlots(): void {
    const now = performance.now();
    while (this.#running < this.#limit.value) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      const { exchange, since, resolve, reject } = waiting;
      // Answered while it waited: no further step runs.
      if (exchange.phase !== 'waiting') resolve();
      else if (this.#isLate(since, now) || exchange.isClosed) reject(this.#refusals.errorOf(exchange));
      else {
        this.#start(exchange, now);
        resolve();
      }
    }
  }

  /** A key may have as much of the queue as it leaves room (dynamic thresholds, Choudhury and Hahne 1998). @param waiting its requests. */
  #hasRoomFor(waiting: number): boolean {
    // No time is known at which the slots of expired requests will be free.
    const slots = this.#limit.value - this.#expired.size;
    return (waiting + this.#queue.size) * this.#recentMs < slots * this.#requestTimeoutMs * QUEUE_SHARE;
  }

  #isLate(since: number, now: number): boolean {
    return now - since > this.#requestTimeoutMs * MAX_WAIT_SHARE;
  }

  #record(exchange: Exchange): void {
    const now = performance.now();
    const ms = now - exchange.slotSince;
    const load = exchange.load as OperationLoad;
    this.#recentMs = averageOf(this.#recentMs, ms);
    if (this.#queue.size > 0) this.#limit.adapt(load.quietMs, ms, now);
    else if ((this.#running - 1) * 2 < MIN_LIMIT) load.quietMs = averageOf(load.quietMs, ms);
  }
}

function hasSlot(exchanges: Iterable<Exchange>, key: string): boolean {
  for (const one of exchanges) if (one.slotSince !== NO_SLOT && one.service.bucketOf(one) === key) return true;
  return false;
}
