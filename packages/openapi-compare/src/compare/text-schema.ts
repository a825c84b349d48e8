/** What a schema accepts where each value is sent as a text: in a path, a query, a header, a cookie or a form. */
import { isObject, resolve, typesOf, valuesOf, type Document, type Schema } from '@specwright/contract/document';

/** A value of a parameter or of a form has at most a list or an object of texts in it. */
const MAX_DEPTH = 4;

/** The texts of numbers and booleans; all else stays. */
export function textSchema(document: Document, schema: Schema | boolean, depth = 0): Schema | boolean {
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return schema;
  const target = resolve<Schema>(document, schema) as Schema & Readonly<Record<string, unknown>>;
  const [type, ...others] = typesOf(target);
  if (others.length === 0 && type !== undefined && TEXTS[type] !== undefined) {
    const values = valuesOf(target)?.map(String) ?? TEXTS[type].enum;
    return { type: 'string', ...(values !== undefined && { enum: values }) } as Schema;
  }
  const inner = (value: unknown) => textSchema(document, value as Schema, depth + 1);
  const replaced = {
    ...(isObject(target['items']) && { items: inner(target['items']) }),
    ...(isObject(target['properties']) && {
      properties: Object.fromEntries(Object.entries(target['properties']).map(([name, one]) => [name, inner(one)])),
    }),
  };
  return Object.keys(replaced).length === 0 ? schema : { ...target, ...replaced };
}

const TEXTS: Readonly<Record<string, { readonly enum?: readonly string[] }>> = {
  boolean: { enum: ['true', 'false'] },
  integer: {},
  number: {},
};
