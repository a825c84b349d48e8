/** One deadline for many promises: a timer for the oldest of them instead of one for each. */

class DeadlineError extends Error {}

interface Waiting {
  readonly deadline: number;
  readonly reject: (error: Error) => void;
  settled: boolean;
}

/** @param ms how long each promise may take. */
export function createDeadlines(ms: number) {
  // In the order of their deadlines, as all have the same time. Those at the front that are settled are dropped.
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  function expire(): void {
    timer = undefined;
    const now = performance.now();
    const late = waiting.filter(({ deadline, settled }) => !settled && deadline <= now);
    waiting = waiting.filter(({ deadline, settled }) => !settled && deadline > now);
    // Timers run before input is read: after a pause of this process the answer may be there already.
    if (late.length > 0) setImmediate(() => late.forEach(({ reject }) => reject(new DeadlineError(`no answer within ${ms} ms`))));
    schedule(now);
  }

  function schedule(now: number): void {
    const next = waiting[0];
    if (next !== undefined) timer ??= setTimeout(expire, Math.max(1, next.deadline - now)).unref();
  }

  return {
    /** @throws Error if the promise has not settled in time. */
    race<T>(promise: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const now = performance.now();
        const entry: Waiting = { deadline: now + ms, reject, settled: false };
        waiting.push(entry);
        schedule(now);
        promise.then(resolve, reject).finally(() => (entry.settled = true));
      });
    },

    /** Ends the time of all promises now, in the order in which they were given. */
    expireAll(error: Error): void {
      const [late, rest] = [waiting, []];
      waiting = rest;
      for (const { reject, settled } of late) if (!settled) reject(error);
    },
  };
}
