/** Charges the store with what was admitted without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CounterStore } from './counter-store.ts';
import type { LocalCounters } from './local-counters.ts';

/** How many buckets the store is asked for, or charged with, at once: so many fit into one statement. */
export const MAX_BUCKETS_AT_ONCE = 512;

export interface ChargeOptions {
  readonly store: Pick<CounterStore, 'charge'>;
  readonly local: Pick<LocalCounters, 'charges' | 'reconcile'>;
  /** ms since the epoch, as the store would say. */
  readonly now: () => number;
  /** How long the store may take, in ms. */
  readonly timeoutMs: number;
}

/** One charge at a time. */
export function createCharges({ store, local, now, timeoutMs }: ChargeOptions) {
  /** A charge whose outcome is not known yet. It is not repeated before that. */
  let charging: Promise<void> | undefined;
  return {
    isUnderWay: () => charging !== undefined,

    /** Charges some of what is pending, or waits for the charge under way. @throws Error if that has not succeeded in time. */
    async chargeSome(): Promise<void> {
      if (charging === undefined) {
        const charges = local.charges(MAX_BUCKETS_AT_ONCE, now());
        if (charges.length === 0) return;
        charging = store
          .charge(charges)
          .then(() => local.reconcile(charges, now()))
          .finally(() => (charging = undefined));
      }
      await inTime(charging, timeoutMs);
    },
  };
}

export const timeoutError = (ms: number): Error => new Error(`the store of the rate limits has not answered within ${ms} ms`);

/** For the few promises of a recovery: a timer for each. @throws Error if it is still pending after `ms`. */
export async function inTime(promise: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController();
  const late = sleep(ms, undefined, { signal: ended.signal, ref: false }).then(() => Promise.reject(timeoutError(ms)));
  await Promise.race([promise, late]).finally(() => ended.abort());
}
