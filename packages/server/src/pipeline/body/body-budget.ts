/**
 * One budget of bytes for the bodies of all requests under way: what is beyond it is not read until others have ended.
 *
 * Bodies pay for what has arrived, in the order in which they began, so that a client that announces much and sends nothing takes nothing
 * from others. The oldest one that is being read has what it still needs kept free, up to half of the budget: so one always gets to its
 * end, and gives back what it has, instead of all of them waiting for each other. A body that is larger than the budget is read alone. Small
 * ones do not wait for large ones, as long as there is room beside the rest of the oldest small one.
 *
 * While more than half of the budget is taken, bodies have to arrive at a least rate. A caller may have all of it until a body of another
 * caller has waited: then its youngest bodies are refused until it has half. Clients that share one address thus never wait for a share.
 */
import { bodiesTooLarge } from './body-errors.ts';
import { isSmall, type BodyLease, type Lease } from './body-lease.ts';
import { LeastRate, type Arriving } from './least-rate.ts';

/** The default budget: 128 MiB. */
export const DEFAULT_BODY_BUDGET_BYTES = 128 * 1024 * 1024;
/** The default budget of all temporary files: 1 GiB. */
export const DEFAULT_SPOOL_BUDGET_BYTES = 1024 ** 3;

const MAX_CALLER_PART = 1 / 2;
const BUSY_PART = 1 / 2;
/** Slow bodies are ended before the bodies that wait for them are refused: within this part of the wait. */
const LEAST_RATE_PART = 0.8;
/** After this part of its wait a body takes the place of bodies of a caller with more than its share. */
const SHARE_PART = 0.5;

interface Waiter {
  readonly lease: Lease;
  readonly bytes: number;
  readonly resolve: () => void;
  timer: NodeJS.Timeout;
}

export class BodyBudget {
  /** In bytes. */
  readonly limit: number;
  /** The bodies that are being read: refused if they are too slow while others wait. */
  readonly arriving: LeastRate;
  readonly #maxWaitMs: number;
  readonly #reading = new Set<Lease>();
  /** The oldest first. */
  #waiting: Waiter[] = [];
  /** The bytes of each caller that has some. */
  readonly #ofCallers = new Map<string, number>();
  #used = 0;
  #count = 0;

  /** @param limit in bytes. @param maxWaitMs how long a body may wait. */
  constructor(limit: number, maxWaitMs: number) {
    this.limit = limit;
    this.#maxWaitMs = maxWaitMs;
    this.arriving = new LeastRate(maxWaitMs * LEAST_RATE_PART, () => this.#used > limit * BUSY_PART);
  }

  /** The bytes of all bodies. */
  get used(): number {
    return this.#used;
  }

  /** For a body that begins to be read. @param need the most bytes that it may take; 0 if none are kept free for it. @param caller the bucket of the caller. */
  open(need: number, caller?: string): BodyLease {
    const lease: Lease = { order: this.#count++, caller, need, held: 0, isRefused: false };
    if (need > 0) this.#reading.add(lease);
    return lease;
  }

  /** Takes more bytes if they need not be waited for. */
  tryAcquire(of: BodyLease, bytes: number): boolean {
    const lease = of as Lease;
    if (!this.#fits(lease, bytes)) return false;
    this.#take(lease, bytes);
    return true;
  }

  /**
   * Takes more bytes.
   *
   * @returns a promise if they have to be waited for; it is rejected with AppError service_unavailable if that takes too long.
   */
  acquire(of: BodyLease, bytes: number): void | Promise<void> {
    const lease = of as Lease;
    const [first] = this.#waiting;
    const isNext = first === undefined || lease.order < first.lease.order || isSmall(lease);
    if (isNext && this.#fits(lease, bytes)) return this.#take(lease, bytes);
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(bodiesTooLarge());
        this.#fill();
      };
      const claimShare = () => {
        this.#refuseBeyondShare(lease.caller);
        waiter.timer = setTimeout(refuse, this.#maxWaitMs * (1 - SHARE_PART)).unref();
      };
      const waiter: Waiter = { lease, bytes, resolve, timer: setTimeout(claimShare, this.#maxWaitMs * SHARE_PART).unref() };
      const place = this.#waiting.findLastIndex((other) => other.lease.order < lease.order) + 1;
      this.#waiting.splice(place, 0, waiter);
    });
  }

  /** The body was read: it has what it needs. @param bytes what is kept of it. */
  complete(of: BodyLease, bytes: number): void {
    // Released meanwhile.
    if (!this.#reading.has(of as Lease)) return;
    this.#keep(of as Lease, bytes);
  }

  /** The request has ended, or what it has is gone. */
  release(of: BodyLease): void {
    if (this.#waiting.length > 0) this.#cancel(of);
    this.#keep(of as Lease, 0);
  }

  /** Nothing is waited for any more. */
  #cancel(of: BodyLease): void {
    for (const waiter of this.#waiting.filter(({ lease }) => lease === of)) {
      clearTimeout(waiter.timer);
      waiter.resolve();
    }
    this.#waiting = this.#waiting.filter(({ lease }) => lease !== of);
  }

  #keep(lease: Lease, bytes: number): void {
    this.#reading.delete(lease);
    if (bytes !== lease.held) this.#take(lease, bytes - lease.held);
    if (this.#waiting.length > 0) this.#fill();
  }

  #take(lease: Lease, bytes: number): void {
    lease.held += bytes;
    this.#used += bytes;
    if (lease.caller !== undefined) {
      const ofCaller = (this.#ofCallers.get(lease.caller) ?? 0) + bytes;
      if (ofCaller === 0) this.#ofCallers.delete(lease.caller);
      else this.#ofCallers.set(lease.caller, ofCaller);
    }
    if (bytes > 0) this.arriving.check();
  }

  /** Whether the caller of a body has more than its share. The oldest body gets to its end all the same. */
  #exceedsShare(lease: Lease): boolean {
    const [oldest] = this.#reading;
    return lease !== oldest && (this.#ofCallers.get(lease.caller ?? '') ?? 0) > this.limit * MAX_CALLER_PART;
  }

  /** Refuses the youngest bodies of a caller that has more than its share, until it has no more. @param waiting another caller, which waits. */
  #refuseBeyondShare(waiting: string | undefined): void {
    for (const [caller, held] of this.#ofCallers) {
      let excess = caller === waiting ? 0 : held - this.limit * MAX_CALLER_PART;
      if (excess <= 0) continue;
      const bodies: Arriving[] = this.arriving.bodies().filter(({ lease }) => lease.caller === caller && lease.held > 0);
      for (let body = bodies.pop(); body !== undefined && excess > 0; body = bodies.pop()) {
        excess -= body.lease.held;
        body.refuse(bodiesTooLarge());
      }
    }
  }

  #fits(lease: Lease, bytes: number): boolean {
    if (this.#used === lease.held) return true;
    const [oldest] = this.#reading;
    const kept = Math.max(this.#restOf(this.#oldestSmall(), lease), isSmall(lease) ? 0 : this.#restOf(oldest, lease));
    return this.#used + bytes + kept <= this.limit;
  }

  #oldestSmall(): Lease | undefined {
    for (const lease of this.#reading) if (isSmall(lease)) return lease;
    return undefined;
  }

  /** The bytes that an older body still needs, up to half of the budget. */
  #restOf(older: Lease | undefined, { order }: Lease): number {
    return older === undefined || older.order >= order ? 0 : Math.max(0, Math.min(older.need - older.held, this.limit / 2));
  }

  #fill(): void {
    let isBlocked = false;
    const isContended = new Set(this.#waiting.map(({ lease }) => lease.caller)).size > 1;
    this.#waiting = this.#waiting.filter((waiter) => {
      const { lease, bytes } = waiter;
      // The bodies of other callers go on before it.
      if (isContended && this.#exceedsShare(lease)) return true;
      if ((isBlocked && !isSmall(lease)) || !this.#fits(lease, bytes)) return (isBlocked = true);
      clearTimeout(waiter.timer);
      this.#take(lease, bytes);
      waiter.resolve();
      return false;
    });
  }
}
