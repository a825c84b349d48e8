/** What the shape of a schema is, seen through references and `allOf`: for rules that compare schemas. */
import type { Document, Schema } from '@specwright/server';
import { follow } from './rule.ts';

/** A schema with all that its `allOf` says of types and properties. */
export interface Shape {
  /** The types of its values, `null` among them; none: it does not say. */
  readonly types: ReadonlySet<string>;
  readonly enum: readonly unknown[] | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Schema>;
  /** It refuses properties that it does not declare. */
  readonly closed: boolean;
  /** Schemas that are one of several: what they say is not in this shape. */
  readonly unions: readonly Schema[];
}

const DEPTH = 20;

export function shapeOf(document: Document, schema: Schema | undefined, depth = 0): Shape {
  const own = follow<Schema>(document, schema)?.value ?? {};
  const parts = depth > DEPTH ? [] : (own.allOf ?? []).map((part) => shapeOf(document, part, depth + 1));
  const types = own.type === undefined ? parts.map((part) => part.types).find(({ size }) => size > 0) : new Set([own.type]);
  return {
    types: new Set([...(types ?? []), ...(own.nullable === true ? ['null'] : [])]),
    enum: (own['enum'] as unknown[] | undefined) ?? parts.find((part) => part.enum !== undefined)?.enum,
    required: new Set([...((own['required'] as string[] | undefined) ?? []), ...parts.flatMap((part) => [...part.required])]),
    properties: new Map([...parts.flatMap((part) => [...part.properties]), ...Object.entries(own.properties ?? {})]),
    closed: own.additionalProperties === false || parts.some((part) => part.closed),
    unions: [...(own.oneOf ?? []), ...(own.anyOf ?? []), ...parts.flatMap((part) => part.unions)],
  };
}

/** Whether no value can be of both. `false` where that cannot be told from types, enums and properties. */
export function areApart(document: Document, a: Schema | undefined, b: Schema | undefined, depth = 0): boolean {
  const [left, right] = [shapeOf(document, a), shapeOf(document, b)];
  if (left.enum !== undefined && right.enum !== undefined) return !left.enum.some((value) => right.enum?.includes(value));
  if (left.types.size > 0 && right.types.size > 0 && !overlap(left.types, right.types)) return true;
  const areObjects = [left, right].every(({ types }) => types.size === 1 && types.has('object'));
  if (!areObjects || depth > 3) return false;
  return lacks(left, right) || lacks(right, left) || contradict(document, left, right, depth);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const widen = (types: ReadonlySet<string>) => new Set(types.has('number') ? [...types, 'integer'] : types);
  return [...widen(a)].some((type) => widen(b).has(type));
}

/** One needs a property that the other refuses. */
const lacks = (needs: Shape, refuses: Shape) => refuses.closed && [...needs.required].some((name) => !refuses.properties.has(name));

/** Both declare a property, one of them needs it, and no value of it suits both. */
function contradict(document: Document, a: Shape, b: Shape, depth: number): boolean {
  return [...a.properties].some(
    ([name, property]) =>
      (a.required.has(name) || b.required.has(name)) &&
      b.properties.has(name) &&
      areApart(document, property, b.properties.get(name), depth + 1),
  );
}
