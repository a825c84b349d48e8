/** Time limits of promises and of work that is aborted by a signal. */
import { setMaxListeners } from 'node:events';

/** For promises that are few: a timer for each. @param late makes the error of one that is still pending after `ms`. */
export async function inTime<T>(promise: PromiseLike<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([promise, ended]).finally(() => clearTimeout(timer));
}

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Stops the timer and the listening. For work that has ended. */
  readonly release: () => void;
}

/**
 * A signal that is aborted with the first of several, or after a time.
 *
 * In place of `AbortSignal.any`, which forgets an `AbortSignal.timeout` once garbage was collected (Node.js 20: nodejs/node#57736), and
 * an abort in some later versions (nodejs/node#65995). A listener and a timer keep what they need.
 *
 * @param timeoutMs in ms; without it there is no timer.
 */
export function linkSignals(sources: readonly AbortSignal[], timeoutMs?: number): LinkedSignal {
  const controller = new AbortController();
  const listeners = sources.map((source) => [source, () => controller.abort(source.reason)] as const);
  const late = () => controller.abort(new DOMException(`no end within ${String(timeoutMs)} ms`, 'TimeoutError'));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  for (const [source, abort] of listeners) {
    // Many may follow one source: Node.js would warn of more than ten.
    setMaxListeners(0, source);
    source.addEventListener('abort', abort, { once: true });
    if (source.aborted) abort();
  }
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const [source, abort] of listeners) source.removeEventListener('abort', abort);
    },
  };
}
