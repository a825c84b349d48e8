/** The response headers that a page of another origin may read: those of the contract, and those of the pipeline. */
import { type ContractOperation, RATE_LIMIT_HEADERS, distinctNames } from '@specwright/contract';
import { MOCK_HEADER } from '../mock-missing.ts';

/** Every page may read these (Fetch, "CORS-safelisted response-header name"), and none may read cookies. */
const NOT_LISTED = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'],
  ...['set-cookie', 'set-cookie2'],
]);

export interface WrittenHeaders {
  /** Whether requests are counted against limits. */
  readonly hasLimits: boolean;
  /** Whether a mock answers for handlers that are not written. */
  readonly hasMock?: boolean;
}

/** The names of the response headers of an operation, or of what is none, whatever its status. */
export function exposedHeaders(operation: ContractOperation | undefined, { hasLimits, hasMock = false }: WrittenHeaders): string[] {
  const names = [
    ...(operation === undefined ? ['Allow', 'ETag'] : headersOf(operation)),
    ...['X-Request-Id', 'Retry-After'],
    ...(hasLimits ? RATE_LIMIT_HEADERS : []),
    ...(hasMock ? [MOCK_HEADER] : []),
  ];
  return distinctNames(names).filter((name) => !NOT_LISTED.has(name.toLowerCase()));
}

function headersOf({ responses, requirements, stability, deprecation, acceptsIdempotencyKey }: ContractOperation): string[] {
  return [
    ...Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
    ...(requirements.length > 0 ? ['WWW-Authenticate'] : []),
    ...(deprecation?.since ? ['Deprecation'] : []),
    ...(deprecation?.sunset ? ['Sunset'] : []),
    ...(deprecation?.successor ? ['Link'] : []),
    ...(stability === null ? [] : ['X-Stability']),
    ...(acceptsIdempotencyKey ? ['Idempotent-Replayed'] : []),
  ];
}
