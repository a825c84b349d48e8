/** The parts of a server, such as a pool, a cache or a worker: started, flushed, stopped and closed with it, each once. */
import type { ServerResponse } from 'node:http';
import { inBackground } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import type { MetricSource } from '@specwright/contract/runtime';

/** What a server needs or does beside requests. It is listed after what it uses. */
export interface ServerPart {
  /** What it tells `GET /metrics`. */
  readonly metrics?: MetricSource | undefined;
  /**
   * Begins background work: when the server listens and is ready for the first time, and the parts before it have started. What it throws is
   * an `error` of the server, and no part after it is started.
   *
   * @param signal aborted when the server stops meanwhile: the stop waits for a start that has begun.
   */
  readonly start?: ((signal: AbortSignal) => unknown) | undefined;
  /** Writes what a request has left to be written, before its response ends: with `background: false` alone. It reports what it throws. */
  readonly flush?: (() => Promise<unknown>) | undefined;
  /** Ends background work: when the server begins to stop, beside the requests that are still answered. */
  readonly stop?: (() => unknown) | undefined;
  /** Releases what it has: after the last request, and after the parts that follow it are closed. Also without a start. */
  readonly close?: (() => unknown) | undefined;
}

/** Starts parts in their order, stops them at once, and closes them in the reverse order. One that fails keeps no other from ending. */
export class PartLifecycle {
  readonly #parts: readonly ServerPart[];
  readonly #log: Pick<Log, 'error'>;
  readonly #stopping = new AbortController();
  readonly #errors: unknown[] = [];
  #started: Promise<void> | undefined = undefined;
  #stopped: Promise<void> | undefined = undefined;
  #closed: Promise<void> | undefined = undefined;

  /** @param onStop called at once when the server begins to stop, also while parts are started. */
  constructor(parts: readonly ServerPart[], log: Pick<Log, 'error'>, onStop: () => void) {
    this.#parts = parts;
    this.#log = log;
    this.#stopping.signal.addEventListener('abort', onStop);
  }

  get metrics(): readonly MetricSource[] {
    return this.#parts.flatMap((part) => (part.metrics === undefined ? [] : [() => part.metrics?.() ?? []]));
  }

  /** @throws what a start has thrown, unless the server was being stopped. */
  start(): Promise<void> {
    return (this.#started ??= this.#startAll());
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#parts.map(async (part) => part.flush?.()));
  }

  /** Never rejects: what has failed is logged, and thrown by `close`. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopAll());
  }

  /** @throws AggregateError of what could not be stopped or closed, after everything else is closed. */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #startAll(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for (const part of this.#parts) if (!signal.aborted) await part.start?.(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort(new Error('the server stops'));
    // Who has started it was told of a failure.
    await this.#started?.catch(() => undefined);
    await Promise.all(this.#parts.map((part) => this.#attempt('stopped', async () => part.stop?.())));
  }

  async #closeAll(): Promise<void> {
    await this.stop();
    for (const part of [...this.#parts].reverse()) await this.#attempt('closed', async () => part.close?.());
    if (this.#errors.length > 0) throw new AggregateError(this.#errors, 'parts of the server could not be stopped or closed');
  }

  async #attempt(done: 'stopped' | 'closed', work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#errors.push(err);
      this.#log.error({ err }, `a part of the server could not be ${done}`);
    }
  }
}

/**
 * Holds back the end of a response until what the request has left to be done is done: a platform may freeze the process then.
 *
 * Whatever ends the response: the pipeline, an error, a stream, middleware. A second end has no effect, as without this.
 */
export function flushBeforeEnd(response: ServerResponse, lifecycle: Pick<PartLifecycle, 'flush'>): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  let isEnded = false;
  response.end = (...args: unknown[]) => {
    if (!isEnded) inBackground(lifecycle.flush().then(() => void end(...args)));
    isEnded = true;
    return response;
  };
}
