/** Gives every operation of a document a unique `operationId`. */
import {
  isObject,
  methodsOf,
  operationAt,
  withOperation,
  type Document,
  type Method,
  type OperationObject,
  type PathItem,
} from '../document/openapi.ts';

/**
 * A document in which each operation has a unique `operationId` and `responses`. One without `paths`, which OpenAPI 3.1 allows, gets none.
 *
 * An id that is missing, used by an earlier operation, or reserved is replaced by one that is derived from method and path.
 * A document that is not OpenAPI is returned as far as it can be read; `checkDocument` reports what is wrong with it.
 */
export function assignOperationIds(document: Document): Document {
  if (!('paths' in document)) return { ...(document as Document), paths: {} };
  if (!isObject(document.paths)) return document;
  const used = new Set<string>(RESERVED_OPERATION_IDS);
  const operations: { readonly path: string; readonly method: Method; readonly copy: OperationObject }[] = [];
  const paths: Record<string, PathItem> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    // Extensions (`x-...`) and what is not a path item have no operations.
    if (!path.startsWith('/') || !isObject(item)) continue;
    paths[path] = methodsOf(item).reduce((copied, method) => {
      const operation = operationAt(item, method);
      if (!isObject(operation)) return operation === undefined ? copied : withOperation(copied, method, undefined);
      const copy: OperationObject = { ...operation, responses: (operation as Partial<OperationObject>).responses ?? NO_RESPONSE };
      operations.push({ path, method, copy });
      return withOperation(copied, method, copy);
    }, item);
  }
  const unnamed = operations.filter(({ copy: { operationId: id } }) => {
    const isTaken = typeof id !== 'string' || id === '' || used.has(id);
    if (!isTaken) used.add(id);
    return isTaken;
  });
  // After all explicit ids are known, so that no derived id takes one of them.
  for (const { path, method, copy } of unnamed) copy.operationId = uniqueId(deriveId(method.toLowerCase(), path), used);
  return { ...document, paths };
}

/** What the language calls by its name: `await client` would send an operation `then`, and `JSON.stringify(client)` one that is `toJSON`. */
const CALLED_BY_NAME = ['then', 'catch', 'finally', 'toJSON', 'prototype'];

/** Names that every object inherits (`constructor`, `__proto__`, `toString`, ...): a missing handler of that name could not be noticed. */
export const RESERVED_OPERATION_IDS: readonly string[] = [...Object.getOwnPropertyNames(Object.prototype), ...CALLED_BY_NAME];

/** An operation that declares no responses may answer with any status, without a body. */
const NO_RESPONSE: OperationObject['responses'] = { default: { description: 'undeclared' } };

/** The derived id of an operation: `GET /users/{id}` is `getUsersById`. */
function deriveId(method: string, path: string): string {
  const segments = path.split(/[/?&#]/).map((segment) => segment.replace(/\{([^{}]+)\}/g, ' by $1 '));
  const words = segments.flatMap((segment) => segment.split(/[^\p{L}\p{N}]+/u)).filter((word) => word !== '');
  return [method, ...(words.length > 0 ? words : ['root'])]
    .map((word, i) => (i === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');
}

function uniqueId(id: string, used: Set<string>): string {
  let unique = id;
  for (let n = 2; used.has(unique); n++) unique = `${id}${n}`;
  used.add(unique);
  return unique;
}
