/* What to do about the codes of errors, for people and for models. Plain JavaScript of a browser and of the server. */

/** What to do about the codes that the server itself answers with. */
export const ADVICE = {
  invalid_request: 'Correct what the message names, with its location, and send it again.',
  invalid_json: 'Send a body that is JSON, in UTF-8, without a property twice.',
  idempotency_key_reused: 'Use a new `Idempotency-Key` for each thing that is to be done.',
  unauthorized: 'Send a valid credential, as `WWW-Authenticate` says. Do not retry with the same one.',
  insufficient_scope: 'Get a token with the scopes that `WWW-Authenticate` names.',
  not_found: 'Check the path and the id. What belongs to somebody else is answered alike.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  request_timeout: 'Send the whole request sooner; it can be sent again.',
  idempotency_key_in_use: 'The first request is under way: send it again, with the same key, after a second.',
  gone: 'Use the successor that the operation names.',
  precondition_failed: 'Somebody changed it: read it again, and send the change with the new `ETag`.',
  body_too_large: 'Send less: the message says how much is admitted.',
  unsupported_content_type: 'Send one of the content types that the operation lists.',
  range_not_satisfiable: 'Ask for a range within the length in `Content-Range`.',
  expectation_failed: 'Send no other `Expect` than `100-continue`.',
  rate_limited: 'Wait for `Retry-After` seconds, and longer each time it happens again.',
  api_key_banned: 'Stop all requests with this key until `Retry-After` is over, and wait as told from then on.',
  headers_too_large: 'Send fewer or shorter headers.',
  internal_error: 'Retry later. If it remains, report the `X-Request-Id`.',
  not_implemented: 'The operation has no handler yet.',
  service_unavailable: 'Retry after `Retry-After` seconds.',
};
