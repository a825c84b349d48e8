/** Copies of a document in the form that the schema compilers take, with the meaning that the contract has. */
import { METHODS, resolve, type Document, type Schema } from './openapi.ts';

type Rewrite = (schema: Schema) => Schema;

/**
 * For express-openapi-validator: without examples, whose `id` it would read as that of a schema, and with `nullable`
 * beside a composition spelt out, which it would only refuse at the first request.
 */
export function forValidator(document: Document): Document {
  // Operations are found by our router; the paths that the validator sees begin at the root, whatever the servers' URLs.
  return { ...rewrite(document, spellOutNullable), servers: [{ url: '/' }] };
}

/**
 * For Ajv as it comes, which reads JSON Schema draft 7: as above, and with the bounds of draft 4 in numbers. What is
 * compiled from it are responses, so `writeOnly` properties are not required (OpenAPI 3.0.3, section 4.7.24.2).
 */
export function forCompiler(document: Document): Document {
  const required: Rewrite = (schema) => {
    if (!Array.isArray(schema['required']) || schema.properties === undefined) return schema;
    const { properties } = schema;
    const readable = (schema['required'] as string[]).filter((name) => {
      const property = properties[name];
      return property === undefined || resolve<Schema>(document, property)['writeOnly'] !== true;
    });
    return { ...schema, required: readable };
  };
  return rewrite(document, (schema) => exclusiveBounds(required(spellOutNullable(schema))));
}

/** `nullable` beside anything but a `type`: null, or what the rest says. So do the generated types read it. */
const spellOutNullable: Rewrite = (schema) => {
  if (schema.nullable === undefined || schema.type !== undefined) return schema;
  const { nullable, ...rest } = schema;
  return nullable && Object.keys(rest).length > 0 ? { anyOf: [{ enum: [null] }, rest] } : rest;
};

const exclusiveBounds: Rewrite = (schema) => {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const result: Schema = { ...rest };
  if (exclusiveMinimum === true) {
    result['exclusiveMinimum'] = rest['minimum'];
    delete result['minimum'];
  }
  if (exclusiveMaximum === true) {
    result['exclusiveMaximum'] = rest['maximum'];
    delete result['maximum'];
  }
  return result;
};

/** Keys whose value is a schema, a list of schemas, or a map of schemas. */
const SCHEMA = new Set(['items', 'additionalProperties', 'not', 'schema']);
const SCHEMAS = new Set(['allOf', 'oneOf', 'anyOf']);
const SCHEMA_MAPS = new Set(['properties']);

function rewrite(document: Document, change: Rewrite): Document {
  const inSchema = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const schema: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue;
      schema[key] = SCHEMA.has(key)
        ? inSchema(child)
        : SCHEMAS.has(key) && Array.isArray(child)
          ? child.map(inSchema)
          : SCHEMA_MAPS.has(key)
            ? mapValues(child, inSchema)
            : structuredClone(child);
    }
    return change(schema);
  };
  const outside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(outside);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'example' && key !== 'examples' && key !== 'links')
        .map(([key, child]) => [key, key === 'schema' ? inSchema(child) : key === 'schemas' ? mapValues(child, inSchema) : outside(child)]),
    );
  };
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (part, key) => (key === 'parameters' || (METHODS as readonly string[]).includes(key) ? outside(part) : part)),
  );
  return { ...document, paths, components: outside(document.components ?? {}) } as unknown as Document;
}

function mapValues(value: unknown, change: (child: unknown, key: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child, key)]));
}
