/** One request on its way through the line: what each step has found out, for the steps after it. */
import type { Request } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import type { UnvalidatedResponse } from '../contract/handler-response.ts';
import type { ValidInput } from '../contract/request-validator.ts';
import type { RateLimitDecision } from '../limits/decision.ts';

/** What the line needs of a logger; pino has it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

export interface Exchange {
  readonly id: string;
  readonly now: Date;
  /** When the request arrived, on the clock of `performance.now()`, in ms. */
  readonly arrivedAt: number;
  readonly log: Log;
  /** The request target, split once. `path` is as it was sent, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Response headers written by the steps of the line. */
  readonly headers: Record<string, string>;
  operation?: ContractOperation;
  pathParameters?: Record<string, string>;
  /** What the authenticator has found. */
  caller?: unknown;
  /** The security scheme whose credentials nobody can verify: no handler is called. */
  unimplementedScheme?: string;
  /** What the rate limits said, once somebody has counted the request. */
  rateLimit?: RateLimitDecision;
  /** The media type as the contract spells it, and the parsed body. */
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

/** The operation that `match` has found; steps after it are composed for operations only. */
export function operationOf(request: Request): ContractOperation {
  const { operation } = request.exchange;
  if (operation === undefined) throw new Error('no operation: this step stands before match');
  return operation;
}
