/** Notices that this process was paused: frozen by the platform or a signal, on a machine that slept, or blocked by its own work. */

/** How often the process shows that it runs, in ms. */
const BEAT_INTERVAL_MS = 250;
/** The shortest pause that counts, in ms: less than the second for which the writers of changes wait for servers. */
const MIN_PAUSE_MS = 750;

type Listener = (pausedMs: number) => void;

/** A pause is one of the process, however many servers it has. */
const listeners = new Set<Listener>();
let timer: NodeJS.Timeout | undefined;
let beatAt = 0;
let wallAt = 0;
let settling: Promise<void> | undefined;

/** Two turns of the event loop: in the first one what has arrived is read, at the end of it connections are closed. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  settling = undefined;
};

/** @param listener gets the time since this process last showed that it runs, in ms. @returns what ends that. */
export function onPause(listener: Listener): () => void {
  if (timer === undefined) {
    beatAt = performance.now();
    wallAt = Date.now();
    timer = setInterval(checkPause, BEAT_INTERVAL_MS).unref();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Calls the listeners if this process was paused. Call it before using what a pause may have made untrue: after a pause the first request may
 * be read before any timer runs.
 *
 * @returns whether what arrived during a pause has not been read yet, such as the end of a connection: `afterPause` waits for it.
 */
export function checkPause(): boolean {
  if (timer === undefined) return settling !== undefined;
  const now = performance.now();
  const wall = Date.now();
  // The monotonic clock of a machine that sleeps may stand still.
  const pausedMs = Math.max(now - beatAt, wall - wallAt);
  beatAt = now;
  wallAt = wall;
  if (pausedMs < MIN_PAUSE_MS) return settling !== undefined;
  settling ??= settle();
  for (const listener of listeners) listener(pausedMs);
  return true;
}

/** Resolves once what arrived during the last pause has been read. */
export const afterPause = async (): Promise<void> => settling;
