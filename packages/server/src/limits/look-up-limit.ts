/** Limits look-ups of unknown credentials, by address and before they reach the database. */
import { createBoundedCache } from './bounded-cache.ts';
import { toDecision, type RateLimitDecision } from './decision.ts';
import type { Quota } from '@specwright/contract';
import { clampWindows, EMPTY_WINDOWS, take, usedAt, type Windows } from './windows.ts';

const MAX_ADDRESSES = 50_000;

/** Thrown instead of a look-up. */
export class LookUpRefused extends Error {
  readonly decision: RateLimitDecision;

  constructor(decision: RateLimitDecision) {
    super('too many look-ups of unknown credentials');
    this.decision = decision;
  }
}

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

  /** @throws LookUpRefused */
  async function enter(address: Address): Promise<void> {
    for (;;) {
      const most = left(address);
      if (most <= 0) {
        const result = { ...address.failures, admitted: false, now: now() };
        throw new LookUpRefused(toDecision(result, 1, quota, false));
      }
      if (address.underWay < most) break;
      await new Promise<void>((resolve) => address.waiting.push(resolve));
    }
    address.underWay += 1;
  }

  return {
    /** @throws LookUpRefused; what `lookUp` throws, which is no failure. */
    async run<T>(bucket: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
      const address = addressOf(bucket);
      await enter(address);
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
