/** Makes the model of a document: the same document, whose schemas are JSON Schema 2020-12 and refer to each other by JSON pointers. */
import { isObject, type Document } from '../document/openapi.ts';
import { mapSchemas } from '../document/visit-schemas.ts';
import { INT64_EXTENSION, int64ChoiceOf } from '../extensions/int64.ts';
import { withEventData } from './event-data.ts';
import { findIdentifiers } from './identifiers.ts';
import { formatOf, typeOf } from './model.ts';
import { rewriteSchema, type SchemaUse } from './rewrite-schema.ts';

const models = new WeakMap<Document, Document>();

/**
 * The model of a document: every reader of schemas takes it, so that none has to know the version of OpenAPI.
 *
 * What does not change is shared with the document, and the paths of its parts are the same, but for keywords that were rewritten.
 */
export function modelOf(document: Document): Document {
  let model = models.get(document);
  if (model !== undefined) return model;
  model = rewrite(withEventData(resolveIdentifiers(document)));
  models.set(document, model).set(model, model);
  return model;
}

/** Before schemas are rewritten: it is their place that says what a relative reference means. */
function resolveIdentifiers(document: Document): Document {
  const identifiers = /^3\.0/.test(document.openapi) ? undefined : findIdentifiers(document);
  if (identifiers === undefined) return document;
  return mapSchemas(document, undefined, (schema, _, path) => [
    isObject(schema) ? withPointers(schema, (reference) => identifiers.toPointer(reference, path)) : schema,
    () => undefined,
  ]);
}

function rewrite(document: Document): Document {
  const { openapi: version } = document;
  const choosesBigIntegers = int64ChoiceOf(document) === 'bigint';
  return mapSchemas<SchemaUse>(document, 'value', (given, use) => {
    const rewritten = rewriteSchema(given, version, use);
    const schema = choosesBigIntegers ? withBigIntegers(rewritten) : rewritten;
    return [schema, (keyword) => useWithin(schema, use, keyword)];
  });
}

function withPointers(schema: Readonly<Record<string, unknown>>, toPointer: (reference: string) => string): Record<string, unknown> {
  const { $ref, $dynamicRef, discriminator } = schema;
  if ([$ref, $dynamicRef, discriminator].every((keyword) => keyword === undefined)) return schema;
  // One that is no anchor is like any other reference (JSON Schema 2020-12, core, section 8.2.3.2).
  if (typeof $dynamicRef === 'string' && !/#[^/]/.test($dynamicRef)) {
    const others = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$dynamicRef'));
    return withPointers({ $ref: $dynamicRef, ...others }, toPointer);
  }
  return {
    ...schema,
    ...(typeof $ref === 'string' && { $ref: toPointer($ref) }),
    ...(typeof $dynamicRef === 'string' && { $dynamicRef: toPointer($dynamicRef) }),
    ...(isObject(discriminator) && isObject(discriminator['mapping']) && { discriminator: withMapping(discriminator, toPointer) }),
  };
}

/** A discriminator's mapping names schemas, or refers to them (OpenAPI 3.1.1, section 4.8.25). */
const withMapping = (
  { mapping, ...discriminator }: Readonly<Record<string, unknown>>,
  toPointer: (reference: string) => string,
): object => ({
  ...discriminator,
  mapping: Object.fromEntries(
    Object.entries(mapping as Record<string, unknown>).map(([tag, target]) => [
      tag,
      typeof target === 'string' && /[#/]/.test(target) ? toPointer(target) : target,
    ]),
  ),
});

/** The choice of the document, on a schema that makes none. */
const withBigIntegers = (schema: unknown): unknown =>
  isObject(schema) && formatOf(schema) === 'int64' && typeOf(schema) === 'integer' && schema[INT64_EXTENSION] === undefined
    ? { ...schema, [INT64_EXTENSION]: 'bigint' }
    : schema;

const CONDITIONS = ['not', 'if', 'then', 'else', 'contains', 'dependentSchemas', 'propertyNames'];
const BRANCHES = ['allOf', 'oneOf', 'anyOf'];

function useWithin(schema: unknown, use: SchemaUse, keyword: string): SchemaUse {
  if (use === 'condition' || CONDITIONS.includes(keyword)) return 'condition';
  if (!BRANCHES.includes(keyword)) return 'value';
  return use === 'branch' || (isObject(schema) && schema['type'] !== undefined) ? 'branch' : 'value';
}
