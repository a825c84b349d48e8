/** The header fields that tell a caller its limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`. */
import type { HeaderFields } from '@specwright/contract';
import { secondsUntil, type RateLimitDecision } from './decision.ts';
import { WINDOW_MS } from './windows.ts';

/**
 * Sets the fields of a decision.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` the quota and `w` its length in seconds; `r` what is left and `t` the seconds until it is
 * whole again.
 */
export function setRateLimitHeaders(headers: HeaderFields, { now, windows, reported }: RateLimitDecision): void {
  const { minute, day } = windows;
  const { limit, remaining, ends } = windows[reported];
  headers
    .set('X-RateLimit-Limit', String(limit))
    .set('X-RateLimit-Remaining', String(remaining))
    // Rounded up: at that second the limit has been reset.
    .set('X-RateLimit-Reset', String(Math.ceil(ends / 1000)))
    .set(
      'RateLimit',
      `"minute";r=${minute.remaining};t=${secondsUntil(minute.ends, now)}, "day";r=${day.remaining};t=${secondsUntil(day.ends, now)}`,
    )
    .set('RateLimit-Policy', formatPolicy(minute.limit, day.limit));
}

let lastPolicy = { minute: NaN, day: NaN, text: '' };

/** Kept for the next response: most are to callers with the same limits. */
function formatPolicy(minute: number, day: number): string {
  if (minute !== lastPolicy.minute || day !== lastPolicy.day) {
    const text = `"minute";q=${minute};w=${WINDOW_MS.minute / 1000}, "day";q=${day};w=${WINDOW_MS.day / 1000}`;
    lastPolicy = { minute, day, text };
  }
  return lastPolicy.text;
}
