/** What the pipeline asks of the limits: whom requests are counted for, and what counts them. Without plans nothing does. */
import type { Contract, HeaderFields, Operation, PlanTable } from '@specwright/contract';
import type { AppError, MetricSource } from '@specwright/contract/runtime';
import type { TrustedProxy } from '../../limits/client-address.ts';
import type { CounterStore } from '../../limits/counters/counter-store.ts';
import type { LimiterRequest } from '../../limits/limiter.ts';
import type { BoundLookUp, Exchange } from '../exchange.ts';
import type { Step } from '../step.ts';

/** Whom a request is counted for: a bucket and its quota, and the key that is banned for ignoring Retry-After. */
export type RateLimitSubject = Pick<LimiterRequest, 'bucket' | 'quota' | 'key'>;

export interface RateLimitOptions<Caller> {
  /** Whom the requests of a caller are counted for: the bucket, the quota, and the key that can be banned. */
  readonly subject: (caller: Caller, plans: PlanTable) => RateLimitSubject;
  /** Where requests are counted. Default: in memory, for one instance. */
  readonly store?: CounterStore;
  /** Plans in place of those of the contract. Default: `x-rate-limit-plans`. */
  readonly plans?: PlanTable;
  /** The proxies whose header names the client: `{ header, hops }`. Default: none. */
  readonly trustProxy?: TrustedProxy | undefined;
  /** How many instances share the store. Default: 1. */
  readonly instances?: number;
  /** How long the store may take to answer, in ms. Default: 150. */
  readonly timeoutMs?: number;
}

export interface RateLimit {
  /** The step of an operation: counts for the caller, or for the address if there is no caller. */
  readonly limit: (operation: Pick<Operation, 'cost'> & { readonly id?: string }) => Step<'rateLimit'> | undefined;
  readonly boundLookUp: BoundLookUp | undefined;
  readonly banOf: (exchange: Exchange) => Promise<AppError | undefined>;
  /** Adds the headers to a response of a request that is not counted: the last known state of the address. */
  readonly addHeaders: (exchange: Exchange) => void;
  /** Counts what never became a request by its address, and adds to the headers of its response. @returns the refusal, if it is refused. */
  readonly countSocket: (socket: { readonly remoteAddress?: string | undefined }, headers: HeaderFields) => Promise<AppError | undefined>;
  readonly addressOf: (exchange: Exchange) => string;
  /** The bucket that a request is counted in: its caller's, or its address without one. */
  readonly bucketOf: (exchange: Exchange) => string;
}

/** The limits of all contracts of a server: they share the counters, and each has its plans. */
export interface RateLimits {
  readonly of: (contract: Pick<Contract, 'rateLimitPlans'>) => RateLimit;
  readonly metrics: MetricSource;
  readonly close: () => void;
}

const pass = () => undefined;

/** Of a contract without plans. */
export const unlimited = (addressOf: RateLimit['addressOf']): RateLimit => ({
  limit: () => undefined,
  boundLookUp: undefined,
  banOf: async () => undefined,
  addHeaders: pass,
  countSocket: async () => undefined,
  addressOf,
  bucketOf: addressOf,
});

/** Of a server none of whose contracts has plans. */
export const withoutLimits = (addressOf: RateLimit['addressOf']): RateLimits => ({
  of: () => unlimited(addressOf),
  metrics: () => [],
  close: pass,
});
