/** Whether the server can serve requests: looked at when a probe asks, at most once a second, and once a second until it can. */
import type { Readiness } from '../endpoints/probes.ts';
import type { Log } from '../log/logger.ts';
import { inTime } from '../ops/time-limits.ts';

/** The shortest time between two looks, however many probes ask. */
const POLL_INTERVAL_MS = 1000;
const LOOK_TIMEOUT_MS = 1000;

/** Some requests can be served, but the probe fails: for example, a database that takes no writes. */
export interface Degraded {
  readonly degraded: string;
}

export interface ReadinessProbe {
  /**
   * Checks the dependencies, within a second: then `signal` is aborted.
   *
   * @returns undefined if requests can be served; else why none can, or why some cannot. @throws Error if a dependency cannot be
   *   reached: a server that was ready goes on serving, as each request finds out for itself.
   */
  readonly probe: (signal: AbortSignal) => Promise<string | Degraded | undefined>;
  readonly close?: () => void;
}

export interface ReadinessOptions extends ReadinessProbe {
  /** Gets a line each time that the reason changes. */
  readonly log: Pick<Log, 'info' | 'error'>;
}

/**
 * Creates the state that the pipeline and the probes read. Call `start` when what it looks at has been prepared.
 *
 * A dependency that cannot be reached fails the probe, but no requests: each finds out for itself, so that none is refused
 * between the return of the dependency and the next look.
 */
export const createReadiness = (options: ReadinessOptions): WatchedReadiness => new WatchedReadiness(options);

export class WatchedReadiness implements Readiness {
  readonly #options: ReadinessOptions;
  #refusal: string | undefined = 'starting';
  /** Why the probe fails: also for what refuses no request. */
  #problem: string | undefined = 'starting';
  #lookedAt = -Infinity;
  #look: Promise<void> | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #isStarted = false;
  #isStopped = false;
  readonly #listeners: (() => void)[] = [];

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  reason(): string | undefined {
    return this.#refusal;
  }

  async check(): Promise<string | undefined> {
    if (this.#isStarted && performance.now() - this.#lookedAt >= POLL_INTERVAL_MS) this.#startLook();
    await this.#look;
    return this.#isStopped ? 'stopping' : this.#problem;
  }

  /** Calls `listener` each time that the server becomes ready, and now if it is. */
  onReady(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#problem === undefined) listener();
  }

  /**
   * The first look: until then every probe is answered `starting`. A look at a database that this process is about to migrate would
   * report what is not going to be true.
   *
   * @returns why requests cannot be served; `undefined` if they can.
   */
  start(): Promise<string | undefined> {
    this.#isStarted = true;
    return this.check();
  }

  /** Ends the looks. From now on `check` says that the server is stopping, while requests are served as before. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#options.close?.();
  }

  #startLook(): void {
    if (!this.#isStopped) this.#look ??= this.#lookNow();
  }

  async #lookNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#lookedAt = performance.now();
    try {
      const controller = new AbortController();
      const result = await inTime(this.#options.probe(controller.signal), LOOK_TIMEOUT_MS, () => {
        // When this error is the result, and not that of the probe which is aborted.
        queueMicrotask(() => controller.abort());
        return new Error(`no answer within ${LOOK_TIMEOUT_MS} ms`);
      });
      this.#refusal = typeof result === 'string' ? result : undefined;
      this.#setProblem(typeof result === 'object' ? result.degraded : result);
    } catch (error) {
      this.#setProblem((error as Error).message);
    }
    this.#look = undefined;
    if (this.#problem !== undefined && !this.#isStopped) this.#timer = setTimeout(() => this.#startLook(), POLL_INTERVAL_MS).unref();
  }

  #setProblem(value: string | undefined): void {
    if (value === this.#problem || this.#isStopped) return;
    this.#problem = value;
    const { log } = this.#options;
    if (value !== undefined) return log.error({ reason: value }, 'not ready');
    log.info({}, 'ready');
    for (const listener of this.#listeners) listener();
  }
}
