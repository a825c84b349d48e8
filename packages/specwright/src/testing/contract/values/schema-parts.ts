/** The schemas that hold for a value together: what `$ref` and `allOf` lead to, and the one branch of a union beside `null`. */
import { branchesOf, schemaOf, typesOf, valuesOf, type Schema } from '@specwright/contract/document';
import { child, follow, type Json, type Located } from '../document.ts';

export type LocatedSchema = Located<Schema>;

/** Schemas of one value, all of which hold. */
export type Schemas = readonly LocatedSchema[];

/** A schema within another one. */
export const locate = (schema: Schema | boolean, pointer: string, ...keys: string[]): LocatedSchema => ({
  value: schemaOf(schema),
  pointer: child(pointer, ...keys),
});

export function partsOf(document: Json, schema: LocatedSchema, above: readonly string[] = []): LocatedSchema[] {
  const target = follow<Schema | boolean>(document, schema.value, schema.pointer);
  const resolved = { value: schemaOf(target.value), pointer: target.pointer };
  if (above.includes(resolved.pointer)) return [];
  const path = [...above, resolved.pointer];
  const within = (key: 'allOf' | 'oneOf' | 'anyOf', part: Schema, i: number) =>
    partsOf(document, locate(part, resolved.pointer, key, String(i)), path);
  const { allOf, oneOf, anyOf } = branchesOf(resolved.value);
  const only = (
    [
      ['oneOf', oneOf],
      ['anyOf', anyOf],
    ] as const
  ).flatMap(([key, parts]) => {
    const others = parts.flatMap((part, i) => (isNull(document, part) ? [] : [{ part, i }]));
    const [other] = others;
    return other !== undefined && others.length === 1 && parts.length > 1 ? within(key, other.part, other.i) : [];
  });
  return [resolved, ...allOf.flatMap((part, i) => within('allOf', part, i)), ...only];
}

/** Whether `null` is the only value. */
export function isNull(document: Json, schema: Schema): boolean {
  const value = schemaOf(follow<Schema | boolean>(document, schema).value);
  const [types, values] = [typesOf(value), valuesOf(value)];
  return (types.length === 1 && types[0] === 'null') || (values?.length === 1 && values[0] === null);
}
