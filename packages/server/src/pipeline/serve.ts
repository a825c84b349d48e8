/** Runs the steps of a request, and ends it, with the error that a step has thrown too. */
import type { Admission } from './admission/admission.ts';
import { runSteps, type AnyStep, type ExchangeState, type Outcome } from './exchange.ts';
import type { BodyBudget } from './body/body-budget.ts';
import type { RequestDeadline } from './request-deadline.ts';

export interface ServeOptions {
  readonly deadline: Pick<RequestDeadline, 'end' | 'logLateError'>;
  readonly admission: Pick<Admission, 'release'>;
  readonly budget: Pick<BodyBudget, 'release'>;
}

/** @returns a function that runs steps to the end of the request. */
export function serve({ deadline, admission, budget }: ServeOptions): (exchange: ExchangeState, steps: readonly AnyStep[]) => void {
  function end(exchange: ExchangeState): void {
    deadline.end(exchange);
    release(exchange);
  }

  function release(exchange: ExchangeState): void {
    exchange.upload?.detach();
    if (exchange.bodyLease !== undefined) budget.release(exchange.bodyLease);
    admission.release(exchange);
  }

  async function fail(exchange: ExchangeState, error: unknown): Promise<void> {
    if (exchange.isExpired) deadline.logLateError(exchange, error);
    else {
      deadline.end(exchange);
      await exchange.service.endWithError(exchange, error).catch((err: unknown) => {
        exchange.log.error({ operation: exchange.operation?.id, err }, 'the error could not be answered');
        exchange.response.destroy();
      });
    }
    release(exchange);
  }

  const outcome: Outcome = { end, fail };
  return (exchange, steps) => runSteps(steps, exchange, outcome);
}
