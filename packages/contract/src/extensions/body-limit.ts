/** Reads and checks the largest body that a document allows: `x-body-limit`, in bytes, at an operation or at the root for all. */
import type { Document, OperationObject } from '../document/openapi.ts';

/** The largest body without `x-body-limit`, in bytes after decompression. */
export const DEFAULT_MAX_BODY_BYTES = 64 * 1024;

/** A body is held in memory: what is larger has to be sent in parts, or somewhere else. */
export const HIGHEST_BODY_LIMIT = 1024 ** 3;

/** The limit of an operation's body, in bytes; `undefined` if the document has none. */
export const bodyLimitOf = (document: Document, operation: OperationObject): number | undefined =>
  (operation['x-body-limit'] ?? document['x-body-limit']) as number | undefined;

/** What is wrong with a limit; `undefined` if nothing is, or there is none. @param highest the largest that is allowed. */
export function bodyLimitProblem(value: unknown, highest = HIGHEST_BODY_LIMIT): string | undefined {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= highest)) return undefined;
  return `x-body-limit must be a number of bytes from 1 to ${highest}, not ${JSON.stringify(value)}`;
}
