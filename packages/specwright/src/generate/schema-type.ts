/** Makes the types of lists and objects that openapi-typescript makes too narrow: its hook `transform`. */
import { stringToAST, transformSchemaObject, type SchemaObject, type TransformNodeOptions } from 'openapi-typescript';
import ts from 'typescript';
import {
  additionalOf,
  alternativesOf,
  branchesOf,
  itemsOf,
  limitsOf,
  prefixItemsOf,
  propertiesOf,
  typesOf,
  type Schema,
} from '@specwright/contract/document';
import { NEVER } from './simplify-schema.ts';

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
