/**
 * Pipeline steps: bound how many requests run at once; beyond that a short queue, fair to each account; beyond that 503 at once.
 *
 * The bound is adaptive (`concurrency-limit.ts`). The queue is bounded by time, not by length: what waits in it, by the recent
 * durations of its operations, may be what the server does in a part of the deadline of a request. So an admitted request is served in
 * time, and a database that has stopped shortens the queue to nothing. CoDel, which drops what has waited for long, would let
 * clients wait before it refuses them; here nearly all are refused on arrival, before the body is read.
 *
 * While slots are free this costs a comparison and an entry in a list; shares are counted only when requests have to wait.
 */
import { ConcurrencyLimit, newDurations } from './concurrency-limit.ts';
import { FairQueue } from './fair-queue.ts';
import type { Log } from '../../log/logger.ts';
import { SlottedSet } from '@specwright/contract/runtime';
import type { Exchange, Step } from '../exchange.ts';
import { Refusals } from './refusals.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { Ticket } from './ticket.ts';

// Bounds how many callers are looked up at once for requests without a slot: an address has no more of them than it leaves.

/** Cached callers take no time; look-ups of unknown keys are limited separately. */
const MAX_LOOK_UPS = 2000;

class LookUpShare {
  readonly #byAddress = new Map<string, number>();
  #count = 0;

  /** @returns whether there is room for one more. */
  enter(address: string): boolean {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= MAX_LOOK_UPS - this.#count) return false;
    this.#byAddress.set(address, count + 1);
    this.#count++;
    return true;
  }

  leave(address: string): void {
    const count = (this.#byAddress.get(address) ?? 1) - 1;
    this.#count--;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}

type RequestTicket = Ticket<Exchange>;

/** How long the queue may be, and how long a request may wait in it, in proportion to the deadline of requests. */
const QUEUE_SHARE = 0.4;
const MAX_WAIT_SHARE = 0.5;

export interface AdmissionOptions {
  readonly requestTimeoutMs: number;
  readonly rateLimit: Pick<RateLimit, 'addressOf' | 'bucketOf'>;
  readonly log: Pick<Log, 'warn'>;
}

export class Admission {
  readonly #requestTimeoutMs: number;
  readonly #rateLimit: AdmissionOptions['rateLimit'];
  readonly #limit = new ConcurrencyLimit();
  readonly #running = new SlottedSet<RequestTicket>();
  readonly #queue = new FairQueue<Exchange>();
  /** Requests without a slot whose caller is being looked up. */
  readonly #lookUps = new LookUpShare();
  readonly #refusals: Refusals;
  #expired = 0;

  constructor({ requestTimeoutMs, rateLimit, log }: AdmissionOptions) {
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#rateLimit = rateLimit;
    this.#refusals = new Refusals({
      requestTimeoutMs,
      keyOf: (exchange) => this.#keyOf(exchange),
      log,
      state: () => ({ running: this.#running.size, expired: this.#expired, limit: this.#limit.value, waiting: this.#queue.size }),
    });
  }

  /** `expired`: answered at their deadline, while their work goes on. `held`: refused, and told so later, as they came again too early. */
  get counts() {
    const { held, refused } = this.#refusals;
    const [running, waiting] = [this.#running.size, this.#queue.size];
    return { running, limit: this.#limit.value, waiting, expired: this.#expired, held, refused };
  }

  get room(): number {
    return this.#limit.value - this.#running.size - this.#queue.size;
  }

  /** The first step of an operation: takes a free slot, or looks at who has the queue. @throws AppError service_unavailable */
  admit(): Step<'ticket'> {
    const durations = newDurations();
    return (exchange) => {
      const ticket = (exchange.ticket = new Ticket(exchange, durations));
      if (this.#hasFreeSlot()) return this.#start(ticket, exchange.arrivedAt);
      if (!this.#lookUps.enter(this.#rateLimit.addressOf(exchange))) return this.#refuse(exchange);
    };
  }

  /** After authentication: waits for a slot, if there was none. @throws AppError service_unavailable */
  acquireSlot(exchange: Exchange): void | Promise<void> {
    const ticket = exchange.ticket as RequestTicket;
    if (ticket.state !== 'authenticating') return;
    this.#lookUps.leave(this.#rateLimit.addressOf(exchange));
    return this.#startOrWait(exchange, exchange.deadline - this.#requestTimeoutMs);
  }

  freeSlot({ ticket }: Exchange): void {
    if (ticket === undefined) return;
    ticket.state = 'ended';
    this.#releaseSlot(ticket, performance.now());
  }

  /** Takes a slot again once the body has been received, or waits for one. @throws AppError service_unavailable */
  reacquireSlot(exchange: Exchange): void | Promise<void> {
    return exchange.ticket === undefined ? undefined : this.#startOrWait(exchange, performance.now());
  }

  /** Takes a slot again after the handler waited for its client. May exceed the limit, because the request was already admitted. */
  resume({ ticket }: Exchange): void {
    if (ticket !== undefined) this.#start(ticket);
  }

  /**
   * When the deadline of a request has passed. Its slot is counted until its work ends: given back at once, it would let any number of
   * handlers run that no client waits for (Envoy and Netflix's limiters count as here).
   */
  expire({ ticket }: Exchange): void {
    if (ticket?.state === 'waiting') {
      ticket.state = 'ended';
      // No further step runs.
      ticket.resume?.resolve();
    } else if (ticket?.state === 'running') {
      ticket.state = 'expired';
      this.#expired++;
      // The queue is to be short by now, not when the work has ended.
      this.#record(ticket, performance.now());
    }
  }

  /** When a request was answered and its work has ended. */
  release(exchange: Exchange): void {
    const { ticket } = exchange;
    if (ticket === undefined) return;
    const { state } = ticket;
    ticket.state = 'ended';
    if (state === 'authenticating') return this.#lookUps.leave(this.#rateLimit.addressOf(exchange));
    if (state !== 'running' && state !== 'expired') return;
    const now = performance.now();
    if (state === 'running') this.#record(ticket, now);
    else this.#expired--;
    this.#releaseSlot(ticket, now);
  }

  #start(ticket: RequestTicket, since = performance.now()): void {
    ticket.state = 'running';
    ticket.since = since;
    this.#running.add(ticket);
  }

  /** @param since when it has begun to wait. */
  #startOrWait(exchange: Exchange, since: number): void | Promise<void> {
    const ticket = exchange.ticket as RequestTicket;
    if (this.#hasFreeSlot()) return this.#start(ticket);
    const key = this.#keyOf(exchange);
    const work = this.#queue.workOf(key);
    // Callers without a running request may use up to 25 % extra slots: they do not wait until a request of another account ends.
    if (this.#running.size < this.#limit.value * 1.25 && work === 0 && !this.#hasSlot(key)) return this.#start(ticket);
    if (this.#isLate(since, performance.now()) || !this.#hasRoomFor(work)) return this.#refuse(exchange);
    ticket.state = 'waiting';
    ticket.since = since;
    this.#queue.push(key, exchange, ticket.durations.recent);
    return new Promise((resolve, reject) => (ticket.resume = { resolve, reject }));
  }

  #fillSlots(now: number): void {
    while (this.#running.size < this.#limit.value) {
      const exchange = this.#queue.shift();
      if (exchange === undefined) return;
      const ticket = exchange.ticket as RequestTicket;
      if (ticket.state !== 'waiting') continue;
      if (this.#isLate(ticket.since, now) || exchange.response.destroyed) {
        ticket.state = 'ended';
        ticket.resume?.reject(this.#refusals.errorOf(exchange));
        continue;
      }
      this.#start(ticket);
      ticket.resume?.resolve();
    }
  }

  #releaseSlot(ticket: RequestTicket, now: number): void {
    this.#running.delete(ticket);
    if (this.#queue.size > 0) this.#fillSlots(now);
  }

  #refuse(exchange: Exchange): Promise<never> {
    (exchange.ticket as RequestTicket).state = 'ended';
    return this.#refusals.refuse(exchange);
  }

  /** While requests wait all slots are taken: one that is given back goes to the next of them. */
  #hasFreeSlot(): boolean {
    return this.#running.size < this.#limit.value;
  }

  #hasSlot(key: string): boolean {
    return this.#running.list().some((other) => this.#keyOf(other.exchange) === key);
  }

  /** A key may have as much work in the queue as it leaves room (dynamic thresholds, Choudhury and Hahne 1998). */
  #hasRoomFor(workOfKey: number): boolean {
    // No time is known at which the slots of expired requests will be free.
    return workOfKey < (this.#limit.value - this.#expired) * this.#requestTimeoutMs * QUEUE_SHARE - this.#queue.work;
  }

  #isLate(since: number, now: number): boolean {
    return now - since > this.#requestTimeoutMs * MAX_WAIT_SHARE;
  }

  #keyOf(exchange: Exchange): string {
    const ticket = exchange.ticket as RequestTicket;
    if (exchange.caller === undefined) return this.#rateLimit.addressOf(exchange);
    return (ticket.key ??= this.#rateLimit.bucketOf(exchange));
  }

  #record({ durations, since }: RequestTicket, now: number): void {
    this.#limit.record(durations, now - since, this.#running.size - 1, this.#queue.size > 0, now);
  }
}
