/** What this process knows of each bucket: the store's last word, and what was admitted since without the store. */
import { createBoundedCache } from '../bounded-cache.ts';
import {
  charge,
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

/** Some tens of megabytes; beyond them the buckets that were used least recently are forgotten. */
const MAX_BUCKETS = 50_000;
/** How many buckets the store can be charged with; beyond them the one that owed first is forgiven. */
const MAX_DEBTORS = 100_000;

interface Bucket {
  /** The last word of the store, and its clock then. */
  minute: Window;
  day: Window;
  now: number;
  /** What was admitted since, and is not known to be counted by the store. */
  owed: Windows;
  /** What the store has counted late, beyond that: it was refused here. */
  credit: Windows;
}

/** A charge, and what it is made of. */
export interface LocalCharge extends Charge {
  readonly owed: Windows;
  readonly credit: Windows;
}

export type LocalCounters = ReturnType<typeof createLocalCounters>;

/** @param instances how many share the limits. */
export function createLocalCounters(instances: number) {
  const buckets = createBoundedCache<Bucket>(MAX_BUCKETS);
  /** Those that owe the store something. */
  const debtors = new Map<string, Bucket>();

  function bucketOf(name: string): Bucket {
    let bucket = buckets.get(name) ?? debtors.get(name);
    if (bucket === undefined) {
      bucket = { ...EMPTY_WINDOWS, now: 0, owed: EMPTY_WINDOWS, credit: EMPTY_WINDOWS };
      buckets.set(name, bucket);
    }
    return bucket;
  }

  /**
   * How much of a window this instance may still admit alone: its part of what the store had left, less what it has admitted
   * since. Instances that have heard the same word from the store together admit exactly what was left. At least one request
   * is admitted if there is room for it, however many instances there are.
   */
  function leftAlone(bucket: Bucket, name: WindowName, { cost, quota }: RateLimitRequest, now: number): number {
    const left = quota[name] - usedAt(bucket[name], now);
    const needed = Math.max(cost, 1);
    const part = left < needed ? 0 : Math.max(needed, Math.floor(left / instances));
    return part - usedAt(bucket.owed[name], now);
  }

  function update(name: string, bucket: Bucket, owed: Windows, credit: Windows): void {
    bucket.owed = owed;
    bucket.credit = credit;
    if (!WINDOW_NAMES.some((window) => owed[window].used > 0 || credit[window].used > 0)) return void debtors.delete(name);
    debtors.set(name, bucket);
    if (debtors.size > MAX_DEBTORS) debtors.delete(debtors.keys().next().value ?? '');
  }

  return {
    /** Notes what the store has said, unless something later is known. */
    observe(name: string, { minute, day, now }: RateLimitResult): void {
      const bucket = bucketOf(name);
      if (now < bucket.now) return;
      bucket.minute = minute;
      bucket.day = day;
      bucket.now = now;
    },

    /** Decides alone. The windows of the result say what this instance would still admit. */
    take(request: RateLimitRequest, now: number): RateLimitResult {
      const { bucket: name, cost, quota } = request;
      const bucket = bucketOf(name);
      const left = { minute: leftAlone(bucket, 'minute', request, now), day: leftAlone(bucket, 'day', request, now) };
      const admitted = cost === 0 || WINDOW_NAMES.every((window) => left[window] >= cost);
      const counted = admitted ? cost : 0;
      const endOf = (window: WindowName): number => {
        const { ends } = [bucket[window], bucket.owed[window]].find(({ ends }) => ends > now) ?? { ends: 0 };
        return ends > 0 || counted === 0 ? ends : now + WINDOW_MS[window];
      };
      const ends = { minute: endOf('minute'), day: endOf('day') };
      if (counted > 0) {
        const added = { minute: { used: counted, ends: ends.minute }, day: { used: counted, ends: ends.day } };
        update(name, bucket, charge(bucket.owed, added, now), bucket.credit);
      }
      const window = (which: WindowName): Window => ({ used: quota[which] - (left[which] - counted), ends: ends[which] });
      return { minute: window('minute'), day: window('day'), admitted, now };
    },

    /** Notes that the store has counted a request after all, which was decided alone because the answer came late. */
    settleLate({ bucket: name, cost }: RateLimitRequest, late: RateLimitResult): void {
      const bucket = bucketOf(name);
      const settled = (window: WindowName) => Math.min(cost, usedAt(bucket.owed[window], late.now));
      const negative = (window: WindowName): Window => ({ used: -settled(window), ends: late[window].ends });
      const beyond = (window: WindowName): Window => ({ used: cost - settled(window), ends: late[window].ends });
      const owed = charge(bucket.owed, { minute: negative('minute'), day: negative('day') }, late.now);
      update(name, bucket, owed, charge(bucket.credit, { minute: beyond('minute'), day: beyond('day') }, late.now));
    },

    /** Up to `max` charges that the store has to be told of. What has ended is no longer owed. */
    charges(max: number, now: number): LocalCharge[] {
      const charges: LocalCharge[] = [];
      for (const [name, { owed, credit }] of debtors) {
        const sum = (window: WindowName): Window => ({
          used: usedAt(owed[window], now) - usedAt(credit[window], now),
          ends: Math.max(owed[window].ends, credit[window].ends),
        });
        if (charges.push({ bucket: name, minute: sum('minute'), day: sum('day'), owed, credit }) >= max) break;
      }
      return charges;
    },

    /** Notes that the store has counted charges. */
    paid(charges: readonly LocalCharge[], now: number): void {
      for (const paid of charges) {
        const bucket = debtors.get(paid.bucket);
        if (bucket === undefined) continue;
        const minute = afterCharge(bucket.owed.minute, bucket.credit.minute, paid.owed.minute, paid.credit.minute);
        const day = afterCharge(bucket.owed.day, bucket.credit.day, paid.owed.day, paid.credit.day);
        Object.assign(bucket, charge(bucket, paid, now));
        update(paid.bucket, bucket, { minute: minute.owed, day: day.owed }, { minute: minute.credit, day: day.credit });
      }
    },

    /** What is known of a bucket, without counting anything. */
    known: (name: string): Windows => buckets.get(name) ?? EMPTY_WINDOWS,

    /** How many buckets owe something. */
    get owing() {
      return debtors.size;
    },
  };
}

/**
 * What is left of a window after a charge; one that was opened since is not concerned. What the store has counted late while it
 * was being charged with the same is counted twice: that becomes credit.
 */
function afterCharge(owed: Window, credit: Window, paidOwed: Window, paidCredit: Window): { owed: Window; credit: Window } {
  const owedLeft = owed.ends === paidOwed.ends ? owed.used - paidOwed.used : owed.used;
  const creditLeft = credit.ends === paidCredit.ends ? Math.max(0, credit.used - paidCredit.used) : credit.used;
  return {
    owed: { used: Math.max(0, owedLeft), ends: owed.ends },
    credit: owedLeft < 0 ? { used: creditLeft - owedLeft, ends: owed.ends } : { used: creditLeft, ends: credit.ends },
  };
}
