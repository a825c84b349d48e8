/** The header fields with the caller's limits: `X-RateLimit-*`, and the IETF's `RateLimit` and `RateLimit-Policy`. */
import { secondsUntil, type RateLimitDecision } from './decision.ts';
import { WINDOW_MS, WINDOW_NAMES } from './windows.ts';

/**
 * The fields of a decision.
 *
 * `X-RateLimit-Reset` is in Unix seconds. The structured fields (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and
 * 4) name both windows: `q` is the quota and `w` its length in seconds; `r` is what is left and `t` the seconds until
 * the window ends.
 */
export function rateLimitHeaders({ now, windows, reported }: RateLimitDecision): Record<string, string> {
  const { limit, remaining, ends } = windows[reported];
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    // Rounded up: at that second the window has ended.
    'X-RateLimit-Reset': String(Math.ceil(ends / 1000)),
    RateLimit: WINDOW_NAMES.map((name) => `"${name}";r=${windows[name].remaining};t=${secondsUntil(windows[name].ends, now)}`).join(', '),
    'RateLimit-Policy': WINDOW_NAMES.map((name) => `"${name}";q=${windows[name].limit};w=${WINDOW_MS[name] / 1000}`).join(', '),
  };
}
