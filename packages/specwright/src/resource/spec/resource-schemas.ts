/** The schemas of a resource: of its records, of new ones, of changes to them, and of a page. */
import type { Document } from '@specwright/contract/document';
import type { SchemaSource } from './schema-source.ts';
import { patchSchema } from './property-schema.ts';
import { capitalized, givenOf, type Resource, type ResourceProperty } from '../resource.ts';

/** What a record is made of in a request or a response. */
export function exampleOf(resource: Resource, kind: 'read' | 'new' | 'patch'): Record<string, unknown> {
  const of = (properties: readonly ResourceProperty[]) => Object.fromEntries(properties.map(({ name, example }) => [name, example]));
  if (kind === 'read') return { id: 1, ...of(resource.properties) };
  const given = givenOf(resource);
  if (kind === 'new') return of(given);
  // What it refers to does not exist for an example that is sent unchanged.
  const free = given.filter(({ reference }) => reference === undefined);
  return of((free.length > 0 ? free : given).slice(0, 1));
}

/** By name. @param document as it is written; @param read whether the schema of its records is among them: it may be in the document already. */
export function resourceSchemas(document: Document, resource: Resource, id: SchemaSource, read: boolean): Record<string, SchemaSource> {
  const { names, properties } = resource;
  const { One, Many, aWord, words } = names;
  const given = givenOf(resource);
  const object = (
    description: string,
    own: readonly (readonly [string, SchemaSource])[],
    required: readonly string[],
    example: object,
  ): SchemaSource => ({
    description,
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required: [...required] }),
    properties: Object.fromEntries(own),
    example,
  });
  const requiredOf = (list: readonly ResourceProperty[]) => list.flatMap(({ name, required }) => (required ? [name] : []));
  return {
    [`New${One}`]: object(
      `${capitalized(aWord)} to create, or to replace another with.`,
      given.map(({ name, schema }) => [name, schema]),
      requiredOf(given),
      exampleOf(resource, 'new'),
    ),
    [`${One}Patch`]: object(
      `Changes to ${aWord} (RFC 7396).`,
      given.map((property) => [property.name, patchSchema(document, property)]),
      [],
      exampleOf(resource, 'patch'),
    ),
    ...(read && {
      [One]: object(
        `${capitalized(aWord)}.`,
        [['id', { description: 'Assigned on creation.', allOf: [id] }], ...properties.map(({ name, schema }) => [name, schema] as const)],
        ['id', ...requiredOf(properties)],
        exampleOf(resource, 'read'),
      ),
    }),
    [Many]: {
      description: `${capitalized(words)}, oldest first.`,
      type: 'array',
      maxItems: 100,
      items: { $ref: `#/components/schemas/${One}` },
    },
  };
}
