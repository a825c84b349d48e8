/** The header fields that tell a caller its limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`. */
import { secondsUntil, type RateLimitDecision } from './decision.ts';
import { WINDOW_MS, WINDOW_NAMES } from './windows.ts';

/**
 * The fields of a decision.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` the quota and `w` its length in seconds; `r` what is left and `t` the seconds until it is
 * whole again.
 */
export function rateLimitHeaders({ now, windows, reported }: RateLimitDecision): Record<string, string> {
  const { limit, remaining, ends } = windows[reported];
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    // Rounded up: at that second the limit has been reset.
    'X-RateLimit-Reset': String(Math.ceil(ends / 1000)),
    RateLimit: WINDOW_NAMES.map((span) => `"${span}";r=${windows[span].remaining};t=${secondsUntil(windows[span].ends, now)}`).join(', '),
    'RateLimit-Policy': WINDOW_NAMES.map((span) => `"${span}";q=${windows[span].limit};w=${WINDOW_MS[span] / 1000}`).join(', '),
  };
}
