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
import type { Log } from '../../ops/log/logger.ts';
import { SlottedSet } from '../../ops/slotted-set.ts';
import type { Exchange, Step } from '../exchange.ts';
import { LookUpShare } from './look-up-share.ts';
import { Refusals } from './refusals.ts';
import type { WhileReading } from '../body/read-body.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { Ticket } from './ticket.ts';

type RequestTicket = Ticket<Exchange>;

/** How long the queue may be, and how long a request may wait in it, in proportion to the deadline of requests. */
const QUEUE_SHARE = 0.4;
const MAX_WAIT_SHARE = 0.5;

export interface AdmissionCounts {
  /** Requests that run now, and how many may. */
  readonly running: number;
  readonly limit: number;
  readonly waiting: number;
  /** Those of the running ones that were answered at their deadline, while their work goes on. */
  readonly expired: number;
  /** Those that were refused, and whose answer waits because their client came again too early. */
  readonly held: number;
  /** Requests that were refused since the start. */
  readonly refused: number;
}

export interface Admission {
  /** The first step of an operation: a free slot, or else a look at who has the queue. @throws AppError service_unavailable */
  readonly admit: () => Step<'ticket'>;
  /** After authentication: waits for a slot, if there was none. @throws AppError service_unavailable */
  readonly acquireSlot: Step;
  /** A client that is still sending its request has no slot meanwhile. @throws AppError service_unavailable, by its end */
  readonly whileReading: WhileReading;
  /** Gives a request a slot back, whose handler has waited for its client: at once, though there be no free one, as it is admitted. */
  readonly resume: (exchange: Exchange) => void;
  /**
   * When the deadline of a request has passed. Its slot is counted until its work ends: given back at once, it would let any number of
   * handlers run that no client waits for (Envoy and Netflix's limiters count as here).
   */
  readonly expire: (exchange: Exchange) => void;
  /** When a request was answered and its work has ended. */
  readonly release: (exchange: Exchange) => void;
  readonly counts: AdmissionCounts;
}

export interface AdmissionOptions {
  readonly requestTimeoutMs: number;
  readonly rateLimit: Pick<RateLimit, 'addressOf' | 'bucketOf'>;
  readonly log: Pick<Log, 'warn'>;
}

export function createAdmission({ requestTimeoutMs, rateLimit, log }: AdmissionOptions): Admission {
  const limit = new ConcurrencyLimit();
  const running = new SlottedSet<RequestTicket>();
  const queue = new FairQueue<Exchange>();
  /** Requests without a slot whose caller is being looked up. */
  const lookUps = new LookUpShare();
  let expired = 0;
  const refusals = new Refusals({
    requestTimeoutMs,
    keyOf: (exchange) => keyOf(exchange),
    log,
    state: () => ({ running: running.size, expired, limit: limit.value, waiting: queue.size }),
  });

  function refuse(exchange: Exchange): Promise<never> {
    (exchange.ticket as RequestTicket).state = 'ended';
    return refusals.refuse(exchange);
  }

  /** A key may have as much work in the queue as it leaves room (dynamic thresholds, Choudhury and Hahne 1998). */
  function hasRoomFor(workOfKey: number): boolean {
    // No time is known at which the slots of expired requests will be free.
    return workOfKey < (limit.value - expired) * requestTimeoutMs * QUEUE_SHARE - queue.work;
  }

  const isLate = (since: number, now: number): boolean => now - since > requestTimeoutMs * MAX_WAIT_SHARE;

  /** While requests wait all slots are taken: one that is given back goes to the next of them. */
  const hasFreeSlot = () => running.size < limit.value;

  function start(ticket: RequestTicket, since = performance.now()): void {
    ticket.state = 'running';
    ticket.since = since;
    running.add(ticket);
  }

  const keyOf = (exchange: Exchange): string => {
    const ticket = exchange.ticket as RequestTicket;
    if (exchange.caller === undefined) return rateLimit.addressOf(exchange);
    return (ticket.key ??= rateLimit.bucketOf(exchange));
  };

  function hasSlot(key: string): boolean {
    return running.list().some((other) => keyOf(other.exchange) === key);
  }

  /** @param since when it has begun to wait. */
  function startOrWait(exchange: Exchange, since: number): void | Promise<void> {
    const ticket = exchange.ticket as RequestTicket;
    if (hasFreeSlot()) return start(ticket);
    const key = keyOf(exchange);
    const work = queue.workOf(key);
    // A few more slots for those who have none: they do not wait until one of another account's requests ends.
    if (running.size < limit.value * 1.25 && work === 0 && !hasSlot(key)) return start(ticket);
    if (isLate(since, performance.now()) || !hasRoomFor(work)) return refuse(exchange);
    ticket.state = 'waiting';
    ticket.since = since;
    queue.push(key, exchange, ticket.durations.recent);
    return new Promise((resolve, reject) => (ticket.resume = { resolve, reject }));
  }

  function fillSlots(now: number): void {
    while (running.size < limit.value) {
      const exchange = queue.shift();
      if (exchange === undefined) return;
      const ticket = exchange.ticket as RequestTicket;
      if (ticket.state !== 'waiting') continue;
      if (isLate(ticket.since, now) || exchange.response.destroyed) {
        ticket.state = 'ended';
        ticket.resume?.reject(refusals.errorOf(exchange));
        continue;
      }
      start(ticket);
      ticket.resume?.resolve();
    }
  }

  function releaseSlot(ticket: RequestTicket, now: number): void {
    running.delete(ticket);
    if (queue.size > 0) fillSlots(now);
  }

  const record = ({ durations, since }: RequestTicket, now: number) =>
    limit.record(durations, now - since, running.size - 1, queue.size > 0, now);

  function expire({ ticket }: Exchange): void {
    if (ticket?.state === 'waiting') {
      ticket.state = 'ended';
      // No further step runs.
      ticket.resume?.resolve();
    } else if (ticket?.state === 'running') {
      ticket.state = 'expired';
      expired++;
      // The queue is to be short by now, not when the work has ended.
      record(ticket, performance.now());
    }
  }

  function release(exchange: Exchange): void {
    const { ticket } = exchange;
    if (ticket === undefined) return;
    const { state } = ticket;
    ticket.state = 'ended';
    if (state === 'authenticating') return lookUps.leave(rateLimit.addressOf(exchange));
    if (state !== 'running' && state !== 'expired') return;
    const now = performance.now();
    if (state === 'running') record(ticket, now);
    else expired--;
    releaseSlot(ticket, now);
  }

  return {
    admit: () => {
      const durations = newDurations();
      return (exchange) => {
        const ticket = (exchange.ticket = new Ticket(exchange, durations));
        if (hasFreeSlot()) return start(ticket, exchange.arrivedAt);
        if (!lookUps.enter(rateLimit.addressOf(exchange))) return refuse(exchange);
      };
    },
    acquireSlot: (exchange) => {
      const ticket = exchange.ticket as RequestTicket;
      if (ticket.state !== 'authenticating') return;
      lookUps.leave(rateLimit.addressOf(exchange));
      return startOrWait(exchange, exchange.deadline - requestTimeoutMs);
    },
    whileReading: {
      begin: (exchange) => {
        const ticket = exchange.ticket as RequestTicket;
        if (ticket.state === 'expired') return;
        ticket.state = 'ended';
        releaseSlot(ticket, performance.now());
      },
      end: (exchange) => (exchange.ticket?.state === 'expired' ? undefined : startOrWait(exchange, performance.now())),
    },
    resume: ({ ticket }) => {
      if (ticket !== undefined && ticket.state !== 'expired') start(ticket);
    },
    expire,
    release,
    get counts() {
      const { held, refused } = refusals;
      return { running: running.size, limit: limit.value, waiting: queue.size, expired, held, refused };
    },
  };
}
