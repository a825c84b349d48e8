/** Work that is repeated for as long as a process lives, such as the deletion of what is not kept any more. */
import { inBackground } from '../promises.ts';

/** A process may not live for an interval: platforms replace some every hour. */
const FIRST_MS = 60_000;

/**
 * Does the work within two minutes, and then after each interval, with jitter, so that not all servers do it at once. It keeps no process alive.
 *
 * @param intervalMs at least 60,000; between the end of one and the begin of the next, within a quarter.
 * @returns a function that ends it: what is under way goes on.
 */
export function repeatInBackground(work: () => Promise<unknown>, intervalMs: number): () => void {
  const jitter = 0.75 + Math.random() / 2;
  let isEnded = false;
  let timer = setTimeout(repeat, FIRST_MS * jitter).unref();
  function repeat(): void {
    const next = () => {
      if (!isEnded) timer = setTimeout(repeat, intervalMs * jitter).unref();
    };
    inBackground(work().finally(next));
  }
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
