/**
 * Removes `readOnly` properties from the value of a request, so that what was read can be edited and sent back. They SHOULD
 * NOT be sent (OpenAPI 3.0.3, section 4.7.24.2), and a service may ignore or refuse them (JSON Schema 2020-12, validation,
 * section 9.4). They are ignored here, as Google's AIP-203 requires: no handler gets one, whatever its value is.
 */
import { type Document, isObject, resolve, type Schema } from '../document/openapi.ts';
import { remember } from '../remember.ts';
import { isReadOnly } from './model.ts';
import { createReachesProperty } from './reaches-property.ts';
import { schemaShape, type SchemaShape } from './schema-shape.ts';

/**
 * A property is removed if every part of a composition that declares it says `readOnly`.
 *
 * @returns by the pointer of a schema; `undefined` for one that no value has such a property of.
 */
export function createDropReadOnly(document: Document): (pointer: string) => ((value: unknown) => void) | undefined {
  const reachesReadOnly = createReachesProperty(document, (property) => isReadOnly(resolve<Schema>(document, property)));
  /** By the schemas, each once: lists of alternatives that lead to the same schemas have one shape, on whatever path of a value. */
  const shapes = new Map<string, SchemaShape>();
  const ids = new Map<Schema, number>();
  const idOf = remember<Schema, number>(() => ids.size, ids);
  const shapeOf = (schemas: readonly Schema[]): SchemaShape => {
    const resolved = new Set(schemas.map((schema) => resolve<Schema>(document, schema)));
    const key = Array.from(resolved, idOf)
      .sort((a, b) => a - b)
      .join();
    const known = shapes.get(key);
    if (known !== undefined) return known;
    const shape = schemaShape(document, [...resolved]);
    shapes.set(key, shape);
    return shape;
  };
  const drop = (schemas: readonly Schema[], value: unknown): void => {
    if (schemas.length === 0 || typeof value !== 'object' || value === null) return;
    const { items, properties, additionalProperties } = shapeOf(schemas);
    if (Array.isArray(value)) for (const item of value) drop(items, item);
    else if (isObject(value))
      for (const name of Object.keys(value)) {
        const declared = properties.get(name);
        if (declared?.every((schema) => isReadOnly(resolve<Schema>(document, schema))) === true) Reflect.deleteProperty(value, name);
        else drop(declared ?? additionalProperties, value[name]);
      }
  };
  return (pointer) => (reachesReadOnly(pointer) ? (value) => drop([{ $ref: pointer }], value) : undefined);
}
