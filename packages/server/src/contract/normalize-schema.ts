/** Schemas of a document in the form that the schema compilers take, with the meaning that the contract has. */
import { isKnownFormat } from './formats.ts';
import { pointerKeys, pointerTo, resolve, valueAt, type Document, type Schema } from './openapi.ts';
import { compilePattern } from './pattern.ts';

/** Requests are checked with JSON Schema draft 4, responses with draft 7. */
export type Direction = 'request' | 'response';

export interface SchemaSet {
  /** The schema in normal form. What it refers to is referred to by the set's own names. */
  readonly normalize: (schema: Schema) => Schema;
  /** The schema at a JSON pointer, under the name by which others refer to it. */
  readonly at: (pointer: string) => { name: string; schema: Schema };
  /** Everything that a normal schema refers to, by name, near and far. */
  readonly reachable: (schema: unknown) => Map<string, Schema>;
  /** Patterns that only a check of their own can hold, as formats by name. Grows with what is normalized. */
  readonly patterns: ReadonlyMap<string, RegExp>;
}

/** Keywords of OpenAPI 3.0.3, section 4.7.24, that are taken as they are. What is not named in this file is no schema's. */
const PLAIN = ['type', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'];
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Makes the set of a document's schemas. Each is normalized when it is first asked for.
 *
 * Only keywords of OpenAPI are kept, so that an `id` in an example is not read as that of a schema, and each `$ref`,
 * wherever it points, becomes the name of a schema of the set. Keywords beside a `$ref` are ignored (OpenAPI 3.0.3,
 * section 4.7.23).
 *
 * @param prefix what stands before a name in a reference.
 */
export function createSchemaSet(document: Document, direction: Direction, prefix: string): SchemaSet {
  const names = new Map<string, string>();
  const pointers = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  const patterns = new Map<string, RegExp>();

  const nameOf = (pointer: string): string => {
    // Two ways to write one pointer are one schema.
    const key = pointerTo(...pointerKeys(pointer));
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = `s${names.size + 1}`));
      pointers.set(name, key);
    }
    return name;
  };
  const named = (name: string): Schema => {
    let schema = schemas.get(name);
    if (schema === undefined) {
      const pointer = pointers.get(name) ?? '#';
      const found = valueAt(document, pointerKeys(pointer));
      if (found === undefined) throw new Error(`${pointer} leads nowhere`);
      schemas.set(name, (schema = normalize(found)));
    }
    return schema;
  };

  const normalize = (schema: unknown): Schema => {
    if (schema === false) return { not: {} };
    if (typeof schema !== 'object' || schema === null) return {};
    const given = schema as Schema;
    if (typeof given.$ref === 'string') {
      if (!given.$ref.startsWith('#')) throw new Error(`${given.$ref} cannot be resolved within the document`);
      return { $ref: prefix + nameOf(given.$ref) };
    }
    const result: Schema = {};
    for (const key of PLAIN) if (given[key] !== undefined) result[key] = given[key];
    addBounds(result, given, direction);
    if (Array.isArray(given['enum']) && given['enum'].length > 0) result['enum'] = given['enum'];
    if (typeof given.format === 'string' && isKnownFormat(given.format)) result.format = given.format;
    addPattern(result, given['pattern'], patterns);
    if (given.items !== undefined) result.items = normalize(given.items);
    if (given['not'] !== undefined) result['not'] = normalize(given['not']);
    if (isObject(given.properties)) {
      result.properties = Object.fromEntries(Object.entries(given.properties).map(([name, part]) => [name, normalize(part)]));
    }
    const { additionalProperties: others } = given;
    if (others !== undefined) result.additionalProperties = typeof others === 'boolean' ? others : normalize(others);
    const required = requiredOf(document, given, direction);
    if (required.length > 0) result['required'] = required;
    for (const key of COMPOSITIONS) {
      const parts = given[key];
      if (Array.isArray(parts) && parts.length > 0) result[key] = [...(result[key] ?? []), ...alternatives(key, given, parts)];
    }
    if (direction === 'request' && given['readOnly'] === true) result['readOnly'] = true;
    const whole = spellOutNullable(result, given.nullable === true);
    if (direction === 'request' && given.default !== undefined) whole.default = given.default;
    return whole;
  };

  /** The parts of a composition. With a discriminator, each is held by the values that name it (section 4.7.25). */
  const alternatives = (key: (typeof COMPOSITIONS)[number], given: Schema, parts: readonly Schema[]): Schema[] => {
    const { propertyName, mapping = {} } = (given['discriminator'] ?? {}) as { propertyName?: string; mapping?: Record<string, string> };
    const isTagged = key !== 'allOf' && propertyName !== undefined && parts.every((part) => typeof part.$ref === 'string');
    if (!isTagged) return parts.map(normalize);
    return parts.map((part) => {
      const tags = tagsOf(document, propertyName, mapping, part);
      const tag: Schema = { required: [propertyName], properties: { [propertyName]: { enum: tags } } };
      return tags.length > 0 ? { allOf: [tag, normalize(part)] } : normalize(part);
    });
  };

  const reachable = (schema: unknown, found = new Map<string, Schema>()): Map<string, Schema> => {
    if (typeof schema !== 'object' || schema === null) return found;
    const { $ref } = schema as Schema;
    if (typeof $ref === 'string' && $ref.startsWith(prefix)) {
      const name = $ref.slice(prefix.length);
      if (!found.has(name)) reachable(named(name), found.set(name, named(name)));
    } else for (const part of Object.values(schema)) reachable(part, found);
    return found;
  };

  return {
    normalize,
    at: (pointer) => ({ name: nameOf(pointer), schema: named(nameOf(pointer)) }),
    reachable: (schema) => reachable(schema),
    patterns,
  };
}

/** `nullable` beside anything but a `type`: null, or what the rest says. So do the generated types read it. */
function spellOutNullable(schema: Schema, nullable: boolean): Schema {
  if (!nullable) return schema;
  if (schema.type !== undefined) return { ...schema, nullable: true };
  return Object.keys(schema).length > 0 ? { anyOf: [{ enum: [null] }, schema] } : schema;
}

/** Draft 4 has a flag beside the bound, later drafts a bound of its own. A number is taken for what later drafts mean. */
function addBounds(result: Schema, given: Schema, direction: Direction): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const isExclusive = given[exclusive] === true || typeof given[exclusive] === 'number';
    const value = typeof given[exclusive] === 'number' ? given[exclusive] : given[bound];
    if (value === undefined) continue;
    if (direction === 'request') Object.assign(result, { [bound]: value }, isExclusive ? { [exclusive]: true } : {});
    else result[isExclusive ? exclusive : bound] = value;
  }
}

/** The compilers read patterns with the flag `u`; one that they could not read becomes a format. */
function addPattern(result: Schema, pattern: unknown, patterns: Map<string, RegExp>): void {
  if (typeof pattern !== 'string') return;
  const read = compilePattern(pattern);
  if (read === undefined) return;
  if (read.unicode && read.source === pattern) {
    result['pattern'] = pattern;
    return;
  }
  const name = `pattern ${pattern}`;
  patterns.set(name, read.expression);
  result.allOf = [{ format: name }];
}

/** A request need not give what is `readOnly`, a response not what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
function requiredOf(document: Document, given: Schema, direction: Direction): string[] {
  if (!Array.isArray(given['required'])) return [];
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = (given['required'] as unknown[]).filter((name) => typeof name === 'string');
  return [...new Set(names)].filter((name) => {
    const property = given.properties?.[name];
    return !isObject(property) || resolve<Schema>(document, property)[hidden] !== true;
  });
}

/** The values of the property that name a schema; none, if it has an `enum` of its own that none of them is in. */
function tagsOf(document: Document, property: string, mapping: Readonly<Record<string, string>>, part: Schema): string[] {
  const name = pointerKeys(part.$ref ?? '').at(-1) ?? '';
  const mapped = Object.entries(mapping).flatMap(([tag, target]) => (target === part.$ref || target === name ? [tag] : []));
  if (mapped.length > 0) return mapped;
  const own = resolve<Schema>(document, part).properties?.[property];
  const allowed = own === undefined ? undefined : resolve<Schema>(document, own)['enum'];
  return Array.isArray(allowed) && !allowed.includes(name) ? [] : [name];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
