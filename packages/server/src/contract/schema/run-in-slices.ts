/** Runs long work in slices, so that a server answers other requests meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a slice may hold the event loop. Its last step may go beyond. */
const SLICE_MS = 8;

export interface SliceOptions {
  /** Waits for the next slice. Default: until the event loop has run once. */
  readonly pause?: () => Promise<unknown>;
  /** Ends it before the next slice. */
  readonly signal?: AbortSignal | undefined;
}

/** @param steps work of which each step is short. */
export async function runInSlices(steps: Iterator<void>, { pause = nextTurn, signal }: SliceOptions = {}): Promise<void> {
  for (let end = performance.now() + SLICE_MS; signal?.aborted !== true && steps.next().done !== true;) {
    if (performance.now() < end) continue;
    await pause();
    end = performance.now() + SLICE_MS;
  }
}
