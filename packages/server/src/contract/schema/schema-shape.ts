/** The shape that a schema gives its values, with references followed and compositions united. */
import { resolve, type Document, type Schema } from '../document/openapi.ts';

export interface SchemaShape {
  /** The values of `type`, and `object` for a part that has properties and no type. Empty: any type. */
  readonly types: ReadonlySet<string>;
  /** By name, the schemas that the parts of a composition give a property. */
  readonly properties: ReadonlyMap<string, readonly Schema[]>;
  /** The schemas of properties that are not named. */
  readonly additionalProperties: readonly Schema[];
  readonly items: readonly Schema[];
  /** Whether some part allows properties that it does not name. */
  readonly isOpen: boolean;
  /** Whether some part names its properties, or forbids undeclared ones. */
  readonly declaresProperties: boolean;
}

/** The shape of a value that several schemas describe together. */
export function schemaShape(document: Document, schemas: readonly Schema[]): SchemaShape {
  const types = new Set<string>();
  const properties = new Map<string, Schema[]>();
  const additional: Schema[] = [];
  const items: Schema[] = [];
  let isOpen = false;
  let declaresProperties = false;

  const visited = new Set<Schema>();
  const add = (reference: Schema): void => {
    const schema = resolve<Schema>(document, reference);
    // A composition that contains itself adds nothing.
    if (visited.has(schema)) return;
    visited.add(schema);
    if (schema.type !== undefined) types.add(schema.type);
    else if (schema.properties !== undefined) types.add('object');
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), property]);
    const { additionalProperties } = schema;
    if (schema.properties !== undefined || additionalProperties === false) declaresProperties = true;
    if (additionalProperties !== undefined && additionalProperties !== false) isOpen = true;
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) additional.push(additionalProperties);
    if (schema.items !== undefined) items.push(schema.items);
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) add(part);
  };
  for (const schema of schemas) add(schema);
  return { types, properties, additionalProperties: additional, items, isOpen, declaresProperties };
}
