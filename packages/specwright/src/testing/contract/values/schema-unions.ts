/** The unions of a schema: `oneOf` and `anyOf`, with what a discriminator says of their branches. */
import { branchesOf, discriminatorOf, referenceOf, schemaOf, titleOf, type Schema } from '@specwright/contract/document';
import { follow, type Json } from '../document.ts';
import { isNull, locate, type LocatedSchema } from './schema-parts.ts';

export interface Union {
  readonly branches: readonly {
    /** That of its schema or its title, else its place in the union, as `oneOf/1`. */
    readonly name: string;
    readonly schema: LocatedSchema;
    /** What the discriminator says of it, if there is one. */
    readonly tag?: { readonly property: string; readonly value: string };
  }[];
}

/** @returns `undefined` without one, and for a single schema or `null`, which is no choice. */
export function unionOf(document: Json, { value, pointer }: LocatedSchema, key: 'oneOf' | 'anyOf'): Union | undefined {
  const listed = branchesOf(value)[key];
  const others = listed.map((schema, i) => ({ schema, i })).filter(({ schema }) => !isNull(document, schema));
  if (others.length === 0 || (others.length === 1 && listed.length > 1)) return undefined;
  const discriminator = discriminatorOf(value);
  const branches = others.map(({ schema, i }) => {
    const reference = referenceOf(schema);
    const title = titleOf(schemaOf(follow<Schema | boolean>(document, schema).value));
    const schemaName = reference?.split('/').at(-1);
    // OpenAPI 3.0.3, section 4.7.25: a mapping names a schema or refers to it; without one its name is the value.
    const mapped = Object.entries(discriminator?.mapping ?? {}).find(([, target]) => target === reference || target === schemaName)?.[0];
    const tag = mapped ?? schemaName;
    return {
      name: schemaName ?? title ?? `${key}/${i}`,
      schema: locate(schema, pointer, key, String(i)),
      ...(discriminator !== undefined && tag !== undefined && { tag: { property: discriminator.propertyName, value: tag } }),
    };
  });
  return { branches };
}
