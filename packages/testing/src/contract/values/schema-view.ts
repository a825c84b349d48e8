/** What a schema says of a value, whatever it is composed of: `$ref`s are followed, the parts of an `allOf` hold together. */
import { child, follow, type Json, type Located } from '../document.ts';

/** Schemas of one value, all of which hold. */
export type Schemas = readonly Located[];

export interface Union {
  readonly branches: readonly {
    /** That of its schema or its title, else its place in the union, as `oneOf/1`. */
    readonly name: string;
    readonly schema: Located;
    /** What the discriminator says of it, if there is one. */
    readonly tag?: { readonly property: string; readonly value: string };
  }[];
}

export interface SchemaView {
  /** The resolved schemas, without those of unions. */
  readonly parts: Schemas;
  readonly type: string | undefined;
  readonly properties: ReadonlyMap<string, Schemas>;
  readonly required: ReadonlySet<string>;
  /** The schema of properties that have none of their own; `undefined` if there can be none, or nothing is said of them. */
  readonly additional: Schemas | undefined;
  readonly items: Schemas | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly unions: readonly Union[];
}

/** The first value of a keyword. */
export const keyword = <T>({ parts }: Pick<SchemaView, 'parts'>, name: string): T | undefined =>
  parts.map(({ value }) => value[name] as T | undefined).find((value) => value !== undefined);

export const hasFlag = ({ parts }: Pick<SchemaView, 'parts'>, name: string): boolean => parts.some(({ value }) => value[name] === true);

/** @throws Error if a `$ref` cannot be resolved. */
export function viewSchema(document: Json, schemas: Schemas): SchemaView {
  const parts = schemas.flatMap((schema) => partsOf(document, schema));
  const properties = new Map<string, Schemas>();
  for (const { value, pointer } of parts)
    for (const [name, schema] of Object.entries((value['properties'] ?? {}) as Record<string, Json>))
      properties.set(name, [...(properties.get(name) ?? []), { value: schema, pointer: child(pointer, 'properties', name) }]);
  const inParts = (name: string): Located[] =>
    parts.flatMap(({ value, pointer }) =>
      typeof value[name] === 'object' && value[name] !== null ? [{ value: value[name] as Json, pointer: child(pointer, name) }] : [],
    );
  const listed = (name: string): Schemas | undefined => {
    const found = inParts(name);
    return found.length > 0 ? found : undefined;
  };
  const items = listed('items');
  const additional = listed('additionalProperties');
  const type = keyword<string>({ parts }, 'type');
  return {
    parts,
    type: type ?? (properties.size > 0 || additional ? 'object' : items && 'array'),
    properties,
    required: new Set(parts.flatMap(({ value }) => (value['required'] ?? []) as string[])),
    additional,
    items,
    values: keyword<readonly unknown[]>({ parts }, 'enum'),
    unions: parts.flatMap((part) => ['oneOf', 'anyOf'].flatMap((name) => unionOf(document, part, name) ?? [])),
  };
}

function partsOf(document: Json, schema: Located, above: readonly string[] = []): Located[] {
  const resolved = follow(document, schema.value, schema.pointer);
  if (above.includes(resolved.pointer)) return [];
  const all = (resolved.value['allOf'] ?? []) as Json[];
  const path = [...above, resolved.pointer];
  return [resolved, ...all.flatMap((value, i) => partsOf(document, { value, pointer: child(resolved.pointer, 'allOf', String(i)) }, path))];
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

function unionOf(document: Json, { value, pointer }: Located, name: string): Union | undefined {
  const listed = value[name] as Json[] | undefined;
  if (listed === undefined || listed.length === 0) return undefined;
  const discriminator = value['discriminator'] as Discriminator | undefined;
  const branches = listed.map((schema, i) => {
    const reference = schema['$ref'] as string | undefined;
    const title = follow(document, schema).value['title'] as string | undefined;
    const schemaName = reference?.split('/').at(-1);
    // OpenAPI 3.0.3, section 4.7.25: a mapping names a schema or refers to it; without one its name is the value.
    const mapped = Object.entries(discriminator?.mapping ?? {}).find(([, target]) => target === reference || target === schemaName)?.[0];
    const tag = mapped ?? schemaName;
    return {
      name: schemaName ?? title ?? `${name}/${i}`,
      schema: { value: schema, pointer: child(pointer, name, String(i)) },
      ...(discriminator !== undefined && tag !== undefined && { tag: { property: discriminator.propertyName, value: tag } }),
    };
  });
  return { branches };
}

/** The schemas that a property can have in any branch; `undefined` if the schema does not declare it. */
export function declaredProperty(document: Json, view: SchemaView, name: string, depth = 0): Schemas | undefined {
  const own = view.properties.get(name);
  if (own !== undefined) return own;
  for (const { schema } of depth > 4 ? [] : view.unions.flatMap(({ branches }) => branches)) {
    const found = declaredProperty(document, viewSchema(document, [schema]), name, depth + 1);
    if (found !== undefined) return found;
  }
  return view.additional;
}
