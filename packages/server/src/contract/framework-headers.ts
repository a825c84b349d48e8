/** The response headers that the request line writes itself, so that no handler has to give them. */

/**
 * Each is written by the step that knows its value. `Link` is not among them: lists write it too, and the
 * lifecycle step adds to it.
 */
export const FRAMEWORK_HEADERS = ['X-Request-Id', 'WWW-Authenticate', 'Allow', 'Retry-After', 'Deprecation', 'Sunset', 'X-Stability'] as const;

/** The same of the rate limits, if the contract has some (`x-rate-limit-plans`). */
export const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'] as const;

/**
 * Headers that a response may have though the contract does not declare them: those of HTTP itself, and those of the line,
 * which no contract of somebody else's knows of. Lower case.
 */
export const UNDECLARED_HEADERS: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive'],
  ...[...FRAMEWORK_HEADERS, ...RATE_LIMIT_HEADERS].map((name) => name.toLowerCase()),
]);
