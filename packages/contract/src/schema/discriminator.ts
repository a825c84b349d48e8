/** Discriminators: the value of a property says which schema of a `oneOf` or `anyOf` applies (OpenAPI 3.0.3, section 4.7.25). */
import type { ErrorObject } from 'ajv';
import { pointerKeys, resolve, type Document, type Schema } from '../document/openapi.ts';
import { branchesOf, discriminatorOf, propertiesOf, referenceOf, valuesOf } from './model.ts';
import type { CompilerSchema } from './compiler-schema.ts';

/**
 * A `oneOf` or `anyOf` with a discriminator: an object has one of the tags, and each part applies if its tag is there. So the problems
 * of a value are those of the part that it names, not of every part. What is no object has no tag, and may be any part.
 *
 * @returns the keywords that it becomes: the given one, if no discriminator tells all parts apart.
 */
export function compositionOf(
  document: Document,
  key: 'oneOf' | 'anyOf',
  given: Schema,
  normalize: (part: Schema) => CompilerSchema,
): Readonly<Record<string, CompilerSchema[]>> {
  const parts = branchesOf(given)[key];
  const { propertyName, mapping } = discriminatorOf(given) ?? {};
  if (propertyName === undefined || mapping === undefined || !parts.every((part) => referenceOf(part) !== undefined))
    return { [key]: parts.map(normalize) };
  const hasTag = (tags: readonly string[]): CompilerSchema => ({
    required: [propertyName],
    properties: { [propertyName]: { enum: tags } },
  });
  const tagged = parts.map((part) => ({ tags: tagsOf(document, propertyName, mapping, part), schema: normalize(part) }));
  const all = tagged.flatMap(({ tags }) => tags);
  if (tagged.some(({ tags }) => tags.length === 0) || new Set(all).size < all.length)
    return { [key]: tagged.map(({ tags, schema }) => (tags.length > 0 ? { allOf: [hasTag(tags), schema] } : schema)) };
  return {
    allOf: [
      hasTag(all),
      ...tagged.map(({ tags, schema }) => ({ anyOf: [{ not: { type: 'object', ...hasTag(tags) } }, schema] })),
      { anyOf: [{ type: 'object' }, { [key]: tagged.map(({ schema }) => schema) }] },
    ],
  };
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

/** The discriminator values that name a schema; none, if the property has an `enum` without them. */
export function tagsOf(document: Document, property: string, mapping: Readonly<Record<string, string>>, part: Schema): string[] {
  const reference = referenceOf(part) ?? '';
  const name = pointerKeys(reference).at(-1) ?? '';
  const mapped = Object.entries(mapping).flatMap(([tag, target]) => (target === reference || target === name ? [tag] : []));
  if (mapped.length > 0) return mapped;
  const own = propertiesOf(resolve<Schema>(document, part))[property];
  const allowed = own === undefined ? undefined : valuesOf(resolve<Schema>(document, own));
  return allowed !== undefined && !allowed.includes(name) ? [] : [name];
}
