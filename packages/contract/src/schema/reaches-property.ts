/** Finds the schemas whose values may have a property of some kind: one with a default, or one that is `readOnly`. */
import { isObject, pointerKeys, resolve, valueAt, type Document, type Schema } from '../document/openapi.ts';
import { DEFINITIONS, subschemasOf } from '../document/subschemas.ts';
import { propertiesOf, referenceOf } from './model.ts';

/** Schemas of other values, or of none that is accepted. */
const NOT_FILLED: readonly string[] = ['not', 'contains', 'propertyNames', 'contentSchema', 'unevaluatedItems', ...DEFINITIONS];

/**
 * Whether a value of the schema at a pointer may have, anywhere, a property with such a schema, which may be a reference.
 *
 * Each schema is visited once, whatever the shape of references and however many pointers are asked for.
 */
export function createReachesProperty(document: Document, isWanted: (property: Schema) => boolean): (pointer: string) => boolean {
  const visited = new Set<Schema>();
  const reaching = new Set<Schema>();
  const holders = new Map<Schema, Schema[]>();
  const mark = (schema: Schema): void => {
    const rest = [schema];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (reaching.has(next)) continue;
      reaching.add(next);
      rest.push(...(holders.get(next) ?? []));
    }
  };
  const visit = (root: Schema): void => {
    const rest = [root];
    for (let schema = rest.pop(); schema !== undefined; schema = rest.pop()) {
      if (visited.has(schema)) continue;
      visited.add(schema);
      if (Object.values(propertiesOf(schema)).some(isWanted)) mark(schema);
      for (const [[keyword], part] of subschemasOf(schema)) {
        if (NOT_FILLED.includes(String(keyword))) continue;
        const target = resolve<Schema>(document, part);
        holders.set(target, [...(holders.get(target) ?? []), schema]);
        if (reaching.has(target)) mark(schema);
        rest.push(target);
      }
    }
  };
  return (pointer) => {
    const { schema } = schemaAt(document, pointer);
    visit(schema);
    return reaching.has(schema);
  };
}

/** @returns the schema that a pointer leads to, through references, and the pointer of that. */
export function schemaAt(document: Document, pointer: string): { schema: Schema; at: string } {
  for (let at = pointer, hops = 0; ; hops++) {
    const schema = valueAt(document, pointerKeys(at));
    const reference = isObject(schema) ? referenceOf(schema) : undefined;
    if (reference === undefined || hops > 100) return { schema: isObject(schema) ? schema : {}, at };
    at = reference;
  }
}
