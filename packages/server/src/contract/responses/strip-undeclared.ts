/** Removes the properties of a value that its schema does not declare, so that nothing else ever leaves the server. */
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import { isWriteOnly } from '../schema/model.ts';
import { schemaShape, type SchemaShape } from '../schema/schema-shape.ts';

/** Copies a value without what its schema does not declare. */
export type StripUndeclared = (value: unknown) => unknown;

type Compile = (schemas: readonly Schema[]) => StripUndeclared;

/**
 * Compiles the strip functions of a document's schemas; one that several places use is compiled once.
 *
 * JSON Schema allows undeclared properties unless `additionalProperties` is false; a server must not send them. A property
 * is sent if any part of a composition declares it. A schema that declares no properties is a map, whose values are sent
 * as they are. `writeOnly` properties are never sent (OpenAPI 3.0.3, section 4.7.24.2).
 */
export function createStripUndeclared(document: Document): (schema: Schema) => StripUndeclared {
  // Keyed by the schemas themselves, so that a recursive schema gets a function that calls itself.
  const compiled = new Map<string, StripUndeclared>();
  const ids = new Map<Schema, number>();
  const idOf = (schema: Schema) => ids.get(schema) ?? (ids.set(schema, ids.size), ids.size - 1);

  const compile: Compile = (schemas) => {
    // Each once: alternatives that lead to the same schema would double what is below it, level by level.
    const resolved = [...new Set(schemas.map((schema) => resolve<Schema>(document, schema)))];
    const key = resolved
      .map(idOf)
      .sort((a, b) => a - b)
      .join();
    const existing = compiled.get(key);
    if (existing !== undefined) return existing;
    // Built for the first value: most of a large contract is not used in the first minutes.
    let built: StripUndeclared | undefined;
    const strip: StripUndeclared = (value) => (built ??= build(document, schemaShape(document, resolved), compile))(value);
    compiled.set(key, strip);
    return strip;
  };
  return (schema) => compile([schema]);
}

const keep: StripUndeclared = (value) => value;

function build(document: Document, shape: SchemaShape, compile: Compile): StripUndeclared {
  // `undefined` for a property that is only `writeOnly`: not sent by an open schema either.
  const properties = new Map<string, StripUndeclared | undefined>();
  for (const [name, schemas] of shape.properties) {
    const readable = schemas.filter((schema) => !isWriteOnly(resolve<Schema>(document, schema)));
    properties.set(name, readable.length > 0 ? compile(readable) : undefined);
  }
  const isOpen = shape.isOpen || !shape.declaresProperties;
  const additional = !isOpen ? undefined : shape.additionalProperties.length > 0 ? compile(shape.additionalProperties) : keep;
  const items = shape.items.length > 0 ? compile(shape.items) : keep;
  const isMap = additional === keep && properties.size === 0;
  return (value) => {
    if (Array.isArray(value)) return items === keep ? (value as unknown[]) : (value as unknown[]).map(items);
    if (typeof value !== 'object' || value === null || isMap) return value;
    const result: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const strip = properties.get(name) ?? (properties.has(name) ? undefined : additional);
      if (strip !== undefined) result[name] = strip((value as Record<string, unknown>)[name]);
    }
    return result;
  };
}
