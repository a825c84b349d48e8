/** Finds schemas with values that are no JSON in JavaScript: `bigint` and `Date`. */
import type { Document, Schema } from '../document/openapi.ts';
import { schemasBelow } from '../document/subschemas.ts';
import { isBigInteger, isDateObject } from './model.ts';

/** By document, the schemas that are known to have none in them. */
const schemasWithout = new WeakMap<Document, WeakSet<Schema>>();

export function hasNativeValues(document: Document, schemas: readonly Schema[]): boolean {
  let without = schemasWithout.get(document);
  if (without === undefined) schemasWithout.set(document, (without = new WeakSet()));
  const known = without;
  const visited: Schema[] = [];
  for (const schema of schemasBelow(document, schemas, (_, within) => !known.has(within))) {
    if (isBigInteger(schema) || isDateObject(schema)) return true;
    visited.push(schema);
  }
  for (const schema of visited) known.add(schema);
  return false;
}
