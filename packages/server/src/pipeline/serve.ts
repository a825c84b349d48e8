/** Serves requests: finds the steps of each, runs them, and ends it, with the error that a step has thrown too. */
import type { Express, Request, Response } from 'express';
import type { Admission } from './admission/admission.ts';
import { runSteps, type AnyStep, type Exchange, type ExchangeState, type Outcome, type Step } from './exchange.ts';
import type { FindSteps } from './match/match.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { TraceRequests } from './context/trace-requests.ts';

export interface ServeOptions {
  readonly startExchange: (request: Request, response: Response) => ExchangeState;
  readonly checkHead: Step;
  /** The steps of an operation; `undefined` for what is none. */
  readonly findSteps: FindSteps;
  /** The steps of any other request. */
  readonly findUnmatchedSteps: (exchange: Exchange) => readonly AnyStep[];
  readonly deadline: Pick<RequestDeadline, 'start' | 'end' | 'logLateError'>;
  readonly admission: Pick<Admission, 'release'>;
  readonly endWithError: (exchange: ExchangeState, error: unknown) => Promise<void>;
  readonly trace: TraceRequests;
}

/**
 * The listener of the server. The Express application gets what is no operation; the steps of an operation are known when it is found,
 * so passing them through the application's router would only cost time: more than all that precedes the handler.
 */
export function serve(app: Express, options: ServeOptions): (request: Request, response: Response) => void {
  const { startExchange, checkHead, findSteps, findUnmatchedSteps, deadline, admission, endWithError, trace } = options;

  function end(exchange: ExchangeState): void {
    deadline.end(exchange);
    admission.release(exchange);
  }

  async function fail(exchange: ExchangeState, error: unknown): Promise<void> {
    if (exchange.isExpired) deadline.logLateError(exchange, error);
    else {
      deadline.end(exchange);
      await endWithError(exchange, error).catch((err: unknown) => {
        exchange.log.error({ operation: exchange.operation?.id, err }, 'the error could not be answered');
        exchange.response.destroy();
      });
    }
    admission.release(exchange);
  }

  const outcome: Outcome = { end, fail };

  function runUnmatched({ exchange }: Request): void {
    try {
      runSteps(findUnmatchedSteps(exchange), exchange, outcome);
    } catch (error) {
      void fail(exchange, error);
    }
  }
  app.use(runUnmatched);

  const handle = trace((exchange: ExchangeState): void => {
    deadline.start(exchange);
    try {
      void checkHead(exchange);
      const steps = findSteps(exchange);
      // What the application passes on has a target that its router cannot read.
      if (steps === undefined) app(exchange.request, exchange.response, () => runUnmatched(exchange.request));
      else runSteps(steps, exchange, outcome);
    } catch (error) {
      void fail(exchange, error);
    }
  });
  return (request, response) => handle(startExchange(request, response));
}
