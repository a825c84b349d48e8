/** What a schema says beside its compositions, in the keywords that types are made of. */
import {
  additionalOf,
  alternativesOf,
  branchesOf,
  conditionalPartsOf,
  isReadOnly,
  isWriteOnly,
  patternPropertiesOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  typesOf,
  unevaluatedPropertiesOf,
  type Document,
  type JsonType,
  type Schema,
} from '@specwright/contract/document';

/** A schema that is written for `SchemaTypes`. */
export type TypesSchema = Schema & Record<string, unknown>;

/** Keywords that are comments, or mark a property. */
export const ANNOTATIONS = ['title', 'description', 'format', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

export const annotationsOf = (schema: Schema): TypesSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.includes(keyword) || keyword.startsWith('x-')));

/** One type, or a list. */
export const withTypes = (types: readonly JsonType[]): TypesSchema => ({ type: types.length === 1 ? types[0] : types });

const objectDescriptions = new WeakMap<Schema, boolean>();

/** Whether every value of a schema is an object, as far as its types and compositions say. */
export function describesObjects(document: Document, reference: Schema): boolean {
  const schema = resolve<Schema>(document, reference);
  const known = objectDescriptions.get(schema);
  if (known !== undefined) return known;
  // A composition that contains itself adds nothing.
  objectDescriptions.set(schema, false);
  const types = typesOf(schema);
  const { allOf, oneOf, anyOf } = branchesOf(schema);
  const describes = (part: Schema): boolean => describesObjects(document, part);
  const found =
    types.length > 0
      ? types.every((type) => type === 'object')
      : allOf.some(describes) || [oneOf, anyOf].some((parts) => parts.length > 0 && parts.every(describes));
  objectDescriptions.set(schema, found);
  return found;
}

/** What a schema says beside its compositions; without keywords, if that is nothing. */
export function ownKeywords(document: Document, schema: Schema, isObject: boolean): TypesSchema {
  const types = typesOf(schema);
  const own: TypesSchema = {};
  if (types.includes('object') || (types.length === 0 && isObject)) {
    const properties = namedProperties(document, schema, isObject);
    const additional = additionalPart(schema);
    if (Object.keys(properties).length > 0) own['properties'] = properties;
    if (additional !== undefined) own['additionalProperties'] = additional;
    if (Object.keys(own).length > 0) Object.assign(own, { type: 'object' });
  }
  // Of the parts of `allOf` too, which may be nothing but an object or null.
  const required = requiredOf(schema);
  if (required.length > 0) own['required'] = required;
  if (types.includes('array')) Object.assign(own, pick(schema, ['items', 'prefixItems', 'minItems']));
  return types.length === 0 ? own : { ...own, ...withTypes(types) };
}

/** The properties that are named: those that only `required` or a condition names may be anything. */
function namedProperties(document: Document, schema: Schema, isObject: boolean): Record<string, Schema> {
  const properties = mapValues(propertiesOf(schema), (property) => withMarks(document, property));
  const isClosed = additionalOf(schema) === false && unevaluatedPropertiesOf(schema) === undefined;
  const add = (name: string): void => {
    if (!Object.hasOwn(properties, name)) properties[name] = {};
  };
  if (!isClosed) for (const part of conditionalPartsOf(schema)) for (const name of namesIn(document, part)) add(name);
  // `SchemaTypes` requires those of the parts of `allOf`, if these are not composed themselves.
  const isFound = (name: string): boolean =>
    branchesOf(schema).allOf.some((part) => Object.hasOwn(propertiesOf(resolve<Schema>(document, part)), name));
  if (isObject) for (const name of requiredOf(schema)) if (!isFound(name)) add(name);
  return properties;
}

function namesIn(document: Document, reference: Schema, visited: ReadonlySet<Schema> = new Set()): string[] {
  const schema = resolve<Schema>(document, reference);
  if (visited.has(schema)) return [];
  const seen = new Set([...visited, schema]);
  const parts = [...branchesOf(schema).allOf, ...alternativesOf(schema), ...conditionalPartsOf(schema)];
  return [...Object.keys(propertiesOf(schema)), ...parts.flatMap((part) => namesIn(document, part, seen))];
}

/** A property is marked `readOnly` or `writeOnly` by the schema that it refers to as well. */
function withMarks(document: Document, property: Schema): Schema | TypesSchema {
  const reference = referenceOf(property);
  if (reference === undefined) return property;
  const target = resolve<Schema>(document, property);
  if (!isReadOnly(target) && !isWriteOnly(target)) return property;
  return { ...annotationsOf(property), readOnly: isReadOnly(target), writeOnly: isWriteOnly(target), allOf: [{ $ref: reference }] };
}

/** `additionalProperties` of a type that has one for all names that are not properties. */
function additionalPart(schema: Schema): Schema | TypesSchema | boolean | undefined {
  const patterns = Object.values(patternPropertiesOf(schema));
  const additional = additionalOf(schema);
  const isAny = additional === true || (typeof additional === 'object' && Object.keys(additional).length === 0);
  const { allOf } = branchesOf(schema);
  const isUnevaluated = unevaluatedPropertiesOf(schema) !== undefined && allOf.length + alternativesOf(schema).length > 0;
  if (patterns.length === 0) return isUnevaluated && typeof additional === 'object' ? true : additional;
  if (isAny || additional === undefined) return true;
  const values = [...(typeof additional === 'object' ? [additional] : []), ...patterns];
  return values.length === 1 ? values[0] : { anyOf: values };
}

const pick = (schema: Schema, keywords: readonly string[]): TypesSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));

const mapValues = <T>(given: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));
