/** Step 4: how much a caller may do. Says it on every response, and ends a request that is one too many. */
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Operation } from '../contract/load-contract.ts';
import { AppError } from '../errors.ts';
import { addressBucket, clientAddress, type TrustedProxy } from '../limits/client-address.ts';
import type { Decision } from '../limits/decision.ts';
import { headersOf } from '../limits/rate-limit-headers.ts';
import type { Limiter, Request as Draw } from '../limits/limiter.ts';
import type { PlanTable } from '../limits/plans.ts';
import type { Caller } from '../../../../src/caller.ts';
import type { HeadersFor } from './http-server.ts';

/** Whose bucket a request of a caller draws from, how much it holds, and whose strikes and bans are counted. */
export type RateLimitSubject = Pick<Draw, 'bucket' | 'quota' | 'key'>;

export interface LimitsOptions {
  readonly limiter: Limiter;
  readonly plans: PlanTable;
  readonly rateLimitSubject: (plans: PlanTable, caller: Caller) => RateLimitSubject;
  /** Whose word is taken for where a request comes from; nobody's, if it is not given. */
  readonly proxy?: TrustedProxy | undefined;
}

export interface Limits {
  /** The step of an operation: draws from the caller's bucket, or from the address's if the operation is open to all. */
  readonly limit: (operation: Operation) => RequestHandler;
  /** Counts a request that is no operation's, or whose key is not good, by its address. @throws AppError rate_limited. */
  readonly count: (request: Request) => Promise<void>;
  /** `count`, as a step. */
  readonly others: RequestHandler;
  /** The headers that stand until the limits have been asked: what is known of the address. */
  readonly known: (request: IncomingMessage) => Record<string, string>;
  /** The same for what never became a request, which is counted, but cannot wait to be. */
  readonly unread: HeadersFor;
}

const pass: RequestHandler = (_request, _response, next) => next();

/** For a contract without `x-rate-limit-plans`. */
export const NO_LIMITS: Limits = {
  limit: () => pass,
  count: async () => undefined,
  others: pass,
  known: () => ({}),
  unread: () => ({}),
};

export function createLimits({ limiter, plans, rateLimitSubject, proxy }: LimitsOptions): Limits {
  const bucketOf = ({ headersDistinct, socket }: IncomingMessage) =>
    addressBucket(clientAddress(proxy, (name) => headersDistinct[name]?.join(','), socket.remoteAddress));

  function hold({ exchange }: Request, decision: Decision): void {
    exchange.limits = decision;
    Object.assign(exchange.headers, headersOf(decision));
    if (!decision.admitted) throw refusal(decision);
  }

  const count = async (request: Request) => hold(request, await limiter.take({ bucket: bucketOf(request), cost: 1, quota: plans.address }));

  return {
    count,
    others: async (request, _response, next) => {
      await count(request);
      next();
    },

    limit: ({ cost }) => {
      return async (request, _response, next) => {
        const { caller, arrived } = request.exchange;
        const subject = caller === undefined ? { bucket: bucketOf(request), quota: plans.address } : rateLimitSubject(plans, caller);
        hold(request, await limiter.take({ ...subject, cost, arrived }));
        next();
      };
    },

    known: (request) => headersOf(limiter.peek(bucketOf(request), plans.address)),
    unread: ({ remoteAddress }) => {
      const bucket = addressBucket(remoteAddress);
      void limiter.take({ bucket, cost: 1, quota: plans.address });
      return headersOf(limiter.peek(bucket, plans.address));
    },
  };
}

const NAMES = { minute: 'a minute', day: 'a day' } as const;

function refusal({ windows, shown, retryAfter = 1, ban }: Decision): AppError {
  const headers = { 'Retry-After': String(retryAfter) };
  const when = `come back in ${retryAfter} s`;
  if (ban !== undefined) return new AppError('api_key_banned', `the API key is banned because it did not wait; ${when}`, { headers });
  return new AppError('rate_limited', `the limit of ${windows[shown].limit} requests ${NAMES[shown]} is used up; ${when}`, { headers });
}
