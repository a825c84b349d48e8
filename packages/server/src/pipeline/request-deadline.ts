/** The deadline of requests: whatever a step waits for, a request is answered in time, with 503. */
import { FrameworkError, isAppError } from '../errors.ts';
import { Deadlines } from '../ops/deadlines.ts';
import type { Exchange, Step } from './exchange.ts';
import type { WhileReading } from './body/read-body.ts';

export interface RequestDeadline {
  /** From the arrival of the request on. */
  readonly start: Step;
  /** From now on: what ran before was not this server's own. */
  readonly startNow: Step;
  /** The handler has asked for the next item of the body: again from now on, unless it is suspended. */
  readonly restart: (exchange: Exchange) => void;
  readonly end: (exchange: Exchange) => void;
  /** Logs the error of a step whose request has been answered already: it says what the request was waiting for. */
  readonly logLateError: (exchange: Exchange, error: unknown) => void;
  /** The time that a client takes to send its request does not count: the deadline starts again after it. */
  readonly whileReading: Readonly<Record<keyof WhileReading, (exchange: Exchange) => void>>;
}

/** @param ms how long this server may take for a request. @param answer sends an error. */
export function createRequestDeadline(ms: number, answer: (exchange: Exchange, error: unknown) => void): RequestDeadline {
  const deadlines = new Deadlines<Exchange>(ms, (exchange) => {
    exchange.expire();
    const cause = new Error(`not answered within ${ms} ms`);
    answer(exchange, new FrameworkError('service_unavailable', 'the request took too long', { cause, headers: { 'Retry-After': '1' } }));
  });
  return {
    start: (exchange) => deadlines.start(exchange, exchange.arrivedAt),
    startNow: (exchange) => deadlines.start(exchange, performance.now()),
    restart(exchange) {
      if (exchange.slot !== -1) deadlines.start(exchange, performance.now());
    },
    end: (exchange) => deadlines.end(exchange),
    logLateError(exchange, error) {
      const err = isAppError(error) ? (error.cause ?? error) : error;
      exchange.log.warn({ operation: exchange.operation?.id, err }, 'failed after its deadline');
    },
    whileReading: {
      begin: (exchange) => deadlines.end(exchange),
      end: (exchange) => deadlines.start(exchange, performance.now()),
    },
  };
}
