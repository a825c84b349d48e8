/** The response headers that the pipeline writes, so that handlers need not. */

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

const WRITTEN = ['Cache-Control', ...FRAMEWORK_HEADERS, ...RATE_LIMIT_HEADERS];

/** Headers that a response may have without a declaration in the contract: those of HTTP and of the pipeline. As written, and in lower case. */
export const UNDECLARED_HEADERS: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive'],
  ...WRITTEN,
  ...WRITTEN.map((name) => name.toLowerCase()),
]);
