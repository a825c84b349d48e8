/** Makes the types of lists and objects that openapi-typescript makes too narrow: its hook `transform`. */
import {
  type Document,
  type JsonType,
  type Schema,
  additionalOf,
  alternativesOf,
  branchesOf,
  discriminatorOf,
  discriminatorTags,
  isBigInteger,
  isObject,
  itemsOf,
  limitsOf,
  matchesNothing,
  prefixItemsOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  typeOf,
  typesOf,
  valuesOf,
  visitDocument,
} from '@specwright/contract/document';
import { type SchemaObject, type TransformNodeOptions, stringToAST, transformSchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { ANNOTATIONS, type TypesSchema, annotationsOf, describesObjects, ownKeywords, withTypes } from './own-keywords.ts';

const { factory } = ts;
const keyword = (kind: ts.KeywordTypeSyntaxKind): ts.TypeNode => factory.createKeywordTypeNode(kind);

/** An index signature has to allow the properties that are named, too. */
const WITH_ADDITIONAL = 'type WithAdditional<T, V> = T & { [key: string]: T[keyof T] | V };';

/** @returns a hook for one document: `undefined` for schemas whose types are right. */
export function createSchemaTypes(): (schema: unknown, options: TransformNodeOptions) => ts.TypeNode | undefined {
  // The hook is called twice for the schema of a property, and so for each level of nesting.
  const types = new WeakMap<object, ts.TypeNode | undefined>();
  return (schema, options) => {
    const given = schema as Schema;
    if (!types.has(given)) types.set(given, typeOfSchema(given, options));
    return types.get(given);
  };
}

function typeOfSchema(schema: Schema, options: TransformNodeOptions): ts.TypeNode | undefined {
  const [type, ...others] = typesOf(schema) as string[];
  if (others.length > 0) return undefined;
  if (type === NEVER) return keyword(ts.SyntaxKind.NeverKeyword);
  if (branchesOf(schema).allOf.length + alternativesOf(schema).length > 0) return undefined;
  if (type === 'array') return arrayType(schema, options);
  return type === 'object' ? objectType(schema, options) : undefined;
}

const typeOfPart = (schema: Schema | undefined, options: TransformNodeOptions): ts.TypeNode =>
  schema === undefined ? keyword(ts.SyntaxKind.UnknownKeyword) : transformSchemaObject(schema as SchemaObject, options);

/** Items are optional from `minItems` on, and there may be more than those that are named. */
function arrayType(schema: Schema, options: TransformNodeOptions): ts.TypeNode {
  const items = itemsOf(schema);
  const first = prefixItemsOf(schema);
  const rest = typeOfPart(items, options);
  if (first.length === 0) return factory.createArrayTypeNode(rest);
  const { minItems = 0 } = limitsOf(schema);
  const named = first.map((item, i) => {
    const type = typeOfPart(item, options);
    return i < minItems ? type : factory.createOptionalTypeNode(type);
  });
  const isClosed = rest.kind === ts.SyntaxKind.NeverKeyword;
  return factory.createTupleTypeNode([...named, ...(isClosed ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(rest))])]);
}

function objectType(schema: Schema, options: TransformNodeOptions): ts.TypeNode | undefined {
  const additional = additionalOf(schema);
  const isNamed = Object.keys(propertiesOf(schema)).length > 0;
  if (additional === false && !isNamed)
    return factory.createTypeReferenceNode('Record', [keyword(ts.SyntaxKind.StringKeyword), keyword(ts.SyntaxKind.NeverKeyword)]);
  if (!isNamed || typeof additional !== 'object') return undefined;
  const values = typeOfPart(additional, options);
  // Whatever the properties are, they are unknown too.
  if (values.kind === ts.SyntaxKind.UnknownKeyword) return undefined;
  const { injectFooter } = options.ctx;
  if (!injectFooter.some((node) => ts.isTypeAliasDeclaration(node) && node.name.text === 'WithAdditional'))
    injectFooter.push(stringToAST(WITH_ADDITIONAL)[0] as ts.Node);
  const named = transformSchemaObject({ ...schema, additionalProperties: undefined } as SchemaObject, options);
  return factory.createTypeReferenceNode('WithAdditional', [named, values]);
}

/** What `typeOfSchema` makes `never` of. */
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

/** A schema of its own keywords and its compositions. openapi-typescript makes a union of `anyOf` and what is beside it. */
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

/** A type that says no more than its compositions: openapi-typescript would allow any properties beside theirs. */
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

/** Where the allowed values are kept until the type is made: openapi-typescript would make types of their numbers first. */
const VALUES = 'x-bigint-values';

/** Changes the schemas in place. */
export function prepareBigIntegers(document: Document): void {
  visitDocument(document, {
    schema: (schema) => {
      const values = isBigInteger(schema) ? valuesOf(schema) : undefined;
      if (values === undefined) return;
      const changed = schema as Record<string, unknown>;
      changed[VALUES] = values;
      delete changed['enum'];
      delete changed['const'];
    },
  });
}

/** The hook `transform` of openapi-typescript. */
export function bigIntegerType(given: object): ts.TypeNode | undefined {
  if (!isObject(given) || !isBigInteger(given)) return undefined;
  const values = given[VALUES] as readonly unknown[] | undefined;
  const integers = values?.filter((value) => Number.isInteger(value)).map((value) => literalOf(BigInt(value as number)));
  const types = integers ?? [ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)];
  const isNullable = typesOf(given).includes('null');
  return ts.factory.createUnionTypeNode(isNullable ? [...types, ts.factory.createLiteralTypeNode(ts.factory.createNull())] : types);
}

function literalOf(value: bigint): ts.TypeNode {
  const digits = ts.factory.createBigIntLiteral(`${value < 0n ? -value : value}n`);
  return ts.factory.createLiteralTypeNode(value < 0n ? ts.factory.createPrefixUnaryExpression(ts.SyntaxKind.MinusToken, digits) : digits);
}
