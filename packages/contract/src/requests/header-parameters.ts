/** The parameters of operations in headers. */
import { isSafe, parametersOf, type Document, type DocumentOperation } from '../document/openapi.ts';

export const headerParameters = (document: Document, operation: DocumentOperation): string[] =>
  parametersOf(document, operation).flatMap(({ in: location, name }) => (location === 'header' ? [name] : []));

/** Whether the header `Idempotency-Key` is one of them, and the method one that has an effect. */
export const acceptsIdempotencyKey = (document: Document, operation: DocumentOperation): boolean =>
  !isSafe(operation.method) && headerParameters(document, operation).some((name) => name.toLowerCase() === 'idempotency-key');
