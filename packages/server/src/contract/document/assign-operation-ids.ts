/** Gives every operation of a document a unique `operationId`, and resolves references to path items. */
import { isObject, METHODS, resolve, type Document, type OperationObject, type PathItem } from './openapi.ts';

/**
 * A document in which each operation has a unique `operationId` and `responses`, and no path item is a reference.
 *
 * An id that is missing, used by an earlier operation, or reserved is replaced by one that is derived from method and path.
 * A document that is not OpenAPI is returned as far as it can be read; `checkDocument` reports what is wrong with it.
 */
export function assignOperationIds(document: Document): Document {
  if (!isObject(document.paths)) return document;
  const paths: Record<string, PathItem> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const resolved = resolvePathItem(document, item);
    // Extensions (`x-...`) and what is not a path item have no operations.
    if (path.startsWith('/') && isObject(resolved)) paths[path] = { ...resolved };
  }
  const used = new Set<string>(RESERVED_OPERATION_IDS);
  const assignments: (() => void)[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined || !isObject(operation)) delete item[method];
      else {
        const copy: OperationObject = (item[method] = {
          ...operation,
          responses: (operation as Partial<OperationObject>).responses ?? NO_RESPONSE,
        });
        const { operationId: id } = copy;
        if (typeof id === 'string' && id !== '' && !used.has(id)) used.add(id);
        else assignments.push(() => (copy.operationId = uniqueId(deriveId(method, path), used)));
      }
    }
  }
  // After all explicit ids are known, so that no derived id takes one of them.
  for (const assign of assignments) assign();
  return { ...document, paths };
}

/** Names that every object inherits (`constructor`, `__proto__`, `toString`, ...): a missing handler of that name could not be noticed. */
export const RESERVED_OPERATION_IDS: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** An operation that declares no responses may answer with any status, without a body. */
const NO_RESPONSE: OperationObject['responses'] = { default: { description: 'undeclared' } };

/** The derived id of an operation: `GET /users/{id}` is `getUsersById`. */
export function deriveId(method: string, path: string): string {
  const segments = path.split(/[/?&#]/).map((segment) => segment.replace(/\{([^}]+)\}/g, ' by $1 '));
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

/** OpenAPI 3.0.3, section 4.7.9.1: a path item may be a reference to another one. */
function resolvePathItem(document: Document, item: PathItem): PathItem | undefined {
  try {
    return resolve<PathItem>(document, item);
  } catch {
    return undefined;
  }
}
