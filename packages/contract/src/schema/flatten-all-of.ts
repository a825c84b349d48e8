/**
 * Flattens nested `allOf`s that reach a schema on many paths. Kept verdicts (repeated-schemas.ts) bound the time of a validator that follows
 * each path, but each would report the same problem: of 24 levels that double, one wrong property takes all the problems that are looked at.
 * Without a path for each, a valid value takes half of the time, a refused one a sixth.
 */
import { isObject, pointerKeys, pointerTo, resolve, type Document, type Schema } from '../document/openapi.ts';
import { branchesOf, referenceOf } from './model.ts';

/** Marks a reference to a schema without its `allOf`. */
const OWN = Symbol('own keywords');

export const isToOwnKeywords = (reference: object): boolean => OWN in reference;

export const withoutAllOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'allOf'));

/** Up to so many paths to a schema, on average, each is followed. */
const MAX_PATHS = 4;

/** Keywords whose meaning depends on where they are, or on what the parts beside them evaluate: a schema with one is not taken apart. */
const BOUND_TO_PLACE = ['unevaluatedProperties', 'unevaluatedItems', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];
const isWhole = (schema: Schema) => BOUND_TO_PLACE.some((keyword) => keyword in schema);

/** @returns the parts of a schema's `allOf`: as they are, or each schema that it reaches once, with its own keywords. */
export function createFlattenAllOf(document: Document): (schema: Schema) => readonly Schema[] {
  const paths = new Map<Schema, number>();
  /** How many paths lead from a schema to the parts of its `allOf`, and theirs; with the one to itself. */
  const countPaths = (schema: Schema): number => {
    const known = paths.get(schema);
    if (known !== undefined) return known;
    paths.set(schema, 1);
    const parts = isWhole(schema) ? [] : branchesOf(schema).allOf;
    const sum = parts.reduce((total, part) => total + countPaths(targetOf(part)), 1);
    paths.set(schema, sum);
    return sum;
  };
  const targetOf = (part: Schema): Schema => (isObject(part) ? resolve<Schema>(document, part) : part);
  const collect = (schema: Schema, found: Map<Schema, Schema>): void => {
    for (const part of branchesOf(schema).allOf) {
      const target = targetOf(part);
      if (found.has(target)) continue;
      const isTakenApart = isObject(target) && !isWhole(target) && branchesOf(target).allOf.length > 0;
      found.set(target, isTakenApart ? ownOf(part) : part);
      if (isTakenApart) collect(target, found);
    }
  };
  return (schema) => {
    const { allOf } = branchesOf(schema);
    if (allOf.length === 0) return allOf;
    const count = allOf.reduce((total, part) => total + countPaths(targetOf(part)), 0);
    if (count <= MAX_PATHS * allOf.length) return allOf;
    const found = new Map<Schema, Schema>();
    collect(schema, found);
    return count <= MAX_PATHS * found.size ? allOf : [...found.values()];
  };
}

function ownOf(part: Schema): Schema {
  const reference = referenceOf(part);
  if (reference === undefined) return withoutAllOf(part);
  return { $ref: pointerTo(...pointerKeys(reference)), [OWN]: true } as Schema;
}
