/** The counters of this process: for each bucket the last result of the store, and what was admitted since without the store. */
import type { BoundedCache } from '../bounded-cache.ts';
import {
  charge,
  clampWindows,
  EMPTY_WINDOWS,
  usedAt,
  WINDOW_MS,
  WINDOW_NAMES,
  type Charge,
  type RateLimitRequest,
  type RateLimitResult,
  type Window,
  type WindowName,
  type Windows,
} from '../windows.ts';

/** Buckets that may have pending counts; beyond them the oldest is dropped, and its pending counts are lost. */
const MAX_UNRECONCILED = 100_000;

/** What is known of a bucket. */
export interface Bucket {
  /** The last result of the store, and its clock then. */
  minute: Window;
  day: Window;
  now: number;
  /** Admitted since, and not known to be counted by the store. */
  pending: Windows;
  /** Counted by the store late, although it was refused here. */
  overcount: Windows;
}

export interface LocalCharge extends Charge {
  readonly pending: Windows;
  readonly overcount: Windows;
}

export class LocalCounters {
  readonly #buckets: BoundedCache<Bucket>;
  readonly #instances: number;
  /** Buckets with pending counts or an overcount. */
  readonly #unreconciled = new Map<string, Bucket>();

  /** @param buckets with the results of the store. @param instances how many share what is left. */
  constructor(buckets: BoundedCache<Bucket>, instances: number) {
    this.#buckets = buckets;
    this.#instances = instances;
  }

  /** Decides without the store. The windows of the result say what this instance would still admit. */
  take(request: RateLimitRequest, now: number): RateLimitResult {
    const { bucket: name, cost, quota } = request;
    const bucket = this.bucketOf(name);
    Object.assign(bucket, clampWindows(bucket, now));
    bucket.pending = clampWindows(bucket.pending, now);
    const left = { minute: this.#leftAlone(bucket, 'minute', request, now), day: this.#leftAlone(bucket, 'day', request, now) };
    const admitted = cost === 0 || WINDOW_NAMES.every((window) => left[window] >= cost);
    const counted = admitted ? cost : 0;
    const endOf = (window: WindowName): number => {
      const { ends } = [bucket[window], bucket.pending[window]].find(({ ends }) => ends > now) ?? { ends: 0 };
      return ends > 0 || counted === 0 ? ends : now + WINDOW_MS[window];
    };
    const ends = { minute: endOf('minute'), day: endOf('day') };
    if (counted > 0) {
      const added = { minute: { used: counted, ends: ends.minute }, day: { used: counted, ends: ends.day } };
      this.#update(name, bucket, charge(bucket.pending, added, now), bucket.overcount);
    }
    const window = (which: WindowName): Window => ({ used: quota[which] - (left[which] - counted), ends: ends[which] });
    return { minute: window('minute'), day: window('day'), admitted, now };
  }

  /** Reconciles a request that was decided here because the store answered late, and that the store has counted too. */
  reconcileLate({ bucket: name, cost }: RateLimitRequest, late: RateLimitResult): void {
    const bucket = this.bucketOf(name);
    const counted = (window: WindowName) => Math.min(cost, usedAt(bucket.pending[window], late.now));
    const negative = (window: WindowName): Window => ({ used: -counted(window), ends: late[window].ends });
    const beyond = (window: WindowName): Window => ({ used: cost - counted(window), ends: late[window].ends });
    const pending = charge(bucket.pending, { minute: negative('minute'), day: negative('day') }, late.now);
    this.#update(name, bucket, pending, charge(bucket.overcount, { minute: beyond('minute'), day: beyond('day') }, late.now));
  }

  /** Up to `max` charges to send to the store. Windows that have ended are left out. */
  charges(max: number, now: number): LocalCharge[] {
    const charges: LocalCharge[] = [];
    for (const [name, { pending, overcount }] of this.#unreconciled) {
      const sum = (window: WindowName): Window => ({
        used: usedAt(pending[window], now) - usedAt(overcount[window], now),
        ends: Math.min(Math.max(pending[window].ends, overcount[window].ends), now + WINDOW_MS[window]),
      });
      if (charges.push({ bucket: name, minute: sum('minute'), day: sum('day'), pending, overcount }) >= max) break;
    }
    return charges;
  }

  reconcile(charges: readonly LocalCharge[], now: number): void {
    for (const charged of charges) {
      const bucket = this.#unreconciled.get(charged.bucket);
      if (bucket === undefined) continue;
      const minute = afterCharge(bucket.pending.minute, bucket.overcount.minute, charged.pending.minute, charged.overcount.minute);
      const day = afterCharge(bucket.pending.day, bucket.overcount.day, charged.pending.day, charged.overcount.day);
      Object.assign(bucket, charge(bucket, charged, now));
      this.#update(charged.bucket, bucket, { minute: minute.pending, day: day.pending }, { minute: minute.overcount, day: day.overcount });
    }
  }

  get unreconciledCount(): number {
    return this.#unreconciled.size;
  }

  /** One with pending counts is kept although the cache has dropped it. */
  bucketOf(name: string): Bucket {
    let bucket = this.#buckets.get(name) ?? this.#unreconciled.get(name);
    if (bucket === undefined) {
      bucket = { ...EMPTY_WINDOWS, now: 0, pending: EMPTY_WINDOWS, overcount: EMPTY_WINDOWS };
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  /**
   * How much of a window this instance may still admit alone: its part of what the store had left, less what it has admitted
   * since. Instances with the same last result of the store together admit exactly what was left. At least one request is
   * admitted if there is room for it, however many instances there are.
   */
  #leftAlone(bucket: Bucket, name: WindowName, { cost, quota }: RateLimitRequest, now: number): number {
    const left = quota[name] - usedAt(bucket[name], now);
    const needed = Math.max(cost, 1);
    const part = left < needed ? 0 : Math.max(needed, Math.floor(left / this.#instances));
    return part - usedAt(bucket.pending[name], now);
  }

  #update(name: string, bucket: Bucket, pending: Windows, overcount: Windows): void {
    bucket.pending = pending;
    bucket.overcount = overcount;
    if (!WINDOW_NAMES.some((window) => pending[window].used > 0 || overcount[window].used > 0)) return void this.#unreconciled.delete(name);
    this.#unreconciled.set(name, bucket);
    if (this.#unreconciled.size > MAX_UNRECONCILED) this.#unreconciled.delete(this.#unreconciled.keys().next().value ?? '');
  }
}

/**
 * What is pending of a window after a charge; one that was opened since is not changed. What the store has counted late while it
 * was being charged with the same is counted twice: that becomes overcount.
 */
function afterCharge(
  pending: Window,
  overcount: Window,
  chargedPending: Window,
  chargedOvercount: Window,
): { pending: Window; overcount: Window } {
  const pendingLeft = pending.ends === chargedPending.ends ? pending.used - chargedPending.used : pending.used;
  const overcountLeft = overcount.ends === chargedOvercount.ends ? Math.max(0, overcount.used - chargedOvercount.used) : overcount.used;
  return {
    pending: { used: Math.max(0, pendingLeft), ends: pending.ends },
    overcount: pendingLeft < 0 ? { used: overcountLeft - pendingLeft, ends: pending.ends } : { used: overcountLeft, ends: overcount.ends },
  };
}
