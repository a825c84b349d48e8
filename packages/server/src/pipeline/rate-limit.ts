/** Step 5: how much a caller may do. Says it on every response, and ends a request that is one too many. */
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Contract } from '../contract/load-contract.ts';
import type { Operation } from '../contract/operation-table.ts';
import { FrameworkError } from '../errors.ts';
import { addressBucket, clientAddress, type TrustedProxy } from '../limits/client-address.ts';
import type { CounterStore } from '../limits/counter-store.ts';
import type { RateLimitDecision } from '../limits/decision.ts';
import { createLimiter, type Limiter, type LimiterOptions, type LimiterRequest } from '../limits/limiter.ts';
import { createMemoryStore } from '../limits/memory-store.ts';
import type { PlanTable } from '../limits/plans.ts';
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { HeadersForSocket } from './http-server.ts';
import type { Metric } from './metrics.ts';

/** Whose bucket a request of a caller draws from, how much it holds, and whose strikes and bans are counted. */
export type RateLimitSubject = Pick<LimiterRequest, 'bucket' | 'quota' | 'key'>;

export interface RateLimitOptions<Caller> {
  /** Whom a request of a caller counts against. */
  readonly subject: (caller: Caller, plans: PlanTable) => RateLimitSubject;
  /** Where requests are counted. In memory, for one instance alone, if it is not given. */
  readonly store?: CounterStore;
  /** Other plans than the contract's. */
  readonly plans?: PlanTable;
  /** Which proxies are believed about where a request comes from; none, if it is not given. */
  readonly trustProxy?: TrustedProxy | undefined;
  /** How many instances share the store. */
  readonly instances?: number;
  /** How long the store may take to answer, in ms. */
  readonly timeoutMs?: number;
}

export interface RateLimit {
  /** The step of an operation: draws from the caller's bucket, or from the address's if the operation is open to all. */
  readonly limit: (operation: Operation) => RequestHandler;
  /** Counts a request that is no operation's, or whose key is not good, by its address. @throws AppError rate_limited. */
  readonly countByAddress: (request: Request) => Promise<void>;
  /** `count`, as a step. */
  readonly limitByAddress: RequestHandler;
  /** The headers that hold until the limiter has been asked: what is known of the address. */
  readonly initialHeaders: (request: IncomingMessage) => Record<string, string>;
  /** The same for what never became a request, which is counted, but cannot wait to be. */
  readonly headersForSocket: HeadersForSocket;
  readonly metrics: () => readonly Metric[];
  readonly close: () => void;
}

const skip: RequestHandler = (_request, _response, next) => next();

/** For a contract without `x-rate-limit-plans`. */
const UNLIMITED: RateLimit = {
  limit: () => skip,
  countByAddress: async () => undefined,
  limitByAddress: skip,
  initialHeaders: () => ({}),
  headersForSocket: () => ({}),
  metrics: () => [],
  close: () => undefined,
};

/** The limits of a contract; none if it has no plans. @throws Error if it has some and nobody says whom they count. */
export function createRateLimiter<Caller>(
  { rateLimitPlans }: Contract,
  options: RateLimitOptions<Caller> | undefined,
  { log, now }: Pick<LimiterOptions, 'log' | 'now'>,
): RateLimit {
  const plans = options?.plans ?? rateLimitPlans;
  if (plans === undefined) return UNLIMITED;
  if (options === undefined)
    throw new Error('the contract has x-rate-limit-plans: give createServer `rateLimit`, which says whom they count');
  const { subject, store = createMemoryStore(), trustProxy, instances = 1, timeoutMs } = options;
  const limiter = createLimiter({ store, log, instances, ...(now && { now }), ...(timeoutMs === undefined ? {} : { timeoutMs }) });

  const bucketOf = ({ headersDistinct, socket }: IncomingMessage) =>
    addressBucket(clientAddress(trustProxy, (name) => headersDistinct[name]?.join(','), socket.remoteAddress));

  function applyDecision({ exchange }: Request, decision: RateLimitDecision): void {
    exchange.rateLimit = decision;
    Object.assign(exchange.headers, rateLimitHeaders(decision));
    if (!decision.admitted) throw toError(decision);
  }

  const countByAddress = async (request: Request) =>
    applyDecision(request, await limiter.take({ bucket: bucketOf(request), cost: 1, quota: plans.address }));

  return {
    countByAddress,
    limitByAddress: async (request, _response, next) => {
      await countByAddress(request);
      next();
    },

    limit: ({ cost }) => {
      return async (request, _response, next) => {
        const { caller, arrivedAt } = request.exchange;
        const counted = caller === undefined ? { bucket: bucketOf(request), quota: plans.address } : subject(caller as Caller, plans);
        applyDecision(request, await limiter.take({ ...counted, cost, arrivedAt }));
        next();
      };
    },

    initialHeaders: (request) => rateLimitHeaders(limiter.peek(bucketOf(request), plans.address)),
    headersForSocket: ({ remoteAddress }) => {
      const bucket = addressBucket(remoteAddress);
      void limiter.take({ bucket, cost: 1, quota: plans.address });
      return rateLimitHeaders(limiter.peek(bucket, plans.address));
    },
    metrics: () => limiterMetrics(limiter.counts),
    close: () => limiter.close(),
  };
}

const WINDOW_DESCRIPTIONS = { minute: 'a minute', day: 'a day' } as const;

function toError({ windows, reported, retryAfter = 1, ban }: RateLimitDecision): FrameworkErrorInstance {
  const headers = { 'Retry-After': String(retryAfter) };
  const when = `retry in ${retryAfter} s`;
  if (ban !== undefined)
    return new FrameworkError('api_key_banned', `the API key is banned because it ignored Retry-After; ${when}`, { headers });
  return new FrameworkError(
    'rate_limited',
    `the limit of ${windows[reported].limit} requests ${WINDOW_DESCRIPTIONS[reported]} is used up; ${when}`,
    { headers },
  );
}

type FrameworkErrorInstance = InstanceType<typeof FrameworkError>;

/** Decisions that the store has made are exact; those made alone are each instance's share. */
function limiterMetrics({ shared, local, outages, refused, banned }: Limiter['counts']): Metric[] {
  return [
    { name: 'rate_limit_decisions_total', help: 'Decisions about requests, by who made them.', label: 'store', values: { shared, local } },
    { name: 'rate_limit_refusals_total', help: 'Requests that were refused.', label: 'reason', values: { limit: refused, ban: banned } },
    { name: 'rate_limit_outages_total', help: 'Times that the shared store did not answer.', label: 'store', values: { shared: outages } },
  ];
}
