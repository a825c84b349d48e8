/** Bounds the time of a request, attempt by attempt. */
import type { OperationEntry } from './types.ts';

export interface Deadline {
  /** Aborted when the time is up, or with the signal of the call. */
  readonly signal: AbortSignal | undefined;
  /** Of a new attempt. */
  readonly start: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The longest time of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @param timeoutMs no end if it is longer than a timer can be, which `Infinity` is. */
export function createDeadline({ id, method, path }: OperationEntry, timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  if (timeoutMs > MAX_TIMER_MS) return { signal, start: () => undefined, pause: () => undefined, resume: () => undefined };
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = 0;
  const stop = () =>
    controller.abort(new DOMException(`${id}: no response to ${method} ${path} within ${timeoutMs} ms (timeoutMs)`, 'TimeoutError'));
  const resume = () => {
    timer = setTimeout(stop, endsAt - Date.now());
  };
  return {
    // Both sources are kept by the call that waits. A listener on the signal of the caller would be one for each of its calls.
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    start: () => {
      endsAt = Date.now() + timeoutMs;
      resume();
    },
    pause: () => clearTimeout(timer),
    resume,
  };
}
