/** Rewrites schemas so that each keyword says one thing of the type: values, own keywords, compositions. */
import {
  type Document,
  type JsonType,
  type Schema,
  additionalOf,
  branchesOf,
  discriminatorOf,
  discriminatorTags,
  matchesNothing,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  typeOf,
  typesOf,
  valuesOf,
} from '@specwright/contract/document';
import { ANNOTATIONS, type TypesSchema, annotationsOf, describesObjects, ownKeywords, withTypes } from './own-keywords.ts';

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

/** A schema of its own keywords and its compositions: the type of `anyOf` is a union with what is beside it. */
function compose(document: Document, schema: Schema, own: TypesSchema): TypesSchema {
  const annotations = annotationsOf(schema);
  const all = branchesOf(schema).allOf.filter((part) => !isBare(part));
  const unions = (['anyOf', 'oneOf'] as const)
    .map((keyword) => [keyword, nullLast(taggedParts(document, schema, keyword))] as const)
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

/** The parts of a composition with the values that the discriminator gives each. */
function taggedParts(document: Document, schema: Schema, key: 'anyOf' | 'oneOf'): readonly (Schema | TypesSchema)[] {
  const parts = branchesOf(schema)[key];
  const discriminator = discriminatorOf(schema);
  if (discriminator === undefined || !parts.every((part) => referenceOf(part) !== undefined && describesObjects(document, part)))
    return parts;
  const { propertyName, mapping } = discriminator;
  return parts.map((part) => {
    const tags = discriminatorTags(document, propertyName, mapping, part);
    if (tags.length === 0) return part;
    const tag = { type: 'object', required: [propertyName], properties: { [propertyName]: { type: 'string', enum: tags } } };
    return isTagged(document, propertyName, tags, part) ? part : { allOf: [part, tag] };
  });
}

/** Whether the schema itself says that the property has one of the tags. */
function isTagged(document: Document, name: string, tags: readonly string[], part: Schema): boolean {
  const schema = resolve<Schema>(document, part);
  const property = propertiesOf(schema)[name];
  const values = property === undefined ? undefined : valuesOf(resolve<Schema>(document, property));
  return requiredOf(schema).includes(name) && values?.every((value) => tags.includes(value as string)) === true;
}
