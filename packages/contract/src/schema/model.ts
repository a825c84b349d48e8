/**
 * The model of a schema: JSON Schema 2020-12, read by typed functions. A document of OpenAPI 3.0 is rewritten to it at load.
 *
 * Functions that take only a schema expect one that is no reference: `resolve` follows those.
 */
import { isObject, resolve, type Document, type Schema } from '../document/openapi.ts';

type Keywords = Readonly<Record<string, unknown>>;

/** A request may omit what is `readOnly`, a response what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
export type Direction = 'request' | 'response';

export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

export function typesOf(schema: Schema): readonly JsonType[] {
  const { type } = schema as { type?: unknown };
  return (Array.isArray(type) ? type : type === undefined ? [] : [type]) as JsonType[];
}

/** The one type beside `null`; `undefined` if there are several, or any is allowed. */
export function typeOf(schema: Schema): JsonType | undefined {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** Whether a value of the schema may be `null`, as far as types, values and compositions say it. */
export function isNullable(document: Document, reference: Schema, visited = new Map<Schema, boolean>()): boolean {
  const schema = resolve<Schema>(document, reference);
  const known = visited.get(schema);
  if (known !== undefined) return known;
  // Within itself it allows nothing more.
  visited.set(schema, false);
  const allowed = allowsNull(document, schema, visited);
  visited.set(schema, allowed);
  return allowed;
}

/** @param visited what is known of schemas, each of which is looked at once, whatever the shape of references. */
function allowsNull(document: Document, schema: Schema, visited: Map<Schema, boolean>): boolean {
  const allows = (part: Schema): boolean => isNullable(document, part, visited);
  const types = typesOf(schema);
  const values = valuesOf(schema);
  const { allOf, oneOf, anyOf } = branchesOf(schema);
  // As OpenAPI 3.0 has it, for a composition.
  if (types.length === 0 && (schema as { nullable?: unknown }).nullable === true) return true;
  if (types.length > 0 && !types.includes('null')) return false;
  if (values !== undefined && !values.includes(null)) return false;
  return allOf.every(allows) && [oneOf, anyOf].every((parts) => parts.length === 0 || parts.some(allows));
}

export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> => namedAt(schema, 'properties');

export const patternPropertiesOf = (schema: Schema): Readonly<Record<string, Schema>> => namedAt(schema, 'patternProperties');

export const requiredOf = (schema: Schema): readonly string[] => {
  const { required } = schema as { required?: unknown };
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
};

/** What properties that are not named must be; `undefined` if nothing is said of them. Those that `unevaluatedProperties` forbids are `false`. */
export function additionalOf(schema: Schema): Schema | boolean | undefined {
  const { unevaluatedProperties: rest } = schema as Keywords;
  return additionalPropertiesOf(schema) ?? (typeof rest === 'boolean' || isObject(rest) ? rest : undefined);
}

/** What properties must be that neither `properties` nor `patternProperties` beside it name, whatever a composition names. */
export function additionalPropertiesOf(schema: Schema): Schema | boolean | undefined {
  const { additionalProperties: given } = schema as Keywords;
  return typeof given === 'boolean' || isObject(given) ? given : undefined;
}

/** The schema of the items of a list, after those of `prefixItems`. */
export const itemsOf = (schema: Schema): Schema | undefined => {
  const { items } = schema as { items?: unknown };
  return isObject(items) ? items : undefined;
};

/** The schemas of the first items of a list, in their order. */
export const prefixItemsOf = (schema: Schema): readonly Schema[] => schemasAt(schema, 'prefixItems');

export interface Branches {
  readonly allOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
}

export const branchesOf = (schema: Schema): Branches => ({
  allOf: schemasAt(schema, 'allOf'),
  oneOf: schemasAt(schema, 'oneOf'),
  anyOf: schemasAt(schema, 'anyOf'),
});

/** A schema and the parts of its `allOf`, which describe the same value. */
export function wholeOf(document: Document, given: Schema, found = new Set<Schema>()): ReadonlySet<Schema> {
  const schema = resolve<Schema>(document, given);
  if (found.has(schema)) return found;
  found.add(schema);
  for (const part of branchesOf(schema).allOf) wholeOf(document, part, found);
  return found;
}

/** The branches of `oneOf` and `anyOf`: a value is one of them. */
export const alternativesOf = (schema: Schema): readonly Schema[] => [...schemasAt(schema, 'oneOf'), ...schemasAt(schema, 'anyOf')];

/** The values that are allowed: `enum`, or the one of `const`. */
export function valuesOf(schema: Schema): readonly unknown[] | undefined {
  const { enum: values } = schema as { enum?: unknown };
  if (Array.isArray(values) && values.length > 0) return values as unknown[];
  return Object.hasOwn(schema, 'const') ? [(schema as { const?: unknown }).const] : undefined;
}

export const formatOf = (schema: Schema): string | undefined => textAt(schema, 'format');
/** The regular expression that a text must match, as written: see `compilePattern`. */
export const patternOf = (schema: Schema): string | undefined => textAt(schema, 'pattern');
/** `pattern` as written, if it is no text either. */
export const declaredPattern = (schema: Schema): unknown => (schema as Keywords)['pattern'];
export const titleOf = (schema: Schema): string | undefined => textAt(schema, 'title');
export const descriptionOf = (schema: Schema): string | undefined => textAt(schema, 'description');

export const NUMBER_LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** Keywords that bound a value by a number. `maxLength` counts code points. */
export const LIMITS = [
  ...NUMBER_LIMITS,
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
] as const;
export type Limits = { readonly [Keyword in (typeof LIMITS)[number]]?: number };

/** What bounds a value by a number. Exclusive bounds are numbers. */
export function limitsOf(schema: Schema): Limits {
  const limits: Record<string, number> = {};
  const given = schema as Keywords;
  for (const keyword of LIMITS) if (typeof given[keyword] === 'number') limits[keyword] = given[keyword];
  return limits;
}

export const hasUniqueItems = (schema: Schema): boolean => (schema as Keywords)['uniqueItems'] === true;
/** Not accepted in requests, where the schema is that of a property. */
export const isReadOnly = (schema: Schema): boolean => (schema as Keywords)['readOnly'] === true;
/** Not sent in responses, where the schema is that of a property. */
export const isWriteOnly = (schema: Schema): boolean => (schema as Keywords)['writeOnly'] === true;

/** `default` as written, whether its schema accepts it or not: see `defaultOf`. */
export const declaredDefault = (schema: Schema): unknown => (schema as Keywords)['default'];

export function examplesOf(schema: Schema): readonly unknown[] {
  const { examples } = schema as { examples?: unknown };
  return Array.isArray(examples) ? (examples as unknown[]) : [];
}

/** OpenAPI 3.0.3, section 4.7.25: the property that names the branch which applies, and value -> name or reference of the branch. */
export interface Discriminator {
  readonly propertyName: string;
  readonly mapping: Readonly<Record<string, string>>;
  /** The schema of objects that no value selects: name or reference. */
  readonly fallback?: { readonly target: string; readonly isFor: 'no value' | 'any other value' };
}

/** In the model: the schema of an object without the property, where unknown values are refused. */
export const ABSENT_MAPPING = 'x-absent-mapping';

export function discriminatorOf(schema: Schema): Discriminator | undefined {
  const { discriminator } = schema as { discriminator?: unknown };
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return undefined;
  const { propertyName, mapping, defaultMapping, [ABSENT_MAPPING]: absent } = discriminator;
  return {
    propertyName,
    mapping: isObject(mapping) ? (mapping as Record<string, string>) : {},
    ...(typeof absent === 'string' && { fallback: { target: absent, isFor: 'no value' } }),
    ...(typeof defaultMapping === 'string' && { fallback: { target: defaultMapping, isFor: 'any other value' } }),
  };
}

export const referenceOf = (schema: Schema): string | undefined => textAt(schema, '$ref');

/** A keyword of the extensions, `x-...`. */
export const extensionOf = (schema: Schema, name: `x-${string}`): unknown => (schema as Keywords)[name];

/** `x-int64: bigint`: integers of format int64 are `bigint` in handlers, at a schema or at the root for all. */
export const INT64_EXTENSION = 'x-int64';

/** What `x-int64` says at a schema, or at the root of a document; `undefined` without one. */
export const int64ChoiceOf = (part: Schema | Document): unknown => extensionOf(part as Schema, INT64_EXTENSION);

/** `x-date-time: date`: texts of format date-time are `Date` in handlers, at a schema or at the root for all (`withDates`). */
export const DATE_EXTENSION = 'x-date-time';

/** Whether its texts are `Date` in JavaScript; null may be allowed too. Those that are listed stay texts. */
export const isDateObject = (schema: Schema): boolean =>
  extensionOf(schema, DATE_EXTENSION) === 'date' &&
  formatOf(schema) === 'date-time' &&
  typeOf(schema) === 'string' &&
  valuesOf(schema) === undefined;

/** Whether its integers are `bigint` in JavaScript: `x-int64: bigint` on `type: integer`, `format: int64`; null may be allowed too. */
export const isBigInteger = (schema: Schema): boolean =>
  int64ChoiceOf(schema) === 'bigint' && formatOf(schema) === 'int64' && typeOf(schema) === 'integer';

const NO_SCHEMAS: Readonly<Record<string, Schema>> = {};

const namedAt = (schema: Schema, key: string): Readonly<Record<string, Schema>> => {
  const value = (schema as Keywords)[key];
  return isObject(value) ? (value as Record<string, Schema>) : NO_SCHEMAS;
};

const schemasAt = (schema: Schema, key: string): readonly Schema[] => {
  const parts = (schema as Keywords)[key];
  return Array.isArray(parts) ? (parts as Schema[]) : [];
};

const textAt = (schema: Schema, key: string): string | undefined => {
  const value = (schema as Keywords)[key];
  return typeof value === 'string' ? value : undefined;
};

// Keywords of JSON Schema 2020-12 that apply a schema to names, to some items, or on a condition.

/** The schema that `true` or `false` stands for. */
export const schemaOf = (schema: Schema | boolean): Schema =>
  typeof schema === 'boolean' ? (schema ? {} : ({ not: {} } as Schema)) : schema;

/** Whether no value matches: `false`, or `{ not: {} }`. */
export function matchesNothing(schema: Schema | boolean | undefined): boolean {
  if (schema === undefined || typeof schema === 'boolean') return schema === false;
  const { not } = schema as Keywords;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

const schemaAt = (schema: Schema, key: string): Schema | undefined => {
  const value = (schema as Keywords)[key];
  return typeof value === 'boolean' ? schemaOf(value) : isObject(value) ? value : undefined;
};

/** What properties must be that no other keyword applies to. */
export const unevaluatedPropertiesOf = (schema: Schema): Schema | undefined => schemaAt(schema, 'unevaluatedProperties');
/** What items must be that no other keyword applies to. */
export const unevaluatedItemsOf = (schema: Schema): Schema | undefined => schemaAt(schema, 'unevaluatedItems');

/** Whether a list may be longer than its `prefixItems`. */
export const allowsMoreItems = (schema: Schema): boolean =>
  !matchesNothing(schemaAt(schema, 'items')) && !matchesNothing(unevaluatedItemsOf(schema));

/** The schema of which a list must have between `minContains` (by default 1) and `maxContains` items. */
export const containsOf = (schema: Schema): Schema | undefined => schemaAt(schema, 'contains');
export const propertyNamesOf = (schema: Schema): Schema | undefined => schemaAt(schema, 'propertyNames');

/** Name of a property -> the properties that an object with it must have. */
export const dependentRequiredOf = (schema: Schema): Readonly<Record<string, readonly string[]>> => {
  const { dependentRequired } = schema as Keywords;
  return isObject(dependentRequired) ? (dependentRequired as Record<string, string[]>) : {};
};

/** Name of a property -> the schema of an object with it. */
export const dependentSchemasOf = (schema: Schema): Readonly<Record<string, Schema>> => namedAt(schema, 'dependentSchemas');

/** Which schema applies to the values that match another one, and which to the rest. */
export interface Condition {
  readonly if: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

export function conditionOf(schema: Schema): Condition | undefined {
  const [condition, then, otherwise] = [schemaAt(schema, 'if'), schemaAt(schema, 'then'), schemaAt(schema, 'else')];
  return condition && { if: condition, ...(then && { then }), ...(otherwise && { else: otherwise }) };
}

/** The schemas that may describe the same value, depending on a condition. */
export function conditionalPartsOf(schema: Schema): Schema[] {
  const { if: condition, then, else: otherwise } = conditionOf(schema) ?? {};
  return [condition, then, otherwise, ...Object.values(dependentSchemasOf(schema))].filter((part) => part !== undefined);
}

/** How a text encodes bytes: `base64`, `base64url`. `format: byte` is what OpenAPI 3.0 writes for `base64`. */
export const contentEncodingOf = (schema: Schema): string | undefined =>
  textAt(schema, 'contentEncoding') ?? (formatOf(schema) === 'byte' ? 'base64' : undefined);

/** What a text contains, once it is decoded. */
export const contentMediaTypeOf = (schema: Schema): string | undefined => textAt(schema, 'contentMediaType');
