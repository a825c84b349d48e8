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

const TOLD = Symbol('told to retry later');
/** Whom the last refusal on a connection was for, and until when that one was told to wait. Several share one if a proxy is between. */
type MarkedSocket = Socket & { [TOLD]?: { readonly key: string; readonly until: number } };

export interface RefusalOptions {
  readonly requestTimeoutMs: number;
  /** Who is refused: the bucket of the account, or of the address if there is no caller. */
  readonly keyOf: (exchange: Exchange) => string;
  readonly log: Pick<Log, 'warn'>;
  readonly state: () => object;
}

export class Refusals {
  readonly #maxHoldMs: number;
  readonly #keyOf: RefusalOptions['keyOf'];
  readonly #log: OverloadLog;
  #held = 0;
  #refused = 0;

  constructor({ requestTimeoutMs, keyOf, log, state }: RefusalOptions) {
    this.#maxHoldMs = requestTimeoutMs * MAX_HOLD_SHARE;
    this.#keyOf = keyOf;
    this.#log = new OverloadLog(log, state);
  }

  /** How many wait for their answer. */
  get held(): number {
    return this.#held;
  }

  get refused(): number {
    return this.#refused;
  }

  /** @throws AppError service_unavailable, also by the promise. */
  refuse(exchange: Exchange): Promise<never> {
    const { request, arrivedAt } = exchange;
    const told = (request.socket as MarkedSocket)[TOLD];
    if (told === undefined || told.key !== this.#keyOf(exchange) || told.until <= arrivedAt) throw this.errorOf(exchange);
    if (this.#held < MAX_HELD) return this.#hold(exchange, told.until - arrivedAt);
    if (request.httpVersionMajor === 1) exchange.headers.set('Connection', 'close');
    throw this.errorOf(exchange);
  }

  errorOf(exchange: Exchange): Error {
    const { seconds, error } = overloadError(Math.random());
    const key = this.#keyOf(exchange);
    (exchange.request.socket as MarkedSocket)[TOLD] = { key, until: performance.now() + seconds * 1000 };
    this.#refused++;
    this.#log.add(exchange.caller === undefined ? undefined : key);
    return error;
  }

  #hold(exchange: Exchange, ms: number): Promise<never> {
    this.#held++;
    const steps = Math.ceil(Math.min(ms, this.#maxHoldMs) / HOLD_STEP_MS);
    return new Promise((_, reject) => {
      setTimeout(() => {
        this.#held--;
        reject(this.errorOf(exchange));
      }, steps * HOLD_STEP_MS).unref();
    });
  }
}

/** How often they are logged, in ms. */
const INTERVAL_MS = 1000;
/** Those with the most refusals are named. */
const MAX_NAMED = 5;

class OverloadLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #state: () => object;
  #unlogged = 0;
  readonly #byCaller = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param state what is logged beside the number of refusals. */
  constructor(log: Pick<Log, 'warn'>, state: () => object) {
    this.#log = log;
    this.#state = state;
  }

  /** @param caller the bucket of the account whose request it was; `undefined` if that is not known. */
  add(caller: string | undefined): void {
    this.#unlogged++;
    if (caller !== undefined) this.#byCaller.set(caller, (this.#byCaller.get(caller) ?? 0) + 1);
    if (this.#timer === undefined) this.#write();
  }

  /** The first at once, then what has followed, once for each interval. */
  #write(): void {
    this.#timer = undefined;
    if (this.#unlogged === 0) return;
    const callers = Object.fromEntries([...this.#byCaller].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED));
    this.#log.warn({ refused: this.#unlogged, callers, ...this.#state() }, 'too many requests are under way');
    this.#unlogged = 0;
    this.#byCaller.clear();
    this.#timer = setTimeout(() => this.#write(), INTERVAL_MS).unref();
  }
}

// The error of a request that is refused because too many are under way.

/** In s. Clients that were refused together do not come back together. */
const RETRY_AFTER = [1, 2, 3];

/** One for each time and for all requests: during an overload a stack trace for each would be a large part of its cost. */
const ERRORS = RETRY_AFTER.map((seconds) => {
  const headers = { 'Retry-After': String(seconds) };
  return { seconds, error: new FrameworkError('service_unavailable', 'too many requests are under way; retry later', { headers }) };
});

/** @param random from 0 to less than 1. */
const overloadError = (random: number): (typeof ERRORS)[number] => ERRORS[Math.floor(random * ERRORS.length)] as (typeof ERRORS)[number];

/** Whether a request was refused because too many were under way: these are logged together. */
export const isOverload = (error: unknown): error is (typeof ERRORS)[number]['error'] => ERRORS.some((one) => one.error === error);
