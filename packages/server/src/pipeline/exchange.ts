/** The state of one request: what each step of the pipeline has found out, for the steps after it. */
import type { Request } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import type { UnvalidatedResponse } from '../contract/handler-response.ts';
import type { ValidInput } from '../contract/request-validator.ts';
import type { Log } from '../ops/logger.ts';
import type { RateLimitDecision } from '../limits/decision.ts';

export interface Exchange {
  readonly id: string;
  readonly now: Date;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt: number;
  readonly log: Log;
  /** The request target. `path` is percent-encoded, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Response headers that the steps have added. */
  readonly headers: Record<string, string>;
  operation?: ContractOperation;
  pathParameters?: Record<string, string>;
  /** The result of the authenticator. */
  caller?: unknown;
  /** A security scheme whose credentials cannot be verified, so that the handler must not be called. */
  unimplementedScheme?: string;
  /** The decision of the rate limiter, once the request was counted. */
  rateLimit?: RateLimitDecision;
  /** The media type of the body, as the contract spells it. */
  type?: string;
  body?: unknown;
  input?: ValidInput;
  handlerResponse?: UnvalidatedResponse;
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}

/** The operation that `match` has found. */
export function operationOf(request: Request): ContractOperation {
  const { operation } = request.exchange;
  if (operation === undefined) throw new Error('this step must come after match');
  return operation;
}
