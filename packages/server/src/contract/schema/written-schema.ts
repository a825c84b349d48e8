/**
 * What the author of a document wrote, for problems about the writing itself: keywords that have no meaning, or another name in
 * the model.
 */
import { isObject, valueAt, type Document, type Schema } from '../document/openapi.ts';

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

/** Whether a schema of OpenAPI 3.0 is nullable without a `type`: validators read it as an `anyOf` with null. */
export const isNullableUnion = (schema: Schema): boolean => {
  const { nullable, type } = schema as { nullable?: unknown; type?: unknown };
  return nullable === true && type === undefined;
};
