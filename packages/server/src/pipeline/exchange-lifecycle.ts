/**
 * Moves exchanges through their phases (`exchange.ts`), and tells the deadline, the admission and the list of what there is to release: the
 * one place where a request ends, however it does. A move that is not legal changes nothing: whatever comes after a deadline is late.
 */
import { inBackground } from '@specwright/contract';
import { FrameworkError, isAppError, Deadlines } from '@specwright/contract/runtime';
import type { Log } from '../log/logger.ts';
import type { Admission } from './admission/admission.ts';
import { runSteps, type AnyStep, type Exchange, type ExchangeState, type Outcome, type Step } from './exchange.ts';

export interface LifecycleOptions {
  /** How long this server may take for a request, in ms. */
  readonly requestTimeoutMs: number;
  readonly admission: Pick<Admission, 'acquireSlot' | 'expire' | 'freeSlot' | 'reacquireSlot' | 'release' | 'resume'>;
  readonly log: Pick<Log, 'error'>;
}

export class ExchangeLifecycle implements Outcome {
  readonly #admission: LifecycleOptions['admission'];
  readonly #log: LifecycleOptions['log'];
  readonly #deadlines: Deadlines<Exchange>;

  constructor({ requestTimeoutMs, admission, log }: LifecycleOptions) {
    this.#admission = admission;
    this.#log = log;
    this.#deadlines = new Deadlines<Exchange>(requestTimeoutMs, (exchange) => this.#timeOut(exchange, requestTimeoutMs));
  }

  readonly run = (exchange: ExchangeState, steps: readonly AnyStep[]): void => runSteps(steps, exchange, this);

  /** Pipeline step: starts the deadline. @param from `now`: earlier time belonged to middleware or to the host application. */
  start(from: 'arrival' | 'now'): Step {
    return from === 'arrival'
      ? (exchange) => this.#deadlines.start(exchange, exchange.arrivedAt)
      : (exchange) => this.#deadlines.start(exchange, performance.now());
  }

  /** Pipeline step: waits for a slot, if the request has none yet. @throws AppError service_unavailable */
  readonly acquireSlot: Step = (exchange) => this.#admitted(exchange, this.#admission.acquireSlot(exchange));

  /** Frees the slot and stops the deadline while the client sends. */
  awaitClient(exchange: Exchange): void {
    if (!exchange.move('receiving')) return;
    this.#deadlines.end(exchange);
    this.#admission.freeSlot(exchange);
  }

  /** The body has been received whole. @returns a promise if a slot has to be waited for. @throws AppError service_unavailable */
  received(exchange: Exchange): void | Promise<void> {
    if (exchange.phase !== 'receiving') return;
    this.#deadlines.start(exchange, performance.now());
    return this.#admitted(exchange, this.#admission.reacquireSlot(exchange));
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
    exchange.release('work');
    if (!exchange.isStreaming) exchange.release('response');
    this.#admission.release(exchange);
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
    inBackground(this.#endWithError(exchange, error), this.#log, 'a failed request could not be ended');
  }

  /** Answers. Its slot is counted until its work ends. */
  #timeOut(exchange: Exchange, ms: number): void {
    if (!exchange.expire()) return;
    this.#admission.expire(exchange);
    exchange.upload?.discard();
    exchange.release('response');
    const cause = new Error(`not answered within ${ms} ms`);
    const error = new FrameworkError('service_unavailable', 'the request took too long', { cause, headers: { 'Retry-After': '1' } });
    inBackground(exchange.service.endWithError(exchange, error), this.#log, 'a request could not be ended at its deadline');
  }

  async #endWithError(exchange: Exchange, error: unknown): Promise<void> {
    await exchange.service.endWithError(exchange, error);
    this.end(exchange);
  }

  #admitted(exchange: Exchange, pending: void | Promise<void>): void | Promise<void> {
    if (pending === undefined) exchange.move('admitted');
    else return pending.then(() => void exchange.move('admitted'));
  }
}
