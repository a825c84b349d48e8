/** Schemas with references resolved and `allOf` merged, for rules that compare schemas. */
import {
  additionalPropertiesOf,
  alternativesOf,
  branchesOf,
  patternPropertiesOf,
  propertiesOf,
  requiredOf,
  typesOf,
  valuesOf,
  type Document,
  type Schema,
} from '@specwright/contract/document';
import { follow } from './rule.ts';

/** A schema with the types and properties of its `allOf`. */
export interface FlatSchema {
  /** The types of its values, including `null`; empty if unspecified. */
  readonly types: ReadonlySet<string>;
  readonly enum: readonly unknown[] | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Schema>;
  /** Whether it refuses undeclared properties. */
  readonly closed: boolean;
  /** The branches of `oneOf` and `anyOf`, which are not merged. */
  readonly unions: readonly Schema[];
}

const MAX_DEPTH = 20;

export function flattenSchema(document: Document, schema: Schema | undefined, depth = 0): FlatSchema {
  const own = follow<Schema>(document, schema)?.value ?? {};
  const parts = depth > MAX_DEPTH ? [] : branchesOf(own).allOf.map((part) => flattenSchema(document, part, depth + 1));
  const types = typesOf(own);
  return {
    types: types.length > 0 ? new Set(types) : (parts.map((part) => part.types).find(({ size }) => size > 0) ?? new Set()),
    enum: valuesOf(own) ?? parts.find((part) => part.enum !== undefined)?.enum,
    required: new Set([...requiredOf(own), ...parts.flatMap((part) => [...part.required])]),
    properties: new Map([...parts.flatMap((part) => [...part.properties]), ...Object.entries(propertiesOf(own))]),
    closed: isClosed(own) || parts.some((part) => part.closed),
    unions: [...alternativesOf(own), ...parts.flatMap((part) => part.unions)],
  };
}

const isClosed = (schema: Schema): boolean =>
  additionalPropertiesOf(schema) === false && Object.keys(patternPropertiesOf(schema)).length === 0;

/** Whether no value is valid for both. `false` where types, enums and properties do not tell. */
export function areDisjoint(document: Document, a: Schema | undefined, b: Schema | undefined, depth = 0): boolean {
  const [left, right] = [flattenSchema(document, a), flattenSchema(document, b)];
  if (left.enum !== undefined && right.enum !== undefined) return !left.enum.some((value) => right.enum?.includes(value));
  if (left.types.size > 0 && right.types.size > 0 && !overlap(left.types, right.types)) return true;
  const areObjects = [left, right].every(({ types }) => types.size === 1 && types.has('object'));
  if (!areObjects || depth > 3) return false;
  return requiresRefused(left, right) || requiresRefused(right, left) || haveDisjointProperty(document, left, right, depth);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const widen = (types: ReadonlySet<string>) => new Set(types.has('number') ? [...types, 'integer'] : types);
  return [...widen(a)].some((type) => widen(b).has(type));
}

/** One requires a property that the other refuses. */
const requiresRefused = (one: FlatSchema, other: FlatSchema) =>
  other.closed && [...one.required].some((name) => !other.properties.has(name));

/** Both declare a property that one requires, and no value of it is valid for both. */
function haveDisjointProperty(document: Document, a: FlatSchema, b: FlatSchema, depth: number): boolean {
  return [...a.properties].some(
    ([name, property]) =>
      (a.required.has(name) || b.required.has(name)) &&
      b.properties.has(name) &&
      areDisjoint(document, property, b.properties.get(name), depth + 1),
  );
}
