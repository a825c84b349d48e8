/** The model of a schema, continued: keywords of JSON Schema 2020-12 that apply a schema to names, to some items, or on a condition. */
import { isObject, type Schema } from '../document/openapi.ts';

type Keywords = Readonly<Record<string, unknown>>;

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

const schemasAt = (schema: Schema, key: string): Readonly<Record<string, Schema>> => {
  const value = (schema as Keywords)[key];
  return isObject(value) ? (value as Record<string, Schema>) : {};
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
export const dependentSchemasOf = (schema: Schema): Readonly<Record<string, Schema>> => schemasAt(schema, 'dependentSchemas');

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
export const contentEncodingOf = (schema: Schema): string | undefined => {
  const { contentEncoding, format } = schema as Keywords;
  return typeof contentEncoding === 'string' ? contentEncoding : format === 'byte' ? 'base64' : undefined;
};

/** What a text contains, once it is decoded. */
export const contentMediaTypeOf = (schema: Schema): string | undefined => {
  const { contentMediaType } = schema as Keywords;
  return typeof contentMediaType === 'string' ? contentMediaType : undefined;
};
