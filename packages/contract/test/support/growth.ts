/** Measures how the processor time of a verdict grows with the bytes that were sent. */

export const SIZES = [1, 4, 16, 64].map((kib) => kib * 1024);
/** Time may grow this much faster than the bytes. */
export const MAX_GROWTH = 1.3;
/** Less processor time than this for 64 KiB is not looked at closer, in ms. Smaller sizes have their part of it. */
const FLOOR_MS = 10;
const ATTEMPTS = 4;
const REPEATS = 5;

export interface Growth {
  /** How much faster time grows than the bytes where these are four times as many. 0 if the verdict on the largest takes next to no time. */
  readonly factor: number;
  /** By size, processor time in ms. */
  readonly times: readonly number[];
}

/**
 * The least of several measurements: what other programs of the machine add is no part of it.
 *
 * @param attempts how often what grows too fast is measured again. @param prepare makes the input of a size in bytes, outside of the measurement. @param run gives the verdict.
 */
export function measureGrowth<T>(
  prepare: (bytes: number) => T,
  run: (input: T) => unknown,
  sizes: readonly number[] = SIZES,
  attempts = ATTEMPTS,
): Growth {
  const largest = prepare(sizes.at(-1) ?? 0);
  const screened = Math.min(...Array.from({ length: 2 }, () => timeOnce(() => run(largest))));
  if (screened < FLOOR_MS) return { factor: 0, times: [screened] };
  let best: Growth | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const growth = measureOnce(prepare, run, sizes);
    if (best === undefined || growth.factor < best.factor) best = growth;
    if (best.factor <= MAX_GROWTH) break;
  }
  return best as Growth;
}

function measureOnce<T>(prepare: (bytes: number) => T, run: (input: T) => unknown, sizes: readonly number[]): Growth {
  const largest = sizes.at(-1) ?? 0;
  const times: number[] = [];
  for (const [i, bytes] of sizes.entries()) {
    const input = prepare(bytes);
    times.push(timeOf(() => run(input)));
    const [before = 0, after = 0] = times.slice(-2);
    // What grows without bound is not measured any further.
    if (i > 0 && after > 2000) return { factor: after / before / (bytes / (sizes[i - 1] ?? 1)), times };
  }
  if ((times.at(-1) ?? 0) < FLOOR_MS) return { factor: 0, times };
  // Over two steps: one is as often off by what a collection of garbage takes.
  const first = Math.max(0, sizes.length - 3);
  const from = sizes[first] ?? 1;
  const least = (FLOOR_MS * from) / largest;
  const exponent = Math.log((times.at(-1) ?? 0) / Math.max(times[first] ?? 0, least)) / Math.log(largest / from);
  return { factor: 4 ** (exponent - 1), times };
}

/** Wall clock, which is no shorter than the processor time of this thread, and has no cost. */
function timeOnce(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Processor time of the process in ms: the least of several runs. Short runs are repeated until they can be measured. */
function timeOf(run: () => unknown): number {
  let least = Infinity;
  for (let i = 0; i < REPEATS; i++) {
    let rounds = 0;
    const start = process.cpuUsage();
    let spent = 0;
    do {
      run();
      rounds++;
      const { user, system } = process.cpuUsage(start);
      spent = (user + system) / 1000;
    } while (spent < 1 && rounds < 50);
    least = Math.min(least, spent / rounds);
    if (spent > 500) break;
  }
  return least;
}
