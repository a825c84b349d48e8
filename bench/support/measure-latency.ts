/** Calls a function with a fixed number of calls in flight: throughput and latency. */

export interface LatencyFigures {
  readonly perSecond: number;
  /** In ms. */
  readonly p50: number;
  readonly p99: number;
}

/** @param inFlight how many calls are in flight at any moment; @param durationMs after a warm-up of a tenth of it. */
export async function measureLatency(call: (i: number) => Promise<unknown>, inFlight: number, durationMs: number): Promise<LatencyFigures> {
  await callFor(call, inFlight, durationMs / 10);
  const startedAt = performance.now();
  const latencies = (await callFor(call, inFlight, durationMs)).sort((a, b) => a - b);
  const seconds = (performance.now() - startedAt) / 1000;
  const percentile = (fraction: number) => latencies[Math.floor(latencies.length * fraction)] ?? NaN;
  return { perSecond: latencies.length / seconds, p50: percentile(0.5), p99: percentile(0.99) };
}

/** @returns the latency of each call, in ms. */
async function callFor(call: (i: number) => Promise<unknown>, inFlight: number, durationMs: number): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + durationMs;
  let calls = 0;
  const worker = async () => {
    for (let now = performance.now(); now < end;) {
      await call(calls++);
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return latencies;
}
