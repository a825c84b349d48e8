/** The interface of a store of counters and bans, which all instances of a server share. */
import type { Refusal } from '../strikes.ts';
import type { Charge, RateLimitRequest, RateLimitResult } from '../windows.ts';

export interface ApiKeyRef {
  readonly accountId: number;
  readonly keyId: number;
}

export interface Ban {
  /** ms since the epoch. */
  readonly until: number;
}

export interface ApiKeyBan extends ApiKeyRef, Ban {}

/** The bans in force. `changes` counts the changes of bans: a new number tells an instance to read them again. */
export interface ActiveBans {
  readonly changes: number;
  readonly now: number;
  readonly bans: readonly ApiKeyBan[];
}

/** `sentAt` is when the store was asked, on the clock of `performance.now()`. */
export type StoreResult = RateLimitResult & { readonly changes: number; readonly sentAt: number };

export interface CounterStore {
  take(request: RateLimitRequest): StoreResult | Promise<StoreResult>;
  /** Counts what an instance has admitted while it could not ask, one entry for each bucket. All of it is counted, or nothing. */
  charge(charges: readonly Charge[]): Promise<void>;
  /** Records a refusal. @returns the ban, if the key has one now. */
  recordRefusal(key: ApiKeyRef, refusal: Refusal): Promise<ApiKeyBan | undefined>;
  bans(): Promise<ActiveBans>;
}
