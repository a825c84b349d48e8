/** Runs the steps of a request, and ends it, with the error that a step has thrown too. */
import type { Admission } from './admission/admission.ts';
import { runSteps, type AnyStep, type ExchangeState, type Outcome } from './exchange.ts';
import type { Log } from '../ops/log/logger.ts';
import { inBackground } from '@specwright/contract';
import type { BodyBudget } from './body/body-budget.ts';
import type { RequestDeadline } from './request-deadline.ts';

export interface ServeOptions {
  readonly deadline: Pick<RequestDeadline, 'end' | 'logLateError'>;
  readonly admission: Pick<Admission, 'release'>;
  readonly budget: Pick<BodyBudget, 'release'>;
  readonly log: Pick<Log, 'error'>;
}

/** @returns a function that runs steps to the end of the request. */
export function serve({ deadline, admission, budget, log }: ServeOptions): (exchange: ExchangeState, steps: readonly AnyStep[]) => void {
  function end(exchange: ExchangeState): void {
    deadline.end(exchange);
    release(exchange);
  }

  function release(exchange: ExchangeState): void {
    exchange.upload?.detach();
    if (exchange.bodyLease !== undefined) budget.release(exchange.bodyLease);
    admission.release(exchange);
  }

  async function endWithError(exchange: ExchangeState, error: unknown): Promise<void> {
    await exchange.service.endWithError(exchange, error);
    release(exchange);
  }

  function fail(exchange: ExchangeState, error: unknown): void {
    if (exchange.isExpired) {
      deadline.logLateError(exchange, error);
      return release(exchange);
    }
    deadline.end(exchange);
    inBackground(endWithError(exchange, error), log, 'a failed request could not be ended');
  }

  const outcome: Outcome = { end, fail };
  return (exchange, steps) => runSteps(steps, exchange, outcome);
}
