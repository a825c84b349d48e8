/** The header fields that tell a caller its limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`. */
import { indexOfHeader, type HeaderList } from '../http/header-list.ts';
import { secondsUntil, type RateLimitDecision } from './decision.ts';
import { WINDOW_MS } from './windows.ts';

/**
 * Sets the fields of a decision.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` the quota and `w` its length in seconds; `r` what is left and `t` the seconds until it is
 * whole again.
 */
export function setRateLimitHeaders(headers: HeaderList, { now, windows, reported }: RateLimitDecision): void {
  const { minute, day } = windows;
  const { limit, remaining, ends } = windows[reported];
  // They are there if a step has failed that comes after them.
  const value = indexOfHeader(headers, 'X-RateLimit-Limit');
  if (value !== -1) headers.splice(value - 1, 10);
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    // Rounded up: at that second the limit has been reset.
    'X-RateLimit-Reset',
    String(Math.ceil(ends / 1000)),
    'RateLimit',
    `"minute";r=${minute.remaining};t=${secondsUntil(minute.ends, now)}, "day";r=${day.remaining};t=${secondsUntil(day.ends, now)}`,
    'RateLimit-Policy',
    formatPolicy(minute.limit, day.limit),
  );
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
