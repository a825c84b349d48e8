/**
 * One budget of bytes for the bodies of all requests under way: what is beyond it is not read until others have ended.
 *
 * Bodies pay for what has arrived, in the order in which they began, so that a client that announces much and sends nothing takes nothing
 * from others. The oldest one that is being read has what it still needs kept free, up to half of the budget: so one always gets to its
 * end, and gives back what it has, instead of all of them waiting for each other. A body that is larger than the budget is read alone. Small
 * ones do not wait for large ones, as long as there is room.
 */
import { FrameworkError } from '../../errors.ts';

/** The default budget: 128 MiB. */
export const DEFAULT_BODY_BUDGET_BYTES = 128 * 1024 * 1024;

/** What needs no more does not wait behind what needs more, in bytes. */
const SMALL_BYTES = 256 * 1024;

/** What a request has of the budget. */
export interface BodyLease {
  /** The most that it may have, in bytes. */
  readonly need: number;
  readonly held: number;
}

interface Lease {
  readonly order: number;
  need: number;
  held: number;
}

interface Waiter {
  readonly lease: Lease;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

export class BodyBudget {
  readonly #limit: number;
  readonly #maxWaitMs: number;
  /** The leases of bodies that are being read, the oldest first. */
  readonly #reading = new Set<Lease>();
  /** The oldest first. */
  #waiting: Waiter[] = [];
  #used = 0;
  #count = 0;

  /** @param limit in bytes. @param maxWaitMs how long a body may wait. */
  constructor(limit: number, maxWaitMs: number) {
    this.#limit = limit;
    this.#maxWaitMs = maxWaitMs;
  }

  /** The bytes of all bodies. */
  get used(): number {
    return this.#used;
  }

  /** For a body that begins to be read. @param need the most bytes that it may take. */
  open(need: number): BodyLease {
    const lease: Lease = { order: this.#count++, need, held: 0 };
    this.#reading.add(lease);
    return lease;
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
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        const message = 'too many bytes of bodies are under way; retry in 1 s';
        reject(new FrameworkError('service_unavailable', message, { headers: { 'Retry-After': '1' } }));
        this.#fill();
      }, this.#maxWaitMs).unref();
      const waiter: Waiter = { lease, bytes, resolve, timer };
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
    for (const waiter of this.#waiting.filter(({ lease }) => lease === of)) {
      clearTimeout(waiter.timer);
      waiter.resolve();
    }
    this.#waiting = this.#waiting.filter(({ lease }) => lease !== of);
    this.#keep(of as Lease, 0);
  }

  #keep(lease: Lease, bytes: number): void {
    this.#reading.delete(lease);
    this.#used += bytes - lease.held;
    lease.held = bytes;
    this.#fill();
  }

  #take(lease: Lease, bytes: number): void {
    lease.held += bytes;
    this.#used += bytes;
  }

  #fits(lease: Lease, bytes: number): boolean {
    if (this.#used === lease.held) return true;
    const [oldest = lease] = this.#reading;
    const kept = oldest === lease || isSmall(lease) ? 0 : Math.min(oldest.need - oldest.held, this.#limit / 2);
    return this.#used + bytes + Math.max(0, kept) <= this.#limit;
  }

  #fill(): void {
    if (this.#waiting.length === 0) return;
    let isBlocked = false;
    this.#waiting = this.#waiting.filter((waiter) => {
      const { lease, bytes } = waiter;
      if ((isBlocked && !isSmall(lease)) || !this.#fits(lease, bytes)) return (isBlocked = true);
      clearTimeout(waiter.timer);
      this.#take(lease, bytes);
      waiter.resolve();
      return false;
    });
  }
}

const isSmall = ({ need }: Lease): boolean => need <= SMALL_BYTES;
