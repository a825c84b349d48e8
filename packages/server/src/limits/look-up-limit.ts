/** Limits look-ups of unknown credentials, by address and before they reach the database. */
import { createBoundedCache } from './bounded-cache.ts';
import { toDecision, type RateLimitDecision } from './limiter.ts';
import type { Quota } from '@specwright/contract';
import { clampWindows, EMPTY_WINDOWS, take, usedAt, type Windows } from './windows.ts';

const MAX_ADDRESSES = 50_000;

interface Address {
  failures: Windows;
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Each address may have as many look-ups without a result as it may have requests without credentials: `quota`. It is counted
 * here, by this process alone, so that callers who are found pay nothing and wait for nothing.
 *
 * Look-ups under way count until they end. Those that would be too many only if all of these failed wait for them; so keys that
 * are valid are found, however many come at once from one address.
 *
 * @param now ms since the epoch.
 */
export function createLookUpLimit(quota: Quota, now: () => number) {
  const addresses = createBoundedCache<Address>(MAX_ADDRESSES);

  function addressOf(name: string): Address {
    let address = addresses.get(name);
    if (address === undefined) addresses.set(name, (address = { failures: EMPTY_WINDOWS, underWay: 0, waiting: [] }));
    return address;
  }

  function left(address: Address): number {
    const moment = now();
    const failures = (address.failures = clampWindows(address.failures, moment));
    return Math.min(quota.minute - usedAt(failures.minute, moment), quota.day - usedAt(failures.day, moment));
  }

  /** Those who wait are refused together, or go on one by one. */
  function wake(address: Address): void {
    for (const resolve of address.waiting.splice(0, left(address) > 0 ? 1 : Infinity)) resolve();
  }

  /** Begins a look-up, once it is known whether the address may have another one. @returns whether it may. */
  async function enter(address: Address): Promise<boolean> {
    for (let most = left(address); most > 0; most = left(address)) {
      if (address.underWay < most) {
        address.underWay += 1;
        return true;
      }
      await new Promise<void>((resolve) => address.waiting.push(resolve));
    }
    return false;
  }

  return {
    /** @param refuse called instead of the look-up. @throws what the functions throw; of `lookUp` it is no failure. */
    async run<T>(
      bucket: string,
      lookUp: () => Promise<T | undefined>,
      refuse: (decision: RateLimitDecision) => void,
    ): Promise<T | undefined> {
      const address = addressOf(bucket);
      if (!(await enter(address))) {
        refuse(toDecision({ ...address.failures, admitted: false, now: now() }, 1, quota, false));
        return undefined;
      }
      try {
        const found = await lookUp();
        if (found === undefined) address.failures = take(address.failures, { bucket, cost: 1, quota }, now());
        return found;
      } finally {
        address.underWay -= 1;
        wake(address);
      }
    },
  };
}

export type LookUps = ReturnType<typeof createLookUpLimit>;
