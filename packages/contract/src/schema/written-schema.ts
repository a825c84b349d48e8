/**
 * What the author of a document wrote, for problems about the writing itself: keywords that have no meaning, or another name in
 * the model.
 */
import { isObject, valueAt, type Document } from '../document/openapi.ts';
import { withoutBase } from './inheritance.ts';

type Keys = readonly (string | number)[];

/** Where parts of the document are written: see `SourceDocument`. */
export interface WrittenDocument {
  readonly written: Document;
  readonly writtenAt: (path: Keys) => Keys;
}

const writtenSchema = ({ written, writtenAt }: WrittenDocument, path: Keys): Record<string, unknown> => {
  const value = valueAt(written, writtenAt(path).map(String));
  return isObject(value) ? value : {};
};

/** Whether a schema has `nullable`, which OpenAPI 3.1 no longer knows. */
export const hasNullable = (source: WrittenDocument, path: Keys): boolean => writtenSchema(source, path)['nullable'] !== undefined;

/** The path of the keyword that allows `null` in a schema: `nullable` of OpenAPI 3.0, `type` of 3.1. */
export const locateNull = (source: WrittenDocument, path: Keys): Keys => [
  ...path,
  writtenSchema(source, path)['nullable'] === true ? 'nullable' : 'type',
];

/** The path as written of a part of the model: where a schema was rewritten, its keywords have other names or places. */
export function toWritten(document: Document, path: Keys): Keys {
  // The keywords of a parent were written beside its discriminator.
  return followWritten(document, valueAt(document, path.slice(0, 5).map(String)) === undefined ? withoutBase(path) : path);
}

function followWritten(document: Document, path: Keys): Keys {
  const written: (string | number)[] = [];
  let node: unknown = document;
  for (let i = 0; i < path.length; i++) {
    const key = path[i] as string | number;
    if (!isObject(node) && !Array.isArray(node)) return [...written, ...path.slice(i)];
    const parent = node as Record<string | number, unknown>;
    // The reference that stood beside other keywords is the last part of `allOf`.
    const isReference = key === 'allOf' && typeof parent['$ref'] === 'string' && Number(path[i + 1]) === partsOf(parent['allOf']).length;
    if (Object.hasOwn(parent, key) && !isReference) {
      written.push(key);
      node = parent[key];
      continue;
    }
    const nullable = (['anyOf', 'oneOf'] as const).find((keyword) => partsOf(parent[keyword]).length === 2);
    if (isReference) {
      written.push('$ref');
      node = undefined;
      i++;
    } else if (key === 'examples' && Object.hasOwn(parent, 'example')) {
      written.push('example');
      node = parent['example'];
      i++;
    } else if (key === 'anyOf' && parent['nullable'] === true) i++;
    else if (nullable !== undefined) {
      const index = partsOf(parent[nullable]).findIndex((part) => isObject(part) && part['type'] !== 'null');
      written.push(nullable, index);
      node = partsOf(parent[nullable])[index];
      i--;
    } else return [...written, ...path.slice(i)];
  }
  return written;
}

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
