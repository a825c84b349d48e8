/** Normalizes the schemas of a document for the schema compilers, with the meaning that OpenAPI gives them. */
import { defaultOf } from './default-value.ts';
import { compositionOf } from './discriminator.ts';
import { isKnownFormat } from './formats.ts';
import { isObject, pointerKeys, pointerTo, resolve, valueAt, type Document, type Schema } from '../document/openapi.ts';
import { compilePattern, patternFormat, testUpTo } from './pattern.ts';

/** Requests are validated with JSON Schema draft 4, responses with draft 7. */
export type Direction = 'request' | 'response';

/** A format as Ajv takes it. */
export type PatternTest = RegExp | ((text: string) => boolean);

export interface SchemaSet {
  /** The schema in normal form; its references use the names of the set. */
  readonly normalize: (schema: Schema) => Schema;
  /** The schema at a JSON pointer, with its name in the set. */
  readonly at: (pointer: string) => { name: string; schema: Schema };
  /** Every schema that a normalized schema refers to, directly or not, by name. */
  readonly reachable: (schema: unknown) => Map<string, Schema>;
  /** Patterns that the compilers cannot read or must not run on any text, as formats by name. Grows as schemas are normalized. */
  readonly patterns: ReadonlyMap<string, PatternTest>;
}

/** Keywords of OpenAPI 3.0.3, section 4.7.24, that are copied unchanged. Keywords that this file does not name are dropped. */
const COPIED_KEYWORDS = [
  'type',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Creates the set of a document's schemas. Each is normalized when it is first used.
 *
 * Only keywords of OpenAPI are kept, so that an `id` in an example is not read as that of a schema, and each `$ref`,
 * whatever its target, becomes the name of a schema of the set. Keywords beside a `$ref` are ignored (OpenAPI 3.0.3,
 * section 4.7.23).
 *
 * @param prefix precedes a name in a reference.
 */
export function createSchemaSet(document: Document, direction: Direction, prefix: string): SchemaSet {
  const names = new Map<string, string>();
  const pointers = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  const patterns = new Map<string, PatternTest>();

  const nameOf = (pointer: string): string => {
    // A pointer can be percent-encoded in several ways.
    const key = pointerTo(...pointerKeys(pointer));
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = `s${names.size + 1}`));
      pointers.set(name, key);
    }
    return name;
  };
  const schemaNamed = (name: string): Schema => {
    let schema = schemas.get(name);
    if (schema === undefined) {
      const pointer = pointers.get(name) ?? '#';
      const target = valueAt(document, pointerKeys(pointer));
      if (target === undefined) throw new Error(`${pointer} does not exist`);
      schemas.set(name, (schema = normalize(target)));
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
    for (const key of COPIED_KEYWORDS) if (given[key] !== undefined) result[key] = given[key];
    addBounds(result, given, direction);
    if (Array.isArray(given['enum']) && given['enum'].length > 0) result['enum'] = given['enum'];
    if (typeof given.format === 'string' && isKnownFormat(given.format)) result.format = given.format;
    addPattern(result, given, patterns);
    if (given.items !== undefined) result.items = normalize(given.items);
    if (given['not'] !== undefined) result['not'] = normalize(given['not']);
    if (isObject(given.properties)) {
      result.properties = Object.fromEntries(Object.entries(given.properties).map(([name, part]) => [name, property(part)]));
    }
    const { additionalProperties: additional } = given;
    if (additional !== undefined) result.additionalProperties = typeof additional === 'boolean' ? additional : normalize(additional);
    const required = requiredOf(document, given, direction);
    if (required.length > 0) result['required'] = required;
    for (const key of COMPOSITIONS) {
      if (!Array.isArray(given[key]) || given[key].length === 0) continue;
      const keywords = key === 'allOf' ? { allOf: given.allOf?.map(normalize) } : compositionOf(document, key, given, normalize);
      for (const [keyword, parts] of Object.entries(keywords))
        result[keyword] = [...((result[keyword] as Schema[] | undefined) ?? []), ...parts];
    }
    const nullable = expandNullable(result, given.nullable === true);
    // The default of a readOnly property would be filled into a request, and then be refused there.
    const filled = direction === 'request' && given['readOnly'] !== true ? defaultOf(document, given) : undefined;
    if (filled !== undefined) nullable.default = filled;
    return nullable;
  };

  /** `readOnly` is about properties only (OpenAPI 3.0.3, section 4.7.24.2): a parameter or a list item of such a schema is accepted. */
  const property = (given: Schema): Schema => {
    const isReadOnly = direction === 'request' && resolve<Schema>(document, given)['readOnly'] === true;
    if (!isReadOnly) return normalize(given);
    return given.$ref === undefined ? { ...normalize(given), readOnly: true } : { allOf: [normalize(given)], readOnly: true };
  };

  const reachable = (schema: unknown, found = new Map<string, Schema>()): Map<string, Schema> => {
    if (typeof schema !== 'object' || schema === null) return found;
    const { $ref } = schema as Schema;
    if (typeof $ref === 'string' && $ref.startsWith(prefix)) {
      const name = $ref.slice(prefix.length);
      if (!found.has(name)) reachable(schemaNamed(name), found.set(name, schemaNamed(name)));
    } else for (const part of Object.values(schema)) reachable(part, found);
    return found;
  };

  return {
    normalize,
    at: (pointer) => ({ name: nameOf(pointer), schema: schemaNamed(nameOf(pointer)) }),
    reachable: (schema) => reachable(schema),
    patterns,
  };
}

/** `nullable` without a `type`: null, or what the other keywords allow, as in the generated types. */
function expandNullable(schema: Schema, nullable: boolean): Schema {
  if (!nullable) return schema;
  if (schema.type !== undefined) return { ...schema, nullable: true };
  return Object.keys(schema).length > 0 ? { anyOf: [{ enum: [null] }, schema] } : schema;
}

/** Draft 4 has a flag beside the bound, later drafts have an exclusive bound. A number means what later drafts say. */
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

/** The compilers read patterns with the flag `u`. One that they cannot read, or that has a `maxLength` beside it, becomes a format. */
function addPattern(result: Schema, { pattern, maxLength }: Schema, patterns: Map<string, PatternTest>): void {
  if (typeof pattern !== 'string') return;
  const read = compilePattern(pattern);
  if (read === undefined) return;
  const isBounded = typeof maxLength === 'number';
  if (read.unicode && read.source === pattern && !isBounded) {
    result['pattern'] = pattern;
    return;
  }
  const name = isBounded ? patternFormat(pattern, maxLength) : patternFormat(pattern);
  patterns.set(name, isBounded ? testUpTo(read.expression, maxLength) : read.expression);
  result.allOf = [{ format: name }];
}

/** A request may omit what is `readOnly`, a response what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
function requiredOf(document: Document, given: Schema, direction: Direction): string[] {
  if (!Array.isArray(given['required'])) return [];
  const omittable = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = (given['required'] as unknown[]).filter((name) => typeof name === 'string');
  return [...new Set(names)].filter((name) => {
    const property = given.properties?.[name];
    return !isObject(property) || resolve<Schema>(document, property)[omittable] !== true;
  });
}
