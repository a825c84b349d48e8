/** The header fields that tell a caller its limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`. */
import { secondsUntil, type RateLimitDecision } from './decision.ts';
import { WINDOW_MS } from './windows.ts';

/**
 * Sets the fields of a decision.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` the quota and `w` its length in seconds; `r` what is left and `t` the seconds until it is
 * whole again.
 */
export function setRateLimitHeaders(headers: Record<string, string>, { now, windows, reported }: RateLimitDecision): void {
  const { minute, day } = windows;
  const { limit, remaining, ends } = windows[reported];
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
  // Rounded up: at that second the limit has been reset.
  headers['X-RateLimit-Reset'] = String(Math.ceil(ends / 1000));
  headers['RateLimit'] =
    `"minute";r=${minute.remaining};t=${secondsUntil(minute.ends, now)}, "day";r=${day.remaining};t=${secondsUntil(day.ends, now)}`;
  headers['RateLimit-Policy'] = `"minute";q=${minute.limit};w=${WINDOW_MS.minute / 1000}, "day";q=${day.limit};w=${WINDOW_MS.day / 1000}`;
}
