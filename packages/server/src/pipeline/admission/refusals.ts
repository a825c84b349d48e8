/**
 * Refuses requests when too many are under way: at once, or, where a client comes again on its connection before its `Retry-After` is
 * up, when that is so. Clients that retry at once would be answered thousands of times a second: the server would do nothing else.
 */
import type { Socket } from 'node:net';
import type { Log } from '../../log/logger.ts';
import type { Exchange } from '../exchange.ts';
import { FrameworkError } from '@specwright/contract/runtime';

/** How long an answer may be kept back, in proportion to the deadline of requests. */
const MAX_HOLD_SHARE = 0.4;
/** How many of them may be kept back. Beyond that the connection is closed: to come again, the client has to open one. */
const MAX_HELD = 2000;
/** The timers of these answers are as few as this allows, in ms. */
const HOLD_STEP_MS = 25;
/** How often refusals are logged, in ms, and how many callers are named: those with the most. */
const LOG_INTERVAL_MS = 1000;
const MAX_NAMED = 5;

/** The refusal of a request because too many were under way: these are logged together. */
export class OverloadError extends FrameworkError {}

/**
 * One for each time and for all requests: during an overload a stack trace for each would be a large part of its cost. Clients that were
 * refused together do not come back together.
 */
const ERRORS = [1, 2, 3].map((seconds) => {
  const headers = { 'Retry-After': String(seconds) };
  return { seconds, error: new OverloadError('service_unavailable', 'too many requests are under way; retry later', { headers }) };
});

const TOLD = Symbol('told to retry later');
/** Whom the last refusal on a connection was for, and until when that one was told to wait. Several share one if a proxy is between. */
type MarkedSocket = Socket & { [TOLD]?: { readonly key: string; readonly until: number } };

export interface RefusalOptions {
  readonly requestTimeoutMs: number;
  readonly log: Pick<Log, 'warn'>;
  /** What is logged beside the number of refusals. */
  readonly state: () => object;
}

export class Refusals {
  readonly #options: RefusalOptions;
  readonly #byCaller = new Map<string, number>();
  #unlogged = 0;
  #logTimer: NodeJS.Timeout | undefined = undefined;
  /** How many wait for their answer. */
  held = 0;
  refused = 0;

  constructor(options: RefusalOptions) {
    this.#options = options;
  }

  /** @throws AppError service_unavailable, also by the promise. */
  refuse(exchange: Exchange): Promise<never> {
    const { request, arrivedAt, service } = exchange;
    const told = (request.socket as MarkedSocket)[TOLD];
    if (told === undefined || told.key !== service.bucketOf(exchange) || told.until <= arrivedAt) throw this.errorOf(exchange);
    if (this.held < MAX_HELD) return this.#hold(exchange, told.until - arrivedAt);
    if (request.httpVersionMajor === 1) exchange.headers.set('Connection', 'close');
    throw this.errorOf(exchange);
  }

  errorOf(exchange: Exchange): Error {
    const { seconds, error } = ERRORS[Math.floor(Math.random() * ERRORS.length)] as (typeof ERRORS)[number];
    const key = exchange.service.bucketOf(exchange);
    (exchange.request.socket as MarkedSocket)[TOLD] = { key, until: performance.now() + seconds * 1000 };
    this.refused++;
    this.#unlogged++;
    if (exchange.caller !== undefined) this.#byCaller.set(key, (this.#byCaller.get(key) ?? 0) + 1);
    if (this.#logTimer === undefined) this.#writeLog();
    return error;
  }

  #hold(exchange: Exchange, ms: number): Promise<never> {
    this.held++;
    const steps = Math.ceil(Math.min(ms, this.#options.requestTimeoutMs * MAX_HOLD_SHARE) / HOLD_STEP_MS);
    return new Promise((_, reject) => {
      setTimeout(() => {
        this.held--;
        reject(this.errorOf(exchange));
      }, steps * HOLD_STEP_MS).unref();
    });
  }

  /** The first at once, then what has followed, once for each interval. */
  #writeLog(): void {
    this.#logTimer = undefined;
    if (this.#unlogged === 0) return;
    const callers = Object.fromEntries([...this.#byCaller].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED));
    this.#options.log.warn({ refused: this.#unlogged, callers, ...this.#options.state() }, 'too many requests are under way');
    this.#unlogged = 0;
    this.#byCaller.clear();
    this.#logTimer = setTimeout(() => this.#writeLog(), LOG_INTERVAL_MS).unref();
  }
}
