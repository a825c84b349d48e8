/** Discriminators: the value of a property says which schema of a `oneOf` or `anyOf` applies (OpenAPI 3.0.3, section 4.7.25). */
import { isObject, resolve, type Document, type Schema } from '../document/openapi.ts';
import {
  branchesOf,
  discriminatorOf,
  isReadOnly,
  isWriteOnly,
  propertiesOf,
  referenceOf,
  requiredOf,
  typesOf,
  valuesOf,
  wholeOf,
} from './model.ts';
import { isTarget, tagsOf } from './discriminator-tags.ts';
import { type CompilerSchema, markExclusive } from './schema-reference.ts';

export { tagsOf };

/**
 * A `oneOf` or `anyOf` whose objects are told apart by a property: that of the discriminator, or one that each part requires with other
 * values. An object has one of the tags, and each part applies if its tag is there. So the problems of a value are those of the part that
 * it names, not of every part. What is no object has no tag, and may be any part.
 *
 * @returns the keywords that it becomes: the given one, if no property tells all parts apart.
 */
export function compositionOf(
  document: Document,
  key: 'oneOf' | 'anyOf',
  given: Schema,
  normalize: (part: Schema) => CompilerSchema,
): Readonly<Record<string, CompilerSchema[]>> {
  const parts = branchesOf(given)[key];
  const { property, tagsOfPart, fallback } = taggingOf(document, given, parts);
  if (property === undefined) return { [key]: parts.map(normalize) };
  const hasTag = (tags: readonly unknown[]): CompilerSchema => ({
    required: [property],
    properties: { [property]: { enum: tags } },
  });
  const all = parts.map((part, i) => ({ tags: tagsOfPart(part), schema: normalize(part), isFallback: i === fallback?.index }));
  const tagged = all.flatMap(({ tags, schema, isFallback }) => (tags === undefined || isFallback ? [] : [{ tags, schema }]));
  const values = tagged.flatMap(({ tags }) => tags);
  const isAmbiguous = fallback === undefined && tagged.some(({ tags }) => tags.length === 0);
  if (isAmbiguous || new Set(values).size < values.length)
    return { [key]: tagged.map(({ tags, schema }) => (tags.length > 0 ? { allOf: [hasTag(tags), schema] } : schema)) };
  const isTagged = (part: Schema) => tagsOfPart(part) !== undefined;
  const isObjects = parts.every((part) => !isTagged(part) || allows(document, part, given, 'objects alone'));
  const others = isObjects ? all.filter(({ tags }) => tags === undefined) : all;
  // An object without the property, or with one of no other part.
  const isOfAnother = { not: { type: 'object', not: hasTag(values) } };
  const defaults = all.filter(({ isFallback }) => isFallback);
  const allowed = [...values, ...defaults.flatMap(({ tags = [] }) => tags)];
  return {
    allOf: [
      ...(fallback === undefined ? [hasTag(values)] : fallback.isForAny ? [] : [{ properties: { [property]: { enum: allowed } } }]),
      ...tagged.flatMap(({ tags, schema }) => (tags.length === 0 ? [] : [applied({ not: { type: 'object', ...hasTag(tags) } }, schema)])),
      ...defaults.map(({ schema }) => applied(isOfAnother, schema)),
      others.length === 0
        ? { type: 'object' }
        : markExclusive({ anyOf: [{ type: 'object' }, { [key]: others.map(({ schema }) => schema) }] }),
    ],
  };
}

/** A schema of the values that a condition does not exclude. */
const applied = (excluded: CompilerSchema, schema: CompilerSchema): CompilerSchema => markExclusive({ anyOf: [excluded, schema] });

interface Tagging {
  /** `undefined` if no property tells the parts apart. */
  readonly property: string | undefined;
  /** `undefined` for a part that no object matches. */
  readonly tagsOfPart: (part: Schema) => readonly unknown[] | undefined;
  /** The part for objects whose property is not there, or has any other value (OpenAPI 3.2.0, Discriminator Object). */
  readonly fallback?: { readonly index: number; readonly isForAny: boolean };
}

function taggingOf(document: Document, given: Schema, parts: readonly Schema[]): Tagging {
  const { propertyName, mapping, fallback } = discriminatorOf(given) ?? {};
  if (propertyName !== undefined && mapping !== undefined && parts.every((part) => referenceOf(part) !== undefined)) {
    const index = fallback === undefined ? -1 : parts.findIndex((part) => isTarget(fallback.target, part));
    return {
      property: (fallback === undefined) === index < 0 ? propertyName : undefined,
      tagsOfPart: (part) => tagsOf(document, propertyName, mapping, part),
      ...(index >= 0 && { fallback: { index, isForAny: fallback?.isFor === 'any other value' } }),
    };
  }
  if (fallback !== undefined) return { property: undefined, tagsOfPart: () => undefined };
  const objects = parts.filter((part) => allows(document, part, given, 'objects'));
  const isTold = objects.length > 1 && objects.every((part) => allows(document, part, given, 'objects alone'));
  const constants = new Map(isTold ? objects.map((part) => [part, constantsOf(document, [given, part])]) : []);
  const property = [...(constants.values().next().value?.keys() ?? [])].find((name) => {
    const values = [...constants.values()].map((one) => one.get(name));
    const all = values.flatMap((one) => one ?? []);
    return values.every((one) => one !== undefined) && new Set(all).size === all.length;
  });
  return { property, tagsOfPart: (part) => constants.get(part)?.get(property ?? '') };
}

/**
 * Which valid values are of each part of a `oneOf` or `anyOf`, by the property that tells them apart: without it a parent is matched by the
 * values of its children too. `undefined` if no property tells all parts apart.
 */
export function partTests(document: Document, key: 'oneOf' | 'anyOf', given: Schema): readonly ((value: unknown) => boolean)[] | undefined {
  const parts = branchesOf(given)[key];
  const { property, tagsOfPart, fallback } = taggingOf(document, given, parts);
  if (property === undefined || !parts.every((part) => allows(document, part, given, 'objects alone'))) return undefined;
  const tags = parts.map((part, i) => (i === fallback?.index ? [] : (tagsOfPart(part) ?? [])));
  const all = new Set(tags.flat());
  if (all.size < tags.flat().length) return undefined;
  return tags.map((own, i) => (value) => {
    const tag = isObject(value) && Object.hasOwn(value, property) ? value[property] : undefined;
    return i === fallback?.index ? !all.has(tag) : own.includes(tag);
  });
}

/** What the types of a branch, and of the schema around it, allow. */
function allows(document: Document, part: Schema, given: Schema, what: 'objects' | 'objects alone'): boolean {
  const types = [given, ...wholeOf(document, part)].map(typesOf).filter((one) => one.length > 0);
  return what === 'objects' ? types.every((one) => one.includes('object')) : types.some((one) => one.length === 1 && one[0] === 'object');
}

/** The values of each property that must be there and has an `enum` or a `const` of texts: name -> values. */
function constantsOf(document: Document, schemas: readonly Schema[]): ReadonlyMap<string, readonly unknown[]> {
  const all = schemas.flatMap((schema) => [...wholeOf(document, schema)]);
  const required = new Set(all.flatMap(requiredOf));
  const found = new Map<string, readonly unknown[]>();
  for (const schema of all)
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const own = resolve<Schema>(document, property);
      const values = valuesOf(own);
      const isSent = !isReadOnly(own) && !isWriteOnly(own);
      if (isSent && required.has(name) && values?.every((value) => typeof value === 'string') === true)
        found.set(name, [...new Set(values)]);
    }
  return found;
}

/**
 * A schema whose alternatives say what selects each of them, in place of the discriminator: for readers that know nothing of it. The given one,
 * if it has none, or not every alternative is a reference.
 */
export function tagAlternatives(document: Document, schema: Schema): Schema {
  const read = discriminatorOf(schema);
  const unions = (['anyOf', 'oneOf'] as const)
    .map((key) => [key, branchesOf(schema)[key]] as const)
    .filter(([, parts]) => parts.length > 0);
  if (read === undefined || unions.length === 0) return schema;
  if (!unions.every(([, parts]) => parts.every((part) => referenceOf(part) !== undefined))) return schema;
  const { propertyName, mapping, fallback } = read;
  const tagged = ([key, parts]: (typeof unions)[number]) => {
    const all = parts.map((part) => ({ part, tags: tagsOf(document, propertyName, mapping, part) }));
    const isFallback = (part: Schema) => fallback !== undefined && isTarget(fallback.target, part);
    const others = all.flatMap(({ part, tags }) => (isFallback(part) ? [] : tags));
    const isOf = (tags: readonly string[]) => ({ required: [propertyName], properties: { [propertyName]: { enum: tags } } });
    const own = (tags: readonly string[]) => ({ [propertyName]: tags.length > 0 ? { enum: tags } : { not: {} } });
    return [
      key,
      all.map(({ part, tags }) => {
        if (isFallback(part)) return { allOf: [part, fallback?.isFor === 'no value' ? { properties: own(tags) } : { not: isOf(others) }] };
        return tags.length === 0 || isTagged(document, propertyName, tags, part) ? part : { allOf: [part, isOf(tags)] };
      }),
    ];
  };
  const rest = Object.entries(schema).filter(([keyword]) => keyword !== 'discriminator');
  return Object.fromEntries([...rest, ...unions.map(tagged)]) as Schema;
}

/** Whether a schema itself says that the property has one of the tags. */
function isTagged(document: Document, name: string, tags: readonly string[], part: Schema): boolean {
  const schema = resolve<Schema>(document, part);
  const property = propertiesOf(schema)[name];
  const values = property === undefined ? undefined : valuesOf(resolve<Schema>(document, property));
  return requiredOf(schema).includes(name) && values?.every((value) => tags.includes(value as string)) === true;
}
