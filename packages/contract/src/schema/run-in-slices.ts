/** Runs long work in slices, so that a server answers other requests meanwhile. The event loop is the process's: so is the queue. */
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { inBackground } from '../promises.ts';

/** How long a slice may hold the event loop. Its last step may go beyond. */
const SLICE_MS = 6;

type Steps = Iterator<void>;

interface Job {
  readonly steps: Steps;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What requests wait for, in the order in which they came: there is one slice in a turn of the event loop, however many wait. */
const queue: Job[] = [];
let isRunning = false;

/** Runs work that something waits for. */
export const runInSlices = (steps: Steps): Promise<void> =>
  new Promise((resolve, reject) => {
    queue.push({ steps, resolve, reject });
    if (!isRunning) inBackground(runQueue());
  });

async function runQueue(): Promise<void> {
  isRunning = true;
  while (queue.length > 0) {
    runSlice();
    await nextTurn();
  }
  isRunning = false;
}

function runSlice(): void {
  const end = performance.now() + SLICE_MS;
  for (let [job] = queue; job !== undefined && performance.now() < end; [job] = queue) {
    try {
      if (job.steps.next().done !== true) continue;
      queue.shift();
      job.resolve();
    } catch (error) {
      queue.shift();
      job.reject(error);
    }
  }
}

/** How long a server only answers between two slices of work that nothing waits for. */
const IDLE_MS = 10;

/** Runs work that nothing waits for, while nothing else is to be run. A process does not stay for it. @param signal ends it. */
export async function runWhenIdle(steps: Steps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    for (const end = performance.now() + SLICE_MS; queue.length === 0 && performance.now() < end;)
      if (signal?.aborted === true || steps.next().done === true) return;
    await setTimeout(IDLE_MS, undefined, { ref: false });
  }
}
