/** Rewrites schemas so that each keyword says one thing of the type: values, own keywords, compositions. */
import {
  type Document,
  type JsonType,
  type Schema,
  additionalOf,
  alternativesOf,
  branchesOf,
  conditionalPartsOf,
  isReadOnly,
  isWriteOnly,
  matchesNothing,
  patternPropertiesOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  typeOf,
  typesOf,
  unevaluatedPropertiesOf,
  valuesOf,
} from '@specwright/contract/document';

/** The type of a schema that no value matches. */
const NEVER = 'never';

/**
 * Rewrites a schema, without those in it.
 *
 * @param isObject whether other keywords say that the value is an object: those of the schema that this one is a branch of.
 */
export function simplifySchema(document: Document, schema: Schema, isObject: boolean): Schema | TypesSchema {
  if (referenceOf(schema) !== undefined) return schema;
  if (matchesNothing(schema)) return { ...annotationsOf(schema), type: NEVER };
  const values = valuesOf(schema);
  if (values !== undefined) return ofValues(schema, values);
  return compose(document, schema, ownKeywords(document, schema, isObject || describesObjects(document, schema)));
}

/** The values that its types allow too. */
function ofValues(schema: Schema, values: readonly unknown[]): TypesSchema {
  const types = typesOf(schema);
  const allowed = types.length === 0 ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
  const named = types.filter((type) => allowed.some((value) => isOfType(value, type)));
  const annotations = annotationsOf(schema);
  if (allowed.length === 0) return { ...annotations, type: NEVER };
  if (allowed.every((value) => value === null)) return { ...annotations, type: 'null' };
  if (Object.hasOwn(schema, 'const') && allowed.length === 1) return { ...annotations, const: allowed[0] };
  const isScalar = named.length > 0 && !named.some((type) => type === 'object' || type === 'array');
  return { ...annotations, enum: allowed, ...(isScalar && withTypes(named)) };
}

function isOfType(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/** A schema of the keywords beside its compositions, and of these: the type of `anyOf` is a union with what is beside it. */
function compose(document: Document, schema: Schema, own: TypesSchema): TypesSchema {
  const annotations = annotationsOf(schema);
  const all = branchesOf(schema).allOf.filter((part) => !isBare(part));
  const unions = (['anyOf', 'oneOf'] as const)
    .map((keyword) => [keyword, nullLast(branchesOf(schema)[keyword])] as const)
    .filter(([, parts]) => parts.length > 0);
  if (all.length + unions.length === 0) return { ...annotations, ...own };
  const mayBeObject = (part: Schema): boolean =>
    typesOf(resolve<Schema>(document, part)).includes('object') || describesObjects(document, part);
  const isCovered = all.some(mayBeObject) || unions.some(([, parts]) => parts.every(mayBeObject));
  const base = withoutPlainType(own, isCovered);
  const isEmpty = Object.keys(base).every((keyword) => keyword === 'required');
  const [[keyword, parts] = [], ...others] = unions;
  if (isEmpty && all.length + others.length === 0 && keyword !== undefined) return { ...annotations, ...base, [keyword]: parts };
  const isPlain = typesOf(base).join() === 'object' && additionalOf(base) === undefined;
  if (unions.length === 0 && (isEmpty || isPlain)) return { ...annotations, ...base, allOf: all };
  const required = requiredOf(base);
  return {
    ...annotations,
    ...(required.length > 0 && { required }),
    allOf: [...(isEmpty ? [] : [base]), ...all, ...unions.map(([key, branches]) => ({ [key]: branches }))],
  };
}

/** A type that says no more than its compositions, and would allow any properties beside theirs. */
function withoutPlainType(own: TypesSchema, isCovered: boolean): TypesSchema {
  const types = typesOf(own);
  const isPlain = Object.keys(own).every((keyword) => ['type', 'required'].includes(keyword));
  if (!isPlain || !types.every((type) => type === 'object' || (type === 'null' && isCovered))) return own;
  return Object.fromEntries(Object.entries(own).filter(([keyword]) => keyword !== 'type'));
}

/** Nothing but annotations, and that it is an object, which the other parts say. */
const isBare = (part: Schema): boolean =>
  Object.keys(part).every((keyword) => ANNOTATIONS.includes(keyword) || (keyword === 'type' && typeOf(part) === 'object'));

const nullLast = (parts: readonly Schema[]): Schema[] => {
  const isNull = (part: Schema): boolean => typesOf(part).join() === 'null';
  return [...parts.filter((part) => !isNull(part)), ...parts.filter(isNull)];
};

// ---- What a schema says beside its compositions ------------------------------------------------------------------

type TypesSchema = Schema & Record<string, unknown>;

/** Keywords that are comments, or mark a property. */
const ANNOTATIONS = ['title', 'description', 'format', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

const annotationsOf = (schema: Schema): TypesSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.includes(keyword) || keyword.startsWith('x-')));

/** One type, or a list. */
const withTypes = (types: readonly JsonType[]): TypesSchema => ({ type: types.length === 1 ? types[0] : types });

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
function ownKeywords(document: Document, schema: Schema, isObject: boolean): TypesSchema {
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

function namesIn(document: Document, reference: Schema, visited = new Set<Schema>()): string[] {
  const schema = resolve<Schema>(document, reference);
  if (visited.has(schema)) return [];
  visited.add(schema);
  const parts = [...branchesOf(schema).allOf, ...alternativesOf(schema), ...conditionalPartsOf(schema)];
  return [...Object.keys(propertiesOf(schema)), ...parts.flatMap((part) => namesIn(document, part, visited))];
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
  // What the other parts name is allowed as well.
  if (patterns.length === 0 && isUnevaluated) return additional === false ? undefined : true;
  if (patterns.length === 0) return additional;
  if (isAny || additional === undefined) return true;
  const values = [...(typeof additional === 'object' ? [additional] : []), ...patterns];
  return values.length === 1 ? values[0] : { anyOf: values };
}

const pick = (schema: Schema, keywords: readonly string[]): TypesSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));

const mapValues = <T>(given: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));
