/** The response headers that the request line writes itself, so that no handler has to give them. */

/**
 * Each is written by the step that knows its value. `Link` is not among them: lists write it too, and the
 * lifecycle step adds to it.
 */
export const LINE_HEADERS = ['X-Request-Id', 'WWW-Authenticate', 'Allow', 'Retry-After', 'Deprecation', 'Sunset', 'X-Stability'] as const;

/** The same of the rate limits, if the contract has some (`x-rate-limit-plans`). */
export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'] as const;

/** Headers of HTTP itself, which a contract does not declare. Lower case. */
export const PROTOCOL_HEADERS = ['content-type', 'content-length', 'date', 'connection', 'keep-alive'] as const;
