/** Makes `bigint` the type of schemas that say so by `x-int64`: openapi-typescript knows numbers only. */
import { isBigInteger, isObject, typesOf, valuesOf, visitDocument, type Document } from '@specwright/contract/document';
import ts from 'typescript';

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
