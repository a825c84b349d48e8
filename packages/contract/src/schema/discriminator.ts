/** Discriminators: the value of a property says which schema of a `oneOf` or `anyOf` applies (OpenAPI 3.0.3, section 4.7.25). */
import type { ErrorObject } from 'ajv';
import { pointerKeys, resolve, type Document, type Schema } from '../document/openapi.ts';
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
import { type CompilerSchema, markExclusive } from './schema-reference.ts';

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
  const { property, tagsOfPart } = taggingOf(document, given, parts);
  if (property === undefined) return { [key]: parts.map(normalize) };
  const hasTag = (tags: readonly unknown[]): CompilerSchema => ({
    required: [property],
    properties: { [property]: { enum: tags } },
  });
  const all = parts.map((part) => ({ tags: tagsOfPart(part), schema: normalize(part) }));
  const tagged = all.flatMap(({ tags, schema }) => (tags === undefined ? [] : [{ tags, schema }]));
  const values = tagged.flatMap(({ tags }) => tags);
  if (tagged.some(({ tags }) => tags.length === 0) || new Set(values).size < values.length)
    return { [key]: tagged.map(({ tags, schema }) => (tags.length > 0 ? { allOf: [hasTag(tags), schema] } : schema)) };
  const isTagged = (part: Schema) => tagsOfPart(part) !== undefined;
  const isObjects = parts.every((part) => !isTagged(part) || allows(document, part, given, 'objects alone'));
  const others = isObjects ? all.filter(({ tags }) => tags === undefined) : all;
  return {
    allOf: [
      hasTag(values),
      ...tagged.map(({ tags, schema }) => markExclusive({ anyOf: [{ not: { type: 'object', ...hasTag(tags) } }, schema] })),
      others.length === 0
        ? { type: 'object' }
        : markExclusive({ anyOf: [{ type: 'object' }, { [key]: others.map(({ schema }) => schema) }] }),
    ],
  };
}

interface Tagging {
  /** `undefined` if no property tells the parts apart. */
  readonly property: string | undefined;
  /** `undefined` for a part that no object matches. */
  readonly tagsOfPart: (part: Schema) => readonly unknown[] | undefined;
}

function taggingOf(document: Document, given: Schema, parts: readonly Schema[]): Tagging {
  const { propertyName, mapping, hasDefault } = discriminatorOf(given) ?? {};
  // What has no tag, or an unknown one, is to be of the default (OpenAPI 3.2.0, Discriminator Object).
  if (hasDefault === true) return { property: undefined, tagsOfPart: () => undefined };
  if (propertyName !== undefined && mapping !== undefined && parts.every((part) => referenceOf(part) !== undefined))
    return { property: propertyName, tagsOfPart: (part) => tagsOf(document, propertyName, mapping, part) };
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

const CONDITION = '/0/not';

/** The errors without those that say that a condition (`anyOf: [{ not: ... }, ...]`) was true: what it requires has separate errors. */
export function withoutConditions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const conditions = new Set<string>();
  for (const { keyword, schemaPath, instancePath } of errors)
    if (keyword === 'not' && schemaPath.endsWith(`anyOf${CONDITION}`))
      conditions.add(`${instancePath} ${schemaPath.slice(0, -CONDITION.length)}`);
  if (conditions.size === 0) return errors;
  return errors.filter(({ keyword, schemaPath, instancePath }) => {
    const path = keyword === 'not' && schemaPath.endsWith(CONDITION) ? schemaPath.slice(0, -CONDITION.length) : schemaPath;
    return !((keyword === 'not' || keyword === 'anyOf') && conditions.has(`${instancePath} ${path}`));
  });
}

/** The discriminator values that name a schema; none, if the property has an `enum` without them: a discriminator does not change what is valid (3.1.1, section 4.8.25). */
export function tagsOf(document: Document, property: string, mapping: Readonly<Record<string, string>>, part: Schema): string[] {
  const reference = referenceOf(part) ?? '';
  const name = pointerKeys(reference).at(-1) ?? '';
  const mapped = Object.entries(mapping).flatMap(([tag, target]) => (target === reference || target === name ? [tag] : []));
  const own = propertiesOf(resolve<Schema>(document, part))[property];
  const allowed = own === undefined ? undefined : valuesOf(resolve<Schema>(document, own));
  // Its name is a value beside those that are mapped, unless that value is mapped to another schema (3.0.4, Discriminator Object).
  const tags = Object.hasOwn(mapping, name) ? mapped : [...mapped, name];
  return tags.filter((tag) => allowed?.includes(tag) !== false);
}
