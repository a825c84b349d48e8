/**
 * Refuses requests when too many are under way: at once, or, where a client comes again on its connection before its `Retry-After` is
 * up, when that is so. Clients that retry at once would be answered thousands of times a second: the server would do nothing else.
 */
import type { Log } from '../../log/logger.ts';
import type { Exchange } from '../exchange.ts';
import { FrameworkError } from '@specwright/contract/runtime';

/** How long an answer may be kept back, in proportion to the deadline of requests. */
const MAX_HOLD_SHARE = 0.4;
/** How many of them may be kept back. Beyond that the connection is closed: to come again, the client has to open one. */
const MAX_HELD = 2000;
/** How often refusals are logged, in ms, and how many callers are named: those with the most. */
const LOG_INTERVAL_MS = 1000;
const MAX_NAMED = 5;

/** The refusal of a request because too many were under way: these are logged together. */
export class OverloadError extends FrameworkError {}

/**
 * For 1, 2 and 3 s, so that clients that were refused together do not come back together. One for each time and for all requests: during an
 * overload a stack trace for each would be a large part of its cost.
 */
const ERRORS = [1, 2, 3].map((seconds) => {
  const headers = { 'Retry-After': String(seconds) };
  return new OverloadError('service_unavailable', 'too many requests are under way; retry later', { headers });
});

export interface RefusalOptions {
  readonly requestTimeoutMs: number;
  readonly log: Pick<Log, 'warn'>;
}

export class Refusals {
  readonly #options: RefusalOptions;
  readonly #counts: () => object;
  /** By connection whom the last refusal was for, and until when that one was told to wait. Several share one if a proxy is between. */
  readonly #told = new WeakMap<object, { readonly key: string; readonly until: number }>();
  readonly #byCaller = new Map<string, number>();
  #unlogged = 0;
  #isLogging = false;
  /** How many wait for their answer. */
  held = 0;
  refused = 0;

  /** @param counts what is logged beside the number of refusals. */
  constructor(options: RefusalOptions, counts: () => object) {
    this.#options = options;
    this.#counts = counts;
  }

  /** @throws AppError service_unavailable, also by the promise. */
  refuse(exchange: Exchange): Promise<never> {
    const { request, arrivedAt, service } = exchange;
    const { key, until = 0 } = this.#told.get(request.socket) ?? {};
    if (until <= arrivedAt || key !== service.bucketOf(exchange)) throw this.errorOf(exchange);
    if (this.held < MAX_HELD) return this.#hold(exchange, until - arrivedAt);
    if (request.httpVersionMajor === 1) exchange.headers.set('Connection', 'close');
    throw this.errorOf(exchange);
  }

  errorOf(exchange: Exchange): Error {
    const seconds = 1 + Math.floor(Math.random() * ERRORS.length);
    const key = exchange.service.bucketOf(exchange);
    this.#told.set(exchange.request.socket, { key, until: performance.now() + seconds * 1000 });
    this.refused++;
    this.#unlogged++;
    if (exchange.caller !== undefined) this.#byCaller.set(key, (this.#byCaller.get(key) ?? 0) + 1);
    if (!this.#isLogging) this.#writeLog();
    return ERRORS[seconds - 1] as Error;
  }

  #hold(exchange: Exchange, ms: number): Promise<never> {
    this.held++;
    return new Promise((_, reject) => {
      setTimeout(
        () => {
          this.held--;
          reject(this.errorOf(exchange));
        },
        Math.min(ms, this.#options.requestTimeoutMs * MAX_HOLD_SHARE),
      ).unref();
    });
  }

  /** The first at once, then what has followed, once for each interval. */
  #writeLog(): void {
    this.#isLogging = this.#unlogged > 0;
    if (!this.#isLogging) return;
    const callers = Object.fromEntries([...this.#byCaller].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED));
    this.#options.log.warn({ ...this.#counts(), refused: this.#unlogged, callers }, 'too many requests are under way');
    this.#unlogged = 0;
    this.#byCaller.clear();
    setTimeout(() => this.#writeLog(), LOG_INTERVAL_MS).unref();
  }
}
