/** What a schema says of a value, whatever it is composed of: `$ref`s are followed, the parts of an `allOf` hold together. */
import {
  type Document,
  type JsonType,
  type Limits,
  type Schema,
  additionalOf,
  allowsMoreItems,
  alternativesOf,
  branchesOf,
  compilePattern,
  dependentRequiredOf,
  discriminatorOf,
  discriminatorTags,
  isNullable,
  itemsOf,
  limitsOf,
  matchesNothing,
  patternPropertiesOf,
  pointerTo,
  prefixItemsOf,
  propertiesOf,
  propertyNamesOf,
  referenceOf,
  requiredOf,
  resolveAt,
  schemaOf,
  titleOf,
  typesOf,
  unevaluatedItemsOf,
  unevaluatedPropertiesOf,
  valuesOf,
} from '@specwright/contract/document';

export interface SchemaView {
  /** The resolved schemas, without those of unions. */
  readonly parts: Schemas;
  /** The one type beside `null`: named, or told by the keywords of objects and lists. */
  readonly type: JsonType | undefined;
  /** The types that all parts allow, without `null`; none if no part names one. */
  readonly types: readonly JsonType[];
  /** Whether `null` is named as a type, value or branch, and nothing forbids it. */
  readonly takesNull: boolean;
  readonly properties: ReadonlyMap<string, Schemas>;
  /** The schemas of properties whose names match a pattern. */
  readonly patterns: readonly { readonly pattern: string; readonly expression: RegExp; readonly schema: LocatedSchema }[];
  readonly required: ReadonlySet<string>;
  /** Name of a property -> the properties that an object with it must have. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** The schema of properties that have none of their own; `undefined` if there can be none, or nothing is said of them. */
  readonly additional: Schemas | undefined;
  /** Whether there can be no other properties than those that are named. */
  readonly isClosed: boolean;
  readonly names: Schemas;
  /** The schemas of the first items, in their order. */
  readonly prefix: readonly Schemas[];
  /** The schema of the other items. */
  readonly items: Schemas | undefined;
  /** What all parts allow. */
  readonly limits: Limits;
  readonly values: readonly unknown[] | undefined;
  readonly unions: readonly Union[];
}

/** The first thing that the parts of a schema say, asked with a function of the model: `first(view, formatOf)`. */
export const first = <T>({ parts }: Pick<SchemaView, 'parts'>, read: (schema: Schema) => T | undefined): T | undefined =>
  parts.map(({ value }) => read(value)).find((found) => found !== undefined);

/** Whether any part says so: `some(view, isReadOnly)`. */
export const some = ({ parts }: Pick<SchemaView, 'parts'>, read: (schema: Schema) => boolean): boolean =>
  parts.some(({ value }) => read(value));

/** @throws Error if a `$ref` cannot be resolved. */
export function viewSchema(document: object, schemas: Schemas): SchemaView {
  const parts = schemas.flatMap((schema) => partsOf(document, schema));
  const properties = new Map<string, Schemas>();
  for (const { value, pointer } of parts)
    for (const [name, schema] of Object.entries(propertiesOf(value)))
      properties.set(name, [...(properties.get(name) ?? []), locate(schema, pointer, 'properties', name)]);
  const inParts = (name: string, read: (schema: Schema) => Schema | boolean | undefined): Schemas =>
    parts.flatMap(({ value, pointer }) => {
      const found = read(value);
      return typeof found === 'object' && !matchesNothing(found) ? [locate(found, pointer, name)] : [];
    });
  const items = [...inParts('items', itemsOf), ...inParts('unevaluatedItems', unevaluatedItemsOf)];
  const unevaluated = inParts('unevaluatedProperties', unevaluatedPropertiesOf);
  const evaluated = inParts('additionalProperties', (schema) => {
    const found = additionalOf(schema);
    return found === unevaluatedPropertiesOf(schema) ? undefined : found;
  });
  const additional = [...evaluated, ...unevaluated];
  const prefix = parts.reduce<Schemas[]>((lists, { value, pointer }) => {
    prefixItemsOf(value).forEach((schema, i) => (lists[i] = [...(lists[i] ?? []), locate(schema, pointer, 'prefixItems', String(i))]));
    return lists;
  }, []);
  const { types, isNamed } = commonTypes(parts);
  const isObject = properties.size > 0 || additional.length > 0;
  const isList = items.length > 0 || prefix.length > 0;
  const told = isNamed ? undefined : isObject ? 'object' : isList ? 'array' : undefined;
  return {
    parts,
    type: types.length === 1 ? types[0] : told,
    types,
    takesNull: parts.some((part) => namesNull(document, part)) && schemas.every(({ value }) => isNullable(document as Document, value)),
    properties,
    patterns: parts.flatMap(({ value, pointer }) =>
      Object.entries(patternPropertiesOf(value)).flatMap(([pattern, schema]) => {
        const expression = compilePattern(pattern)?.expression;
        return expression === undefined ? [] : [{ pattern, expression, schema: locate(schema, pointer, 'patternProperties', pattern) }];
      }),
    ),
    required: new Set(parts.flatMap(({ value }) => requiredOf(value))),
    dependents: new Map(parts.flatMap(({ value }) => Object.entries(dependentRequiredOf(value)))),
    additional: additional.length > 0 ? additional : undefined,
    isClosed: parts.some(({ value }) => matchesNothing(additionalOf(value)) || matchesNothing(unevaluatedPropertiesOf(value))),
    names: inParts('propertyNames', propertyNamesOf),
    prefix,
    items: items.length > 0 ? items : undefined,
    limits: commonLimits(parts, prefix.length),
    values: first({ parts }, valuesOf),
    unions: parts.flatMap((part) => (['oneOf', 'anyOf'] as const).flatMap((key) => unionOf(document, part, key) ?? [])),
  };
}

const namesNull = (document: object, { value }: LocatedSchema): boolean =>
  typesOf(value).includes('null') ||
  valuesOf(value)?.includes(null) === true ||
  alternativesOf(value).some((part) => isNull(document, part));

/** An integer is a number: where one part says `number` and another `integer`, both hold for an integer. */
function commonTypes(parts: Schemas): { readonly types: readonly JsonType[]; readonly isNamed: boolean } {
  const named = parts.map(({ value }) => typesOf(value)).filter((types) => types.length > 0);
  const allows = (types: readonly JsonType[], type: JsonType) => types.includes(type) || (type === 'integer' && types.includes('number'));
  const all = [...new Set(named.flat())].filter((type) => type !== 'null' && named.every((types) => allows(types, type)));
  return { types: all, isNamed: named.length > 0 };
}

/** The narrowest bounds. A list that is closed has no more items than its prefix. */
function commonLimits(parts: Schemas, prefixLength: number): Limits {
  const limits: Record<string, number> = {};
  for (const { value } of parts)
    for (const [key, limit] of Object.entries(limitsOf(value)))
      limits[key] = /^(min|exclusiveMin|multiple)/.test(key)
        ? Math.max(limits[key] ?? limit, limit)
        : Math.min(limits[key] ?? limit, limit);
  if (parts.some(({ value }) => !allowsMoreItems(value))) limits['maxItems'] = Math.min(limits['maxItems'] ?? Infinity, prefixLength);
  return limits;
}

/** The schemas that a property can have in any branch; `undefined` if the schema does not declare it. */
export function declaredProperty(document: object, view: SchemaView, name: string, depth = 0): Schemas | undefined {
  const own = view.properties.get(name);
  if (own !== undefined) return own;
  for (const { schema } of depth > 4 ? [] : view.unions.flatMap(({ branches }) => branches)) {
    const found = declaredProperty(document, viewSchema(document, [schema]), name, depth + 1);
    if (found !== undefined) return found;
  }
  return view.additional;
}

/** A schema of a document, and where it is. */
export interface LocatedSchema {
  readonly value: Schema;
  /** A JSON pointer in a URI fragment. */
  readonly pointer: string;
}

/** Schemas of one value, all of which hold. */
export type Schemas = readonly LocatedSchema[];

/** A schema within another one. */
export const locate = (schema: Schema | boolean, pointer: string, ...keys: readonly (string | number)[]): LocatedSchema => ({
  value: schemaOf(schema),
  pointer: pointer + pointerTo(...keys).slice(1),
});

/** What a schema refers to, if it does. @throws Error if that cannot be resolved. */
function follow(document: object, { value, pointer }: LocatedSchema): LocatedSchema {
  const target = resolveAt<Schema | boolean>(document as Document, value, pointer);
  return { value: schemaOf(target.value), pointer: target.pointer };
}

/**
 * The schemas that hold for a value together: what `$ref` and `allOf` lead to, and the one branch of a union beside `null`.
 *
 * @param visited the pointers of those that were found: each schema is one part, however many parts refer to it.
 */
export function partsOf(document: object, schema: LocatedSchema, visited = new Set<string>()): LocatedSchema[] {
  const resolved = follow(document, schema);
  if (visited.has(resolved.pointer)) return [];
  visited.add(resolved.pointer);
  const within = (key: 'allOf' | 'oneOf' | 'anyOf', part: Schema, i: number) =>
    partsOf(document, locate(part, resolved.pointer, key, String(i)), visited);
  const { allOf, oneOf, anyOf } = branchesOf(resolved.value);
  const only = (
    [
      ['oneOf', oneOf],
      ['anyOf', anyOf],
    ] as const
  ).flatMap(([key, parts]) => {
    const others = parts.flatMap((part, i) => (isNull(document, part) ? [] : [{ part, i }]));
    const [other] = others;
    return other !== undefined && others.length === 1 && parts.length > 1 ? within(key, other.part, other.i) : [];
  });
  return [resolved, ...allOf.flatMap((part, i) => within('allOf', part, i)), ...only];
}

/** Whether `null` is the only value. */
function isNull(document: object, schema: Schema): boolean {
  const { value } = follow(document, { value: schema, pointer: '#' });
  const [types, values] = [typesOf(value), valuesOf(value)];
  return (types.length === 1 && types[0] === 'null') || (values?.length === 1 && values[0] === null);
}

/** The unions of a schema: `oneOf` and `anyOf`, with what a discriminator says of their branches. */
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
function unionOf(document: object, { value, pointer }: LocatedSchema, key: 'oneOf' | 'anyOf'): Union | undefined {
  const listed = branchesOf(value)[key];
  const others = listed.map((schema, i) => ({ schema, i })).filter(({ schema }) => !isNull(document, schema));
  if (others.length === 0 || (others.length === 1 && listed.length > 1)) return undefined;
  const discriminator = discriminatorOf(value);
  const branches = others.map(({ schema, i }) => {
    const reference = referenceOf(schema);
    const title = titleOf(follow(document, { value: schema, pointer: '#' }).value);
    const schemaName = reference?.split('/').at(-1);
    const isTagged = discriminator !== undefined && reference !== undefined;
    const [tag] = isTagged ? discriminatorTags(document as Document, discriminator.propertyName, discriminator.mapping, schema) : [];
    return {
      name: schemaName ?? title ?? `${key}/${i}`,
      schema: locate(schema, pointer, key, String(i)),
      ...(discriminator && tag !== undefined && { tag: { property: discriminator.propertyName, value: tag } }),
    };
  });
  return { branches };
}
