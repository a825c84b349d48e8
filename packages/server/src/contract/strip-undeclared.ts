/** Cuts a value down to the properties that its schema declares, so that nothing else ever leaves the server. */
import { resolve, type Document, type Schema } from './openapi.ts';

export type StripUndeclared = (value: unknown) => unknown;

/** What a schema says about the shape of a value, with its compositions united. */
interface Shape {
  /** Any property may leave: the schema is a map, or says nothing about properties. */
  open: boolean;
  /** Some part of it says which properties there are. */
  declares: boolean;
  readonly properties: Map<string, Schema[]>;
  readonly others: Schema[];
  readonly items: Schema[];
}

/**
 * Compiles the projections of a document's schemas; what several use is compiled once.
 *
 * JSON Schema lets undeclared properties pass unless `additionalProperties` is false; a server must not. A property
 * leaves if any part of a composition declares it. A schema that declares no properties at all is a map and is
 * left whole. `writeOnly` properties never leave (OpenAPI 3.0.3, section 4.7.24.2).
 */
export function createStripUndeclared(document: Document): (schema: Schema) => StripUndeclared {
  // Keyed by the schemas themselves, so that a recursive schema gets a projection that refers to itself.
  const known = new Map<string, StripUndeclared>();
  const ids = new Map<Schema, number>();
  const idOf = (part: Schema) => ids.get(part) ?? (ids.set(part, ids.size), ids.size - 1);

  const compile = (schemas: readonly Schema[]): StripUndeclared => {
    // Each once: alternatives that lead to the same schema would double what stands below it, level by level.
    const resolved = [...new Set(schemas.map((part) => resolve<Schema>(document, part)))];
    const key = resolved
      .map(idOf)
      .sort((a, b) => a - b)
      .join();
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    // Built when a value first comes along: most of a large contract is not spoken in the first minutes.
    let built: StripUndeclared | undefined;
    const strip: StripUndeclared = (value) => (built ??= build(shapeOf(document, resolved), compile))(value);
    known.set(key, strip);
    return strip;
  };
  return (schema) => compile([schema]);
}

function build(shape: Shape, compile: (schemas: readonly Schema[]) => StripUndeclared): StripUndeclared {
  const properties = new Map([...shape.properties].map(([name, schemas]) => [name, compile(schemas)]));
  const others = shape.others.length > 0 ? compile(shape.others) : (value: unknown) => value;
  const items = shape.items.length > 0 ? compile(shape.items) : undefined;
  return (value) => {
    if (Array.isArray(value)) return items ? (value as unknown[]).map(items) : (value as unknown[]);
    if (typeof value !== 'object' || value === null || (shape.open && properties.size === 0 && shape.others.length === 0)) return value;
    const result: Record<string, unknown> = {};
    for (const [name, child] of Object.entries(value)) {
      const project = properties.get(name) ?? (shape.open ? others : undefined);
      if (project !== undefined) result[name] = project(child);
    }
    return result;
  };
}

function shapeOf(document: Document, schemas: readonly Schema[]): Shape {
  const shape: Shape = { declares: false, open: false, properties: new Map(), others: [], items: [] };
  const seen = new Set<Schema>();
  const add = (part: Schema): void => {
    const schema = resolve<Schema>(document, part);
    // A composition that contains itself says nothing new.
    if (seen.has(schema)) return;
    seen.add(schema);
    const { properties, additionalProperties, items } = schema;
    if (properties !== undefined || additionalProperties === false) shape.declares = true;
    for (const [name, property] of Object.entries(properties ?? {})) {
      if (resolve<Schema>(document, property)['writeOnly'] !== true)
        shape.properties.set(name, [...(shape.properties.get(name) ?? []), property]);
    }
    if (additionalProperties === true) shape.open = true;
    else if (typeof additionalProperties === 'object') {
      shape.open = true;
      if (Object.keys(additionalProperties).length > 0) shape.others.push(additionalProperties);
    }
    if (items !== undefined) shape.items.push(items);
    for (const child of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) add(child);
  };
  for (const schema of schemas) add(schema);
  return shape.declares ? shape : { ...shape, open: true };
}
