/**
 * How many requests may run at once: adapted to their durations, as gradient limiters do (Netflix concurrency-limits, Envoy's adaptive
 * concurrency). More at once than the slowest part can work on, usually a pool of connections or a processor, only wait in places
 * where there is no fairness; fewer leave it idle.
 *
 * A gradient limiter compares durations with those of a quiet server. Theirs is one for the whole service, so that a change of the
 * mixture looks like overload; here each operation has its own. From the size of the pool alone the limit would be wrong for a
 * service that waits for something else, and for a database with fewer processors than the pool has connections.
 */

/** At first too. As many as the default pool has connections: in a flood of requests each turn of the event loop is long, and fewer idle. */
export const MIN_LIMIT = 10;
const MAX_LIMIT = 1000;
/** The limit is adapted at most this often, in ms, and by no fewer durations than these. */
const WINDOW_MS = 100;
const MIN_SAMPLES = 10;
/** Durations of a saturated server in proportion to those of a quiet one: below the first the limit rises, above the other it falls. */
const RISE_BELOW = 1.5;
const FALL_ABOVE = 2;

export class ConcurrencyLimit {
  value = MIN_LIMIT;
  #windowStart = 0;
  #samples = 0;
  #measured = 0;
  #expected = 0;

  /** For a request that has ended while others wait. @param quietMs what its operation lasts on a quiet server; 0 if that is not known. @param now of `performance.now()`. */
  adapt(quietMs: number, ms: number, now: number): void {
    if (quietMs === 0) return;
    this.#measured += ms;
    this.#expected += quietMs;
    if (++this.#samples < MIN_SAMPLES || now - this.#windowStart < WINDOW_MS) return;
    const slowdown = this.#measured / this.#expected;
    if (slowdown < RISE_BELOW) this.value = Math.min(MAX_LIMIT, this.value + Math.max(1, Math.floor(this.value / 4)));
    else if (slowdown > FALL_ABOVE) this.value = Math.max(MIN_LIMIT, Math.floor(this.value * 0.9));
    this.#windowStart = now;
    this.#samples = this.#measured = this.#expected = 0;
  }
}
