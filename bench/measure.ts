/** Measures a function that is called by many at once: how often in a second, and how long one waits. */

export interface Measured {
  readonly perSecond: number;
  /** ms. */
  readonly p50: number;
  readonly p99: number;
}

/** @param inFlight how many calls are under way at any moment; @param ms for how long, after a tenth of it to warm up. */
export async function measure(call: (i: number) => Promise<unknown>, inFlight: number, ms: number): Promise<Measured> {
  await loop(call, inFlight, ms / 10);
  const began = performance.now();
  const waits = (await loop(call, inFlight, ms)).sort((a, b) => a - b);
  const seconds = (performance.now() - began) / 1000;
  const at = (part: number) => waits[Math.floor(waits.length * part)] ?? NaN;
  return { perSecond: waits.length / seconds, p50: at(0.5), p99: at(0.99) };
}

async function loop(call: (i: number) => Promise<unknown>, inFlight: number, ms: number): Promise<number[]> {
  const waits: number[] = [];
  const end = performance.now() + ms;
  let calls = 0;
  const worker = async () => {
    for (let now = performance.now(); now < end;) {
      await call(calls++);
      const after = performance.now();
      waits.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return waits;
}
