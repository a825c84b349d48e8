/**
 * Lets admitted work go before requests that arrive while all slots are taken: most of them will wait or be refused, and a turn of the
 * event loop that has hundreds of them would keep the answers of the database waiting. They have a part of the time, and whoever waits
 * for it sends nothing else: TCP pushes back.
 */

import type { AnyStep, ExchangeState } from '../exchange.ts';
import type { Admission } from './admission.ts';

/** The part of the time that they have. */
const SHARE = 1 / 3;
/** What an arrival costs in all, in proportion to what it costs when it is run: reading it, and opening its connection for the first one. */
const COST = 2;
const COST_OF_FIRST = 6;
/** What takes longer, in ms, was interrupted: by the collection of garbage, or by another process. */
const MAX_RUN_MS = 0.1;
/**
 * When the first one has waited for longer, in ms, the last one and the first are run in turn (adaptive LIFO, Maurer 2015): in their order
 * all would be served when it is too late for them.
 */
const LATE_MS = 50;
/** How long they are run at a time, in ms. */
const SLICE_MS = 1;
/** A turn of the event loop that is over sooner, in ms, had no other work: then they need not wait for their part. */
const IDLE_MS = 1;

type Handle = (exchange: ExchangeState, steps: readonly AnyStep[]) => void;

export interface ArrivalOptions<Arrival> {
  readonly run: (arrival: Arrival) => void;
  /** Whether all slots are taken. */
  readonly isSaturated: () => boolean;
  /** Whether it is the first one on its connection. */
  readonly isFirst: (arrival: Arrival) => boolean;
  /** On the clock of `performance.now()`, in ms. */
  readonly arrivedAt: (arrival: Arrival) => number;
}

export class Arrivals<Arrival> {
  readonly #options: ArrivalOptions<Arrival>;
  #waiting: Arrival[] = [];
  /** The index of the first one that waits. */
  #next = 0;
  #isScheduled = false;
  #isLastOneNext = false;
  /** When those that were run have had no more than their part, on the clock of `performance.now()`, in ms. */
  #paidAt = 0;
  /** When others had the event loop last. */
  #yieldedAt = 0;
  readonly #drain = (): void => this.#runSome();

  constructor(options: ArrivalOptions<Arrival>) {
    this.#options = options;
  }

  /** Runs it, at once as long as slots are free, otherwise in its turn. */
  add(arrival: Arrival): void {
    const { run, isSaturated } = this.#options;
    if (this.#next === this.#waiting.length && !isSaturated()) return run(arrival);
    this.#waiting.push(arrival);
    this.#schedule();
  }

  /** After the input that is there now. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#yieldedAt = performance.now();
    setImmediate(this.#drain);
  }

  #take(now: number): Arrival {
    const first = this.#waiting[this.#next] as Arrival;
    this.#isLastOneNext = !this.#isLastOneNext && now - this.#options.arrivedAt(first) > LATE_MS;
    if (this.#isLastOneNext) return this.#waiting.pop() as Arrival;
    this.#next++;
    return first;
  }

  #runSome(): void {
    const { run, isSaturated, isFirst } = this.#options;
    this.#isScheduled = false;
    let now = performance.now();
    if (now - this.#yieldedAt < IDLE_MS) this.#paidAt = Math.min(this.#paidAt, now);
    while (this.#next < this.#waiting.length && this.#paidAt - now < SLICE_MS) {
      const startedAt = now;
      const arrival = this.#take(now);
      const cost = isSaturated() ? (isFirst(arrival) ? COST_OF_FIRST : COST) : 0;
      run(arrival);
      now = performance.now();
      // One that has got a slot is admitted work.
      if (cost > 0) this.#paidAt = Math.max(this.#paidAt, startedAt) + (cost * Math.min(now - startedAt, MAX_RUN_MS)) / SHARE;
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    } else this.#schedule();
  }
}

type Request = Parameters<Handle>;

/** Those of a server. A client that has gone meanwhile is not served. */
export const createArrivals = (handle: Handle, admission: Pick<Admission, 'isSaturated'>): Arrivals<Request> =>
  new Arrivals<Request>({
    run: ([exchange, steps]) => exchange.response.destroyed || handle(exchange, steps),
    isSaturated: () => admission.isSaturated,
    arrivedAt: ([{ arrivedAt }]) => arrivedAt,
    isFirst: ([{ request }]) => request.socket.bytesWritten === 0,
  });
