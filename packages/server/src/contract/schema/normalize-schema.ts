/** Normalizes the schemas of a document for the compiler, with the meaning that OpenAPI gives them in requests and in responses. */
import { defaultOf } from './default-value.ts';
import { compositionOf, type CompilerSchema } from './discriminator.ts';
import { createDynamicScopes, type DynamicScope } from './dynamic-scope.ts';
import { isKnownFormat } from './formats.ts';
import { isObject, pointerKeys, pointerTo, resolve, valueAt, type Document, type Schema } from '../document/openapi.ts';
import { isReadOnly, isWriteOnly, propertiesOf, requiredOf } from './model.ts';
import { compilePattern, patternFormat, testUpTo } from './pattern.ts';
import { rewriteSchema } from './rewrite-schema.ts';

/** A request may omit what is `readOnly`, a response what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
export type Direction = 'request' | 'response';

/** A format as Ajv takes it. */
export type PatternTest = RegExp | ((text: string) => boolean);

/** A reference of a normalized schema, which the compiler may replace. */
export interface SchemaReference {
  readonly holder: CompilerSchema;
  /** The name of its target in the set. */
  readonly name: string;
}

export interface NormalizedSchema {
  readonly schema: CompilerSchema;
  readonly references: readonly SchemaReference[];
}

export interface SchemaSet {
  /** The name in the set of the schema at a JSON pointer. */
  readonly nameOf: (pointer: string) => string;
  readonly named: (name: string) => NormalizedSchema;
  /** Patterns that the compiler cannot read or must not run on any text, as formats by name. Grows as schemas are normalized. */
  readonly patterns: ReadonlyMap<string, PatternTest>;
}

/** Precedes a name in a reference. */
export const REFERENCE_PREFIX = 'contract://';

/** Keywords of JSON Schema 2020-12 that are copied unchanged. Those that this file does not name are dropped. */
const COPIED_KEYWORDS = [
  'type',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
] as const;
const SCHEMAS = ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const;
const SCHEMAS_OR_BOOLEANS = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'] as const;
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Creates the set of a document's schemas. Each is normalized when it is first used.
 *
 * Only keywords that validate are kept, so that an `$id` in an example is not read as that of a schema, and each `$ref`,
 * whatever its target, becomes the name of a schema of the set.
 */
export function createSchemaSet(document: Document, direction: Direction): SchemaSet {
  const scopes = createDynamicScopes(document);
  const names = new Map<string, string>();
  const origins = new Map<string, { pointer: string; scope: DynamicScope }>();
  const schemas = new Map<string, NormalizedSchema>();
  const patterns = new Map<string, PatternTest>();

  const nameIn = (pointer: string, outer: DynamicScope): string => {
    // A pointer can be percent-encoded in several ways.
    const canonical = pointerTo(...pointerKeys(pointer));
    const scope = scopes.enter(outer, canonical);
    const key = `${canonical} ${scope.key}`;
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = `s${names.size + 1}`));
      origins.set(name, { pointer: canonical, scope });
    }
    return name;
  };
  const named = (name: string): NormalizedSchema => {
    let normalized = schemas.get(name);
    if (normalized === undefined) {
      const { pointer = '#', scope = scopes.outermost } = origins.get(name) ?? {};
      const target = valueAt(document, pointerKeys(pointer));
      if (target === undefined) throw new Error(`${pointer} does not exist`);
      schemas.set(name, (normalized = normalizeOne(target, scope)));
    }
    return normalized;
  };

  const normalizeOne = (target: unknown, scope: DynamicScope): NormalizedSchema => {
    const references: SchemaReference[] = [];
    const referTo = (pointer: string): CompilerSchema => {
      if (!pointer.startsWith('#')) throw new Error(`${pointer} cannot be resolved within the document`);
      const name = nameIn(pointer, scope);
      const holder = { $ref: REFERENCE_PREFIX + name };
      references.push({ holder, name });
      return holder;
    };
    const normalize = (raw: unknown): CompilerSchema => {
      const given = rewriteSchema(raw, document.openapi, 'value');
      if (!isObject(given)) return {};
      if (typeof given['$ref'] === 'string') return referTo(given['$ref']);
      const result: CompilerSchema = {};
      for (const key of COPIED_KEYWORDS) if (given[key] !== undefined) result[key] = given[key];
      if (Array.isArray(given['enum']) && given['enum'].length > 0) result['enum'] = given['enum'];
      if (typeof given['format'] === 'string' && isKnownFormat(given['format'])) result['format'] = given['format'];
      addPattern(result, given, patterns);
      for (const key of SCHEMAS) if (given[key] !== undefined) result[key] = normalize(given[key]);
      for (const key of SCHEMAS_OR_BOOLEANS)
        if (given[key] !== undefined) result[key] = typeof given[key] === 'boolean' ? given[key] : normalize(given[key]);
      if (Array.isArray(given['prefixItems'])) result['prefixItems'] = given['prefixItems'].map(normalize);
      if (isObject(given['properties'])) result['properties'] = mapValues(given['properties'], property);
      if (isObject(given['dependentSchemas'])) result['dependentSchemas'] = mapValues(given['dependentSchemas'], normalize);
      if (isObject(given['patternProperties'])) result['patternProperties'] = patternsOf(given['patternProperties'], property);
      const required = requiredIn(document, given, direction);
      if (required.length > 0) result['required'] = required;
      for (const key of COMPOSITIONS) {
        if (!Array.isArray(given[key]) || given[key].length === 0) continue;
        const keywords = key === 'allOf' ? { allOf: given[key].map(normalize) } : compositionOf(document, key, given, normalize);
        for (const [keyword, parts] of Object.entries(keywords)) addParts(result, keyword, parts);
      }
      if (typeof given['$dynamicRef'] === 'string') addParts(result, 'allOf', [referTo(scopes.resolve(scope, given['$dynamicRef']))]);
      // The default of a readOnly property would be filled into a request, and then be refused there.
      const filled = direction === 'request' && !isReadOnly(given) ? defaultOf(document, given) : undefined;
      if (filled !== undefined) result['default'] = filled;
      return result;
    };
    /** `readOnly` is about properties only (OpenAPI 3.0.3, section 4.7.24.2): a parameter or a list item of such a schema is accepted. */
    const property = (given: unknown): CompilerSchema => {
      if (direction === 'response' || !isObject(given) || !isReadOnly(resolve<Schema>(document, given))) return normalize(given);
      const normalized = normalize(given);
      return { ...('$ref' in normalized ? { allOf: [normalized] } : normalized), readOnly: true };
    };
    return { schema: normalize(target), references };
  };

  return { nameOf: (pointer) => nameIn(pointer, scopes.outermost), named, patterns };
}

const mapValues = <T>(given: Record<string, unknown>, map: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

function addParts(result: CompilerSchema, keyword: string, parts: readonly CompilerSchema[]): void {
  result[keyword] = [...((result[keyword] as CompilerSchema[] | undefined) ?? []), ...parts];
}

/** The names' patterns as ECMAScript spells them; one that cannot be read matches no name. */
function patternsOf(given: Record<string, unknown>, property: (schema: unknown) => CompilerSchema): CompilerSchema {
  return Object.fromEntries(
    Object.entries(given).flatMap(([pattern, schema]) => {
      const read = compilePattern(pattern);
      return read?.unicode === true ? [[read.source, property(schema)]] : [];
    }),
  );
}

/** The compiler reads patterns with the flag `u`. One that it cannot read, or that has a `maxLength` beside it, becomes a format. */
function addPattern(result: CompilerSchema, { pattern, maxLength }: Schema, patterns: Map<string, PatternTest>): void {
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
  addParts(result, 'allOf', [{ format: name }]);
}

function requiredIn(document: Document, given: Schema, direction: Direction): string[] {
  const isOmittable = direction === 'request' ? isReadOnly : isWriteOnly;
  const properties = propertiesOf(given);
  return [...new Set(requiredOf(given))].filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(property) || !isOmittable(resolve<Schema>(document, property));
  });
}
