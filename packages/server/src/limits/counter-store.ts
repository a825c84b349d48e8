/** What the limits need of a store that all instances share. `packages/accounts/src/counters.ts` and `packages/accounts/src/bans.ts` are one. */
import type { Refusal } from './strikes.ts';
import type { RateLimitRequest, RateLimitResult } from './windows.ts';

/** A key, as bans know it. */
export interface ApiKeyRef {
  readonly accountId: number;
  readonly keyId: number;
}

export interface ApiKeyBan extends ApiKeyRef {
  /** ms since the epoch. */
  readonly until: number;
}

/** `changes` counts what was done to bans: a number that an instance has not seen tells it to read them again. */
export interface ActiveBans {
  readonly changes: number;
  readonly now: number;
  readonly bans: readonly ApiKeyBan[];
}

export interface CounterStore {
  /** Decides one request, exactly, with all other instances. `sentAt` is when it was asked, on the clock of `performance.now()`. */
  take(ask: RateLimitRequest): Promise<RateLimitResult & { readonly changes: number; readonly sentAt: number }>;
  /** Remembers a refusal. @returns the ban, if the key has one now. */
  recordRefusal(key: ApiKeyRef, refusal: Refusal): Promise<ApiKeyBan | undefined>;
  /** The bans that hold. */
  bans(): Promise<ActiveBans>;
}
