/** The header fields that the pipeline writes, which no contract has to declare. */

/** `Link` and `Cache-Control` are not among them: handlers may write them, and the pipeline adds to the one and gives a default for the other. */
export const FRAMEWORK_HEADERS = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'WWW-Authenticate',
  'Allow',
  'Retry-After',
  'Deprecation',
  'Sunset',
  'X-Stability',
  'Idempotent-Replayed',
] as const;

/** Those of the rate limits, for a contract with `x-rate-limit-plans`. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;
