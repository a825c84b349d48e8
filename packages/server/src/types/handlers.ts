/** The types of handlers, per operation: their context, and the set of all of them. */
import type { RateLimitDecision } from '../limits/limiter.ts';
import type { Log } from '../log/logger.ts';
import type { ContractTypes, HasLimits, Input, OperationId, Reply, RequiredOperation, Row, HandlerResponse } from '@specwright/contract';

/** The state of the caller's limits after this request, by the clock that decided; a guess unless `isExact`. */
export type RateLimits = Pick<RateLimitDecision, 'now' | 'windows' | 'ban' | 'isExact'>;

type Requirement<T extends ContractTypes, Op extends OperationId<T>> = Row<T, Op>['security'][number];

/** Operations without security have no caller; where credentials are optional, there may be none. */
type CallerOf<T extends ContractTypes, Op extends OperationId<T>, Caller> = [Requirement<T, Op>] extends [never]
  ? undefined
  : Caller | ([Extract<Requirement<T, Op>, readonly []>] extends [never] ? never : undefined);

/** What a handler knows about a request beside its input. `Caller` is what the authenticators return, `Db` the option `db`. */
export interface Context<T extends ContractTypes, Op extends OperationId<T>, Caller, Db = unknown> {
  /** The database of the service; in a request with an `Idempotency-Key` the transaction that its response is stored in. */
  readonly db: Db;
  readonly requestId: string;
  readonly now: Date;
  /** `undefined` for a contract without `x-rate-limit-plans`. */
  readonly limits: HasLimits<T> extends true ? RateLimits : undefined;
  readonly caller: CallerOf<T, Op, Caller>;
  readonly log: Log;
  /** The trace that the request belongs to (W3C Trace Context), for requests that are sent on; see `traceClientRequest`. */
  readonly traceparent: string | undefined;
  /** Aborted when the deadline of the request has passed or the client has gone: hand it to what may take long, such as `fetch`. */
  readonly signal: AbortSignal;
}

export type Handler<T extends ContractTypes, Op extends OperationId<T>, Caller, Db = unknown> = (
  input: Input<T, Op>,
  reply: Reply<T, Op>,
  context: Context<T, Op, Caller, Db>,
) => HandlerResponse<Op> | Promise<HandlerResponse<Op>>;

/** A handler of each operation, but those of `omit` (`loadContract`), which need none. */
export type Handlers<T extends ContractTypes, Caller, Db = unknown> = {
  readonly [Op in RequiredOperation<T>]: Handler<T, Op, Caller, Db>;
};
