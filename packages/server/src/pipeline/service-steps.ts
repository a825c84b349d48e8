/** Steps that a service adds to the pipeline, such as a feature flag or an audit log. */
import type { Exchange, Step } from './exchange.ts';

/** The state of a request as the steps of a service see it. `headers` are those of the response, to be added to: `headers.set(name, value)`, `headers.append(name, value)`. */
export type ServiceExchange<Caller> = Omit<Exchange, 'caller'> & { readonly caller: Caller | undefined };

/** Ends the request by throwing an AppError. The next step waits for a promise. */
export type ServiceStep<Caller> = (exchange: ServiceExchange<Caller>) => void | Promise<void>;

export interface ServiceSteps<Caller> {
  /** Before the steps of the contract: the operation is known (`undefined` for none), the caller is not. */
  readonly before?: readonly ServiceStep<Caller>[];
  /** Before the handler: the caller is known and within its limits, and the input is valid. */
  readonly beforeHandler?: readonly ServiceStep<Caller>[];
  /** After the response, whatever it was: when it has been sent, or its client has gone. What it throws is logged. */
  readonly after?: readonly ServiceStep<Caller>[];
}

/** Runs `steps` when the response is closed. @returns `undefined` without steps. */
export function runAfterResponse(steps: readonly Step[]): Step | undefined {
  if (steps.length === 0) return undefined;
  const run = async (exchange: Exchange): Promise<void> => {
    for (const step of steps) await step(exchange);
  };
  return (exchange) => {
    exchange.response.once('close', () => {
      run(exchange).catch((err: unknown) =>
        exchange.log.error({ operation: exchange.operation?.id, err }, 'a step after the response failed'),
      );
    });
  };
}
