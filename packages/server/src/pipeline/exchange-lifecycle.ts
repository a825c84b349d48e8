/**
 * Runs the steps of exchanges, moves them through their phases (`phases.ts`), and tells the deadline, the admission and the list of what
 * there is to release: the one place where a request ends, however it does. A move that is not legal changes nothing: whatever comes
 * after a deadline is late.
 */
import { inBackground, isThenable } from '@specwright/contract';
import { FrameworkError, isAppError, Deadlines } from '@specwright/contract/runtime';
import type { Log } from '../log/logger.ts';
import type { Admission } from './admission/admission.ts';
import { type Exchange, type ExchangeState, NO_SLOT } from './exchange.ts';
import type { AnyStep, Step } from './step.ts';

export interface LifecycleOptions {
  /** How long this server may take for a request, in ms. */
  readonly requestTimeoutMs: number;
  readonly admission: Pick<Admission, 'acquire' | 'end' | 'release' | 'resume'>;
  readonly log: Pick<Log, 'error'>;
}

export interface Outcome {
  readonly end: (exchange: ExchangeState) => void;
  readonly fail: (exchange: ExchangeState, error: unknown) => void;
}

/**
 * Runs steps in order, from `next` on, until one throws or the deadline of the request has passed. Only what has to wait makes a
 * promise: an `async` function would make two more of each.
 */
export function runSteps(steps: readonly AnyStep[], exchange: ExchangeState, outcome: Outcome, next = 0): void {
  try {
    for (let i = next; i < steps.length; i++) {
      const pending = (steps[i] as AnyStep)(exchange);
      if (pending !== undefined) {
        const following = i + 1;
        // Without names: loaders would set them for each request.
        return void pending.then(
          () => (exchange.phase === 'expired' ? outcome.end(exchange) : runSteps(steps, exchange, outcome, following)),
          (error: unknown) => outcome.fail(exchange, error),
        );
      }
    }
  } catch (error) {
    outcome.fail(exchange, error);
    return;
  }
  outcome.end(exchange);
}

/** A step of a service, which may return any value in JavaScript: only a thenable is waited for. */
export const serviceStep =
  (step: Step): Step =>
  (exchange) => {
    const returned: unknown = step(exchange);
    return isThenable(returned) ? Promise.resolve(returned).then(() => undefined) : undefined;
  };

/** A step whose module is loaded with the first request that needs it. */
export function lazyStep<S extends AnyStep>(load: () => Promise<S>): S {
  let loaded: S | undefined;
  const step = (exchange: never): void | Promise<void> =>
    loaded !== undefined ? loaded(exchange) : load().then((made) => (loaded ??= made)(exchange));
  return step as S;
}

/** Pipeline step. @throws AppError service_unavailable as long as there is a reason, in words for an operator. */
export const requireReady =
  (readiness: { reason(): string | undefined }): Step =>
  () => {
    const cause = readiness.reason();
    if (cause !== undefined)
      throw new FrameworkError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
  };

export class ExchangeLifecycle implements Outcome {
  readonly #requestTimeoutMs: number;
  readonly #admission: LifecycleOptions['admission'];
  readonly #log: LifecycleOptions['log'];
  readonly #deadlines: Deadlines<Exchange>;

  constructor({ requestTimeoutMs, admission, log }: LifecycleOptions) {
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#admission = admission;
    this.#log = log;
    this.#deadlines = new Deadlines<Exchange>(requestTimeoutMs, (exchange) => this.#timeOut(exchange));
  }

  readonly run = (exchange: ExchangeState, steps: readonly AnyStep[]): void => runSteps(steps, exchange, this);

  /** Pipeline step: starts the deadline. @param from `now`: earlier time belonged to middleware or to the host application. */
  start(from: 'arrival' | 'now'): Step {
    return from === 'arrival'
      ? (exchange) => this.#deadlines.start(exchange, exchange.arrivedAt)
      : (exchange) => this.#deadlines.start(exchange, performance.now());
  }

  /** Pipeline step: waits for a slot, if the request has none yet. @throws AppError service_unavailable */
  readonly acquireSlot: Step = (exchange) => {
    if (exchange.slotSince === NO_SLOT) return this.#admit(exchange);
    exchange.move('admitted');
  };

  /** Frees the slot and stops the deadline while the client sends. */
  awaitClient(exchange: Exchange): void {
    if (!exchange.move('receiving')) return;
    this.#deadlines.end(exchange);
    this.#admission.release(exchange);
  }

  /** The body has been received whole. @returns a promise if a slot has to be waited for. @throws AppError service_unavailable */
  received(exchange: Exchange): void | Promise<void> {
    if (exchange.phase !== 'receiving') return;
    this.#deadlines.start(exchange, performance.now());
    return this.#admit(exchange);
  }

  /** The client has sent what its request waited for: at once, as the request was admitted before. */
  resume(exchange: Exchange): void {
    if (!exchange.move(exchange.isHandled ? 'handling' : 'admitted')) return;
    this.#deadlines.start(exchange, performance.now());
    this.#admission.resume(exchange);
  }

  /** The handler has asked for the next item of the body: the deadline starts again, unless it is stopped. */
  renew(exchange: Exchange): void {
    if (exchange.slot !== -1) this.#deadlines.start(exchange, performance.now());
  }

  /** Stops the deadline: the calls that the request makes have their own. */
  stopDeadline(exchange: Exchange): void {
    this.#deadlines.end(exchange);
  }

  end(exchange: Exchange): void {
    if (!exchange.move('ended')) return;
    this.#deadlines.end(exchange);
    if (exchange.source?.isStreaming === true) exchange.release('work');
    else exchange.release('work', 'response');
    this.#admission.end(exchange);
  }

  /** A step has thrown. The error of one whose request was answered at its deadline is logged: it says what the request was waiting for. */
  fail(exchange: Exchange, error: unknown): void {
    if (exchange.isExpired) {
      const err = isAppError(error) ? (error.cause ?? error) : error;
      exchange.log.warn({ operation: exchange.operation?.id, err }, 'failed after its deadline');
      return this.end(exchange);
    }
    exchange.move('sending');
    this.#deadlines.end(exchange);
    const pending = exchange.service.endWithError(exchange, error);
    if (pending === undefined) this.end(exchange);
    else
      inBackground(
        pending.then(() => this.end(exchange)),
        this.#log,
        'a failed request could not be ended',
      );
  }

  /** Answers. Its slot is counted until its work ends. */
  #timeOut(exchange: Exchange): void {
    if (!exchange.expire()) return;
    exchange.incoming?.stream?.discard();
    exchange.release('response');
    const cause = new Error(`not answered within ${this.#requestTimeoutMs} ms`);
    const error = new FrameworkError('service_unavailable', 'the request took too long', { cause, headers: { 'Retry-After': '1' } });
    const pending = exchange.service.endWithError(exchange, error);
    if (pending !== undefined) inBackground(pending, this.#log, 'a request could not be ended at its deadline');
  }

  #admit(exchange: Exchange): void | Promise<void> {
    const pending = this.#admission.acquire(exchange);
    if (pending === undefined) {
      exchange.move('admitted');
      return;
    }
    exchange.move('waiting');
    return pending.then(() => void exchange.move('admitted'));
  }
}
