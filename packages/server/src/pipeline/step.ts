/** A step of the pipeline: what its type says, and steps whose modules are loaded with the first request that needs them. */
import type { ExchangeState, Sets } from './exchange.ts';

/**
 * A step of the pipeline: it sets `Fields` of the exchange, or ends the request by throwing an AppError. The next one waits for a
 * promise; a step that need not wait returns nothing, and costs no turn of the event loop.
 */
export type Step<Fields extends keyof ExchangeState = never> = (exchange: Sets<Fields>) => void | Promise<void>;

export type AnyStep = (exchange: ExchangeState) => void | Promise<void>;

export function lazyStep<S extends AnyStep>(load: () => Promise<S>): S {
  let loaded: S | undefined;
  const step = (exchange: never): void | Promise<void> =>
    loaded !== undefined ? loaded(exchange) : load().then((made) => (loaded ??= made)(exchange));
  return step as S;
}
