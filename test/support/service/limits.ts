/** Rate limits of tests: without limits, with limits that are used up, with the real store; and a clock that can be advanced. */
import { openCounterStore, type PostgresCounterStore } from '@specwright/accounts';
import type { PlanTable, RateLimitOptions } from '@specwright/server';
import { createMemoryStore, type CounterStore } from '@specwright/server/limits';
import type { Caller } from '../../../src/security.ts';

/** Options of the rate limits; the plans are those of the contract if not given. */
export type TestLimits = Partial<RateLimitOptions<Caller>> & Pick<RateLimitOptions<Caller>, 'store'>;

const MANY = { minute: 1_000_000_000, day: 1_000_000_000 };

/** Limits that no test reaches. */
export const UNLIMITED: PlanTable = { plans: { free: MANY, pro: MANY, business: MANY, enterprise: MANY }, address: MANY };

/** A store whose limits are used up. @param banning whether a refusal bans the key. */
export function createEmptyStore(banning = false): CounterStore {
  const store = createMemoryStore();
  return {
    ...store,
    take: async ({ cost, quota }) => {
      const now = Date.now();
      const full = { minute: { used: quota.minute, ends: now + 60_000 }, day: { used: quota.day, ends: now + 86_400_000 } };
      return { ...full, admitted: cost === 0, now, changes: 0, sentAt: performance.now() };
    },
    recordRefusal: async (key) => (banning ? { ...key, until: Date.now() + 900_000 } : undefined),
  };
}

export const unlimited = (): TestLimits => ({ store: createMemoryStore(), plans: UNLIMITED });

export interface Clock {
  /** Advances it by so many seconds. */
  pass(seconds: number): void;
  /** For `openCounterStore`, and for `createServer`. */
  readonly advance: () => number;
  readonly now: () => Date;
}

/** The real clock, which a test can advance. */
export function createClock(): Clock {
  let moved = 0;
  return {
    pass: (seconds) => void (moved += seconds * 1000),
    advance: () => moved,
    now: () => new Date(Date.now() + moved),
  };
}

/** The real store on a test database, and the options that give it to an application. The database has time: the machine may be busy. */
export function realLimits(
  url: string,
  clock: Clock,
): { store: PostgresCounterStore; options: { rateLimit: TestLimits; now: () => Date } } {
  const store = openCounterStore({ url, advance: clock.advance });
  return { store, options: { rateLimit: { store, timeoutMs: 5000 }, now: clock.now } };
}
