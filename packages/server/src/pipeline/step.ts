/** What the type of a pipeline step says. */
import type { ExchangeState, Sets } from './exchange.ts';

/**
 * A step of the pipeline: it sets `Fields` of the exchange, or ends the request by throwing an AppError. The next one waits for a
 * promise; a step that need not wait returns nothing, and costs no turn of the event loop.
 */
export type Step<Fields extends keyof ExchangeState = never> = (exchange: Sets<Fields>) => void | Promise<void>;

export type AnyStep = (exchange: ExchangeState) => void | Promise<void>;
