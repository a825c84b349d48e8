/** The leases of this process: renewed while their deliveries are under way; any process frees those that nobody renews. */
import type { Database } from '@specwright/postgres';
import { freeExpiredLeases, renewLeases, type LeasedDelivery } from './queue.ts';

export interface LeaseOptions {
  /** How long a delivery stays leased whose worker does not renew it, in ms. */
  readonly lease: number;
  /** Called with how many leases of workers that have ended were freed. */
  readonly onFreed: (count: number) => void;
}

interface RunningDelivery {
  readonly leased: LeasedDelivery;
  readonly controller: AbortController;
  /** When the statement that has leased or renewed it was sent, on the clock of `performance.now()`, in ms. */
  renewedAt: number;
  /** Aborts the delivery when the lease was not renewed in time. */
  expiry: NodeJS.Timeout;
}

/** Renewed a few times within the lease, so that one statement that fails costs none. */
const RENEWALS_PER_LEASE = 4;
/** The part of the lease after which a delivery that could not be renewed is aborted: before anybody else may start it. */
const ABORT_AFTER = 0.75;

export class Leases {
  readonly #db: Database;
  readonly #lease: number;
  readonly #running = new Set<RunningDelivery>();
  readonly #timers: readonly NodeJS.Timeout[];
  #isInterrupted = false;

  constructor(db: Database, { lease, onFreed }: LeaseOptions) {
    this.#db = db;
    this.#lease = lease;
    this.#timers = [
      every(lease / RENEWALS_PER_LEASE, () => this.#renew()),
      every(lease / RENEWALS_PER_LEASE, async () => {
        const freed = await freeExpiredLeases(db);
        if (freed > 0) onFreed(freed);
      }),
    ];
  }

  /** Whether the worker is being stopped, and has no time left. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /**
   * Makes a delivery, whose lease is renewed meanwhile. `signal` is aborted when the lease is lost, and by `interrupt`.
   *
   * @param leasedAt when the statement that has leased it was sent, on the clock of `performance.now()`, in ms.
   */
  async run(leased: LeasedDelivery, leasedAt: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const running: RunningDelivery = { leased, controller, renewedAt: leasedAt, expiry: this.#expire(controller, leasedAt) };
    if (this.#isInterrupted) abort(running, 'the worker is being stopped');
    this.#running.add(running);
    try {
      await work(controller.signal);
    } finally {
      this.#running.delete(running);
      clearTimeout(running.expiry);
    }
  }

  /** Aborts the deliveries under way, and those that begin from now on. */
  interrupt(): void {
    this.#isInterrupted = true;
    for (const delivery of this.#running) abort(delivery, 'the worker is being stopped');
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #renew(): Promise<void> {
    const began = performance.now();
    const due = [...this.#running].filter(({ renewedAt }) => began - renewedAt > this.#lease / RENEWALS_PER_LEASE / 2);
    if (due.length === 0) return;
    const renewed = await renewLeases(
      this.#db,
      due.map(({ leased }) => leased),
      this.#lease,
    );
    for (const delivery of due) {
      if (!renewed.has(delivery.leased.leasedBy)) abort(delivery, 'its lease is lost');
      else if (this.#running.has(delivery) && began > delivery.renewedAt) {
        delivery.renewedAt = began;
        clearTimeout(delivery.expiry);
        delivery.expiry = this.#expire(delivery.controller, began);
      }
    }
  }

  /** A timer of its own, not a look at each renewal: the next one may come when the lease is over. */
  #expire(controller: AbortController, renewedAt: number): NodeJS.Timeout {
    const left = ABORT_AFTER * this.#lease - (performance.now() - renewedAt);
    return setTimeout(() => abort({ controller }, 'its lease could not be renewed'), Math.max(0, left));
  }
}

const abort = ({ controller }: Pick<RunningDelivery, 'controller'>, reason: string) => controller.abort(new Error(reason));

/** Does something now, and every so many ms. What fails is done the next time. */
function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  const attempt = () => void work().catch(() => undefined);
  attempt();
  return setInterval(attempt, ms);
}
