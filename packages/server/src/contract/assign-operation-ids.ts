/** Completes a document with what it leaves to its reader: every operation has an id of its own, and stands in its path item. */
import { METHODS, resolve, type Document, type OperationObject, type PathItem } from './openapi.ts';

/**
 * A document in which each operation has a unique `operationId` and `responses`, and no path item is a reference.
 *
 * An id that is missing, taken by an operation before it, or a member of every object, is derived from method and path. A document that is not
 * OpenAPI is returned as far as it can be read: what is wrong with it `checkDocument` says.
 */
export function assignOperationIds(document: Document): Document {
  if (!isObject(document.paths)) return document;
  const paths: Record<string, PathItem> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const found = itemOf(document, item);
    // Extensions (`x-...`) and what is no path item are nobody's operations.
    if (path.startsWith('/') && isObject(found)) paths[path] = { ...found };
  }
  const taken = new Set<string>(RESERVED_OPERATION_IDS);
  const nameless: (() => void)[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined || !isObject(operation)) delete item[method];
      else {
        const own: OperationObject = (item[method] = {
          ...operation,
          responses: (operation as Partial<OperationObject>).responses ?? NO_RESPONSE,
        });
        const { operationId: id } = own;
        if (typeof id === 'string' && id !== '' && !taken.has(id)) taken.add(id);
        else nameless.push(() => (own.operationId = uniqueId(deriveId(method, path), taken)));
      }
    }
  }
  // After all that are written, so that what is derived takes no name away from them.
  for (const name of nameless) name();
  return { ...document, paths };
}

/** `constructor`, `__proto__`, `toString`, ...: an object of handlers that has one of them cannot be told from one that has not. */
export const RESERVED_OPERATION_IDS: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** An operation that declares no response at all may answer with any status, without a body. */
const NO_RESPONSE: OperationObject['responses'] = { default: { description: 'undeclared' } };

/** The id of an operation that has none: `GET /users/{id}` is `getUsersById`. */
export function deriveId(method: string, path: string): string {
  const segments = path.split(/[/?&#]/).map((segment) => segment.replace(/\{([^}]+)\}/g, ' by $1 '));
  const words = segments.flatMap((segment) => segment.split(/[^\p{L}\p{N}]+/u)).filter((word) => word !== '');
  return [method, ...(words.length > 0 ? words : ['root'])]
    .map((word, i) => (i === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');
}

function uniqueId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let n = 2; taken.has(unique); n++) unique = `${id}${n}`;
  taken.add(unique);
  return unique;
}

/** OpenAPI 3.0.3, section 4.7.9.1: a path item may be a reference to another one. */
function itemOf(document: Document, item: PathItem): PathItem | undefined {
  try {
    return resolve<PathItem>(document, item);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
