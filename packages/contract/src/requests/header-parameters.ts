/** The parameters of operations in headers. */
import { parametersOf, type Document, type DocumentOperation } from '../document/openapi.ts';

export const headerParameters = (document: Document, operation: DocumentOperation): string[] =>
  parametersOf(document, operation).flatMap(({ in: location, name }) => (location === 'header' ? [name] : []));

/** RFC 9110, section 9.2.1. */
const SAFE_METHODS: readonly string[] = ['get', 'head', 'options', 'trace'];

/** Whether the header `Idempotency-Key` is one of them, and the method one that has an effect. */
export const acceptsIdempotencyKey = (document: Document, operation: DocumentOperation): boolean =>
  !SAFE_METHODS.includes(operation.method) &&
  headerParameters(document, operation).some((name) => name.toLowerCase() === 'idempotency-key');
