/** Pipeline step: counts the request, adds the limits to its response headers, and refuses it beyond them. */
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Contract } from '../contract/load-contract.ts';
import type { Operation } from '../contract/operation-table.ts';
import { FrameworkError, type AppError, type FrameworkErrorCode } from '../errors.ts';
import { addressBucket, clientAddress, type TrustedProxy } from '../limits/client-address.ts';
import type { CounterStore } from '../limits/counter-store.ts';
import type { RateLimitDecision } from '../limits/decision.ts';
import { createLimiter, type Limiter, type LimiterOptions, type LimiterRequest } from '../limits/limiter.ts';
import { createMemoryStore } from '../limits/memory-store.ts';
import type { PlanTable } from '../limits/plans.ts';
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { Metric } from './metrics.ts';

/** Whom a request is counted for: a bucket and its quota, and the key that is banned for ignoring Retry-After. */
export type RateLimitSubject = Pick<LimiterRequest, 'bucket' | 'quota' | 'key'>;

export interface RateLimitOptions<Caller> {
  /** Whom the requests of a caller are counted for. */
  readonly subject: (caller: Caller, plans: PlanTable) => RateLimitSubject;
  /** Where requests are counted. Default: in memory, for one instance. */
  readonly store?: CounterStore;
  /** Plans that replace those of the contract. */
  readonly plans?: PlanTable;
  /** The proxies whose header names the client. Default: none. */
  readonly trustProxy?: TrustedProxy | undefined;
  /** How many instances share the store. Default: 1. */
  readonly instances?: number;
  /** How long the store may take to answer, in ms. Default: 150. */
  readonly timeoutMs?: number;
}

export interface RateLimit {
  /** The step of an operation: counts for the caller, or for the address if there is no caller. */
  readonly limit: (operation: Operation) => RequestHandler;
  /** Counts a request without an operation, or without valid credentials, by its address. @throws AppError rate_limited. */
  readonly countByAddress: (request: Request) => Promise<void>;
  /** `count`, as a step. */
  readonly limitByAddress: RequestHandler;
  /** Adds the headers to a response of a request that is not counted: the last known state of the address. */
  readonly addHeaders: (request: Request) => void;
  /** The headers for what never became a request. It is counted, but its response does not wait for that. */
  readonly headersForSocket: (socket: { readonly remoteAddress?: string | undefined }) => Readonly<Record<string, string>>;
  readonly metrics: () => readonly Metric[];
  readonly close: () => void;
}

const skip: RequestHandler = (_request, _response, next) => next();

/** For a contract without `x-rate-limit-plans`. */
const UNLIMITED: RateLimit = {
  limit: () => skip,
  countByAddress: async () => undefined,
  limitByAddress: skip,
  addHeaders: () => undefined,
  headersForSocket: () => ({}),
  metrics: () => [],
  close: () => undefined,
};

/** Creates the limits of a contract; none if it has no plans. @throws Error if it has plans, but no options are given. */
export function createRateLimiter<Caller>(
  { rateLimitPlans }: Contract,
  options: RateLimitOptions<Caller> | undefined,
  { log, now }: Pick<LimiterOptions, 'log' | 'now'>,
): RateLimit {
  const plans = options?.plans ?? rateLimitPlans;
  if (plans === undefined) return UNLIMITED;
  if (options === undefined) throw new Error('the contract has x-rate-limit-plans: give createServer the option `rateLimit`');
  const { subject, store = createMemoryStore(), trustProxy, instances = 1, timeoutMs } = options;
  const limiter = createLimiter({ store, log, instances, ...(now && { now }), ...(timeoutMs === undefined ? {} : { timeoutMs }) });

  const bucketOf = ({ headersDistinct, socket }: IncomingMessage) =>
    addressBucket(clientAddress(trustProxy, (name) => headersDistinct[name]?.join(','), socket.remoteAddress));

  function applyDecision({ exchange }: Request, decision: RateLimitDecision): void {
    exchange.rateLimit = decision;
    Object.assign(exchange.headers, rateLimitHeaders(decision));
    if (!decision.admitted) throw toError(decision);
  }

  const addressSubject = (request: IncomingMessage): RateLimitSubject => ({ bucket: bucketOf(request), quota: plans.address });

  const countByAddress = async (request: Request) => applyDecision(request, await limiter.take({ ...addressSubject(request), cost: 1 }));

  return {
    countByAddress,
    limitByAddress: async (request, _response, next) => {
      await countByAddress(request);
      next();
    },

    limit: ({ cost }) => {
      return async (request, _response, next) => {
        const { caller, arrivedAt } = request.exchange;
        const counted = caller === undefined ? addressSubject(request) : subject(caller as Caller, plans);
        applyDecision(request, await limiter.take({ ...counted, cost, arrivedAt }));
        next();
      };
    },

    addHeaders: (request) => void Object.assign(request.exchange.headers, rateLimitHeaders(limiter.peek(bucketOf(request), plans.address))),
    headersForSocket: ({ remoteAddress }) => {
      const bucket = addressBucket(remoteAddress);
      void limiter.take({ bucket, cost: 1, quota: plans.address });
      return rateLimitHeaders(limiter.peek(bucket, plans.address));
    },
    metrics: () => limiterMetrics(limiter.counts),
    close: () => limiter.close(),
  };
}

const PER_WINDOW = { minute: 'a minute', day: 'a day' } as const;

function toError({ windows, reported, retryAfter = 1, ban }: RateLimitDecision): AppError<FrameworkErrorCode> {
  const headers = { 'Retry-After': String(retryAfter) };
  const advice = `retry in ${retryAfter} s`;
  if (ban !== undefined)
    return new FrameworkError('api_key_banned', `the API key is banned because it ignored Retry-After; ${advice}`, { headers });
  return new FrameworkError(
    'rate_limited',
    `the limit of ${windows[reported].limit} requests ${PER_WINDOW[reported]} is used up; ${advice}`,
    { headers },
  );
}

/** Decisions of the shared store are exact; local ones admit the part of one instance. */
function limiterMetrics({ shared, local, outages, refused, banned }: Limiter['counts']): Metric[] {
  return [
    {
      name: 'rate_limit_decisions_total',
      help: 'Rate-limit decisions, by the store that made them.',
      label: 'store',
      values: { shared, local },
    },
    {
      name: 'rate_limit_refusals_total',
      help: 'Requests refused by the rate limiter.',
      label: 'reason',
      values: { limit: refused, ban: banned },
    },
    { name: 'rate_limit_outages_total', help: 'Outages of the shared store.', label: 'store', values: { shared: outages } },
  ];
}
