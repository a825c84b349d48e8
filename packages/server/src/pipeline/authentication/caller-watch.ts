/** Looks callers up again while a stream or an upload of theirs goes on, and ends it with what allowed it. */
import { type ContractOperation, inBackground, remember } from '@specwright/contract';
import { type AppError, FRAMEWORK_ERRORS, isAppError, Deadlines, type Timed } from '@specwright/contract/runtime';
import type { Exchange, Sets } from '../exchange.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { type AuthenticateOptions, authenticate, isRefusal } from './authenticate.ts';

/** How often callers are looked up again whose authenticator has no `recheckMs`. */
const DEFAULT_RECHECK_MS = 30_000;

type LookUpAgain = NonNullable<ReturnType<typeof authenticate>>;

/** A stream or an upload that goes on. */
class Watched implements Timed {
  slot = -1;
  deadline = 0;
  isOver = false;
  readonly exchange: Exchange;
  readonly lookUpAgain: LookUpAgain;
  readonly end: (error: AppError) => void;

  constructor(exchange: Exchange, lookUpAgain: LookUpAgain, end: (error: AppError) => void) {
    this.exchange = exchange;
    this.lookUpAgain = lookUpAgain;
    this.end = end;
  }
}

/**
 * Calls `end` once the credentials of the request no longer allow it: revoked, expired, without a scope that is required, banned. While
 * they cannot be looked up it goes on.
 *
 * @param end gets the refusal that the request would get now. @returns a function that ends the watch.
 */
export type WatchCaller = (exchange: Exchange, end: (error: AppError) => void) => () => void;

const NOT_WATCHED = () => undefined;

export class CallerWatches {
  readonly #authentication: AuthenticateOptions;
  readonly #banOf: RateLimit['banOf'];
  /** By the time between two looks, in ms. */
  readonly #deadlinesOf = remember((ms: number) => {
    const made: Deadlines<Watched> = new Deadlines(ms, (watched) => inBackground(this.#look(watched, made), watched.exchange.log));
    return made;
  });

  constructor(authentication: AuthenticateOptions, { banOf }: Pick<RateLimit, 'banOf'>) {
    this.#authentication = authentication;
    this.#banOf = banOf;
  }

  /** Of the callers of an operation. */
  of(operation: ContractOperation): WatchCaller {
    const lookUpAgain = authenticate(operation.requirements, this.#authentication);
    if (lookUpAgain === undefined) return () => NOT_WATCHED;
    const deadlines = this.#deadlinesOf(this.#recheckMs(operation));
    return (exchange, end) => {
      if (exchange.caller === undefined) return NOT_WATCHED;
      const watched = new Watched(exchange, lookUpAgain, end);
      deadlines.start(watched, performance.now());
      return () => {
        watched.isOver = true;
        deadlines.end(watched);
      };
    };
  }

  #recheckMs({ requirements }: ContractOperation): number {
    const { authenticators } = this.#authentication;
    return Math.min(...requirements.flat().map(({ name }) => authenticators[name]?.recheckMs ?? DEFAULT_RECHECK_MS));
  }

  async #look(watched: Watched, deadlines: Deadlines<Watched>): Promise<void> {
    const { exchange, end } = watched;
    const refusal = await this.#refusalOf(watched);
    if (watched.isOver) return;
    if (refusal === undefined) return deadlines.start(watched, performance.now());
    exchange.log.info({ operation: exchange.operation?.id, code: refusal.code }, 'ended: its caller is no longer allowed to');
    end(refusal);
  }

  async #refusalOf({ exchange, lookUpAgain }: Watched): Promise<AppError | undefined> {
    const statuses: Readonly<Record<string, number>> = this.#authentication.statuses ?? FRAMEWORK_ERRORS;
    try {
      // What is found is not that of the exchange: its handler has had the caller.
      const found = { request: exchange.request } as Sets<'caller' | 'challenges'>;
      await lookUpAgain(found);
      return await this.#banOf(exchange);
    } catch (error) {
      return isAppError(error) && isRefusal(statuses[error.code]) ? error : undefined;
    }
  }
}
