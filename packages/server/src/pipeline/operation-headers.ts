/** The headers of every response of an operation, refusals too: who may keep it, how its path is queried, and deprecation. */
import { type ContractOperation, type HeaderFields, type Operation, isSafe } from '@specwright/contract';
import type * as AcceptQuery from './accept-query.ts';
import { INITIAL_HEADERS } from './exchange.ts';
import type * as Lifecycle from './operation-lifecycle.ts';

/** Loaded for services with an operation for QUERY, and with one that is deprecated or unstable. */
export interface HeaderModules {
  readonly acceptQuery?: typeof AcceptQuery | undefined;
  readonly lifecycle?: typeof Lifecycle | undefined;
}

/** Those that are the same in each response, made once. */
export function operationHeaders(
  operation: ContractOperation,
  operations: readonly ContractOperation[],
  { acceptQuery, lifecycle }: HeaderModules,
): HeaderFields {
  const fields = INITIAL_HEADERS.copy();
  const cacheControl = cacheControlOf(operation);
  if (cacheControl !== undefined) fields.set('Cache-Control', cacheControl);
  acceptQuery?.addAcceptedQueries(fields, operation, operations);
  lifecycle?.addDates(fields, operation);
  return fields;
}

/**
 * The response to a write must not be cached: secrets are shown once there. What is read with credentials is the caller's
 * alone, and asked for again each time, by its ETag if it has one (RFC 9111, sections 3.5 and 5.2.2). A handler may give another.
 */
function cacheControlOf({ method, security }: Operation): string | undefined {
  if (!isSafe(method)) return 'no-store';
  return security.some((schemes) => schemes.length > 0) ? 'private, no-cache' : undefined;
}
