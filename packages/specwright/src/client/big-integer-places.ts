/** Says for a client where responses have integers that are `bigint`: their places, as constants of TypeScript. */
import { hasBigIntegers, resolve, schemaShape, type Document, type Schema } from '@specwright/contract/document';

export interface BigIntegerPlaces {
  /** The expression of the place of a schema's values; `undefined` without such integers in them. */
  readonly placeOf: (schema: Schema) => string | undefined;
  /** The constants that the expressions name. */
  readonly constants: () => string;
}

/** Places that are alike are written once; a schema that contains itself has a place that does. */
export function createBigIntegerPlaces(document: Document): BigIntegerPlaces {
  const names = new Map<string, string>();
  const constants: string[] = [];
  const ids = new Map<Schema, number>();
  const idOf = (schema: Schema): number => ids.get(schema) ?? (ids.set(schema, ids.size), ids.size - 1);

  const place = (schemas: readonly Schema[]): string | undefined => {
    if (schemas.length === 0 || !hasBigIntegers(document, schemas)) return undefined;
    const resolved = [...new Set(schemas.map((schema) => resolve<Schema>(document, schema)))];
    const key = resolved.map(idOf).sort((a, b) => a - b).join(); // prettier-ignore
    const existing = names.get(key);
    if (existing !== undefined) return `() => ${existing}`;
    const name = `P${names.size + 1}`;
    names.set(key, name);
    const { isBigInteger, properties, additionalProperties, items } = schemaShape(document, resolved);
    const named = [...properties].flatMap(([property, parts]) => entry(JSON.stringify(property), place(parts)));
    const parts = [
      ...(isBigInteger ? ['isBigInteger: true'] : []),
      ...(named.length > 0 ? [`properties: { ${named.join(', ')} }`] : []),
      ...entry('additional', place(additionalProperties)),
      ...entry('items', place(items)),
    ];
    constants.push(`const ${name}: Place = { ${parts.join(', ')} };\n`);
    return `() => ${name}`;
  };
  return { placeOf: (schema) => place([schema]), constants: () => constants.join('') };
}

const entry = (key: string, value: string | undefined): string[] => (value === undefined ? [] : [`${key}: ${value}`]);
