/** Normalizes the schemas of a document for the compiler, with the meaning that OpenAPI gives them in requests and in responses. */
import { describesBigInteger, takeBigInteger } from './big-integers.ts';
import { defaultOf } from './default-value.ts';
import { compositionOf, type CompilerSchema } from './discriminator.ts';
import { createDynamicScopes, type DynamicScope } from './dynamic-scope.ts';
import { isKnownFormat } from './formats.ts';
import { isObject, pointerKeys, pointerTo, resolve, valueAt, type Document, type Schema } from '../document/openapi.ts';
import { isReadOnly, isWriteOnly, propertiesOf, requiredOf } from './model.ts';
import { compilePattern, patternFormat, testUpTo } from './pattern.ts';
import { modelOf } from './build-model.ts';

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

/** `weight` is the number of schemas in it. */
interface Normalized extends NormalizedSchema {
  readonly weight: number;
}

/** How many schemas are compiled at once. One takes some 0.1 ms; compiling must not hold the event loop. */
const MAX_WEIGHT = 50;

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
/** Of those, the ones that describe the same value as their schema. */
const SAME_VALUE: readonly string[] = ['not', 'if', 'then', 'else'];
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Creates the set of a document's schemas. Each is normalized when it is first used.
 *
 * Only keywords that validate are kept, so that an `$id` in an example is not read as that of a schema, and each `$ref`,
 * whatever its target, becomes the name of a schema of the set.
 */
export function createSchemaSet(given: Document, direction: Direction): SchemaSet {
  const document = modelOf(given);
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
      names.set(key, (name = newName()));
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
      schemas.set(name, (normalized = normalize(target, scope)));
    }
    return normalized;
  };

  let nextName = 0;
  const newName = (): string => `s${++nextName}`;

  /** A part of a schema as a schema of its own in the set. */
  const extract = ({ schema, references }: Normalized): SchemaReference => {
    const name = newName();
    schemas.set(name, { schema, references });
    return { holder: { $ref: REFERENCE_PREFIX + name }, name };
  };

  /** @param isWithinBig whether it is a part of a schema whose integers are `bigint`. */
  const normalize = (given: unknown, outer: DynamicScope, isWithinBig = false): Normalized => {
    const scope = isObject(given) ? scopes.enterInline(outer, given) : outer;
    const references: SchemaReference[] = [];
    let weight = 1;
    const referTo = (pointer: string): CompilerSchema => {
      if (!pointer.startsWith('#')) throw new Error(`${pointer} cannot be resolved within the document`);
      const name = nameIn(pointer, scope);
      const holder = { $ref: REFERENCE_PREFIX + name };
      references.push({ holder, name });
      return holder;
    };
    const include = (part: Normalized): CompilerSchema => {
      references.push(...part.references);
      weight += part.weight;
      return part.schema;
    };
    const within = (part: unknown): CompilerSchema => include(normalize(part, scope));
    if (!isObject(given)) return { schema: {}, references, weight };
    if (typeof given['$ref'] === 'string') return { schema: referTo(given['$ref']), references, weight };
    const isBig = isWithinBig || describesBigInteger(document, given);
    const withSameValue = (part: unknown): CompilerSchema => include(normalize(part, scope, isBig));

    const result: CompilerSchema = {};
    for (const key of COPIED_KEYWORDS) if (given[key] !== undefined) result[key] = given[key];
    if (Array.isArray(given['enum']) && given['enum'].length > 0) result['enum'] = given['enum'];
    if (typeof given['format'] === 'string' && isKnownFormat(given['format'])) result['format'] = given['format'];
    addPattern(result, given, patterns);
    if (isBig) takeBigInteger(result);
    for (const key of SCHEMAS)
      if (given[key] !== undefined) result[key] = SAME_VALUE.includes(key) ? withSameValue(given[key]) : within(given[key]);
    for (const key of SCHEMAS_OR_BOOLEANS)
      if (given[key] !== undefined) result[key] = typeof given[key] === 'boolean' ? given[key] : within(given[key]);
    if (Array.isArray(given['prefixItems'])) result['prefixItems'] = given['prefixItems'].map(within);
    if (isObject(given['properties'])) addProperties(result, given['properties'], scope, include);
    if (isObject(given['dependentSchemas'])) result['dependentSchemas'] = mapValues(given['dependentSchemas'], within);
    if (isObject(given['patternProperties']))
      result['patternProperties'] = patternsOf(given['patternProperties'], (part) => include(property(part, scope)));
    const required = requiredIn(document, given, direction);
    if (required.length > 0) result['required'] = required;
    for (const key of COMPOSITIONS) {
      if (!Array.isArray(given[key]) || given[key].length === 0) continue;
      const keywords = key === 'allOf' ? { allOf: given[key].map(withSameValue) } : compositionOf(document, key, given, withSameValue);
      for (const [keyword, parts] of Object.entries(keywords)) addParts(result, keyword, parts);
    }
    if (typeof given['$dynamicRef'] === 'string') addParts(result, 'allOf', [referTo(scopes.resolve(scope, given['$dynamicRef']))]);
    // The default of a readOnly property would be filled into a request, and then be refused there.
    const filled = direction === 'request' && !isReadOnly(given) ? defaultOf(document, given) : undefined;
    if (filled !== undefined) result['default'] = filled;
    return { schema: result, references, weight };
  };

  /** `readOnly` is about properties only (OpenAPI 3.0.3, section 4.7.24.2): a parameter or a list item of such a schema is accepted. */
  const property = (given: unknown, scope: DynamicScope): Normalized => {
    const normalized = normalize(given, scope);
    if (direction === 'response' || !isObject(given) || !isReadOnly(resolve<Schema>(document, given))) return normalized;
    const { schema } = normalized;
    return { ...normalized, schema: { ...('$ref' in schema ? { allOf: [schema] } : schema), readOnly: true } };
  };

  /** Properties that are much to compile at once become schemas of the set: each alone, or some together as parts of `allOf`. */
  const addProperties = (
    result: CompilerSchema,
    given: Record<string, unknown>,
    scope: DynamicScope,
    include: (part: Normalized) => CompilerSchema,
  ): void => {
    let group: Normalized & { schema: { properties: CompilerSchema } } = { schema: { properties: {} }, references: [], weight: 0 };
    const groups = [group];
    for (const [name, part] of Object.entries(given)) {
      const { schema, references, weight } = lighten(property(part, scope), extract);
      if (group.weight + weight > MAX_WEIGHT && group.weight > 0)
        groups.push((group = { schema: { properties: {} }, references: [], weight: 0 }));
      defineProperty(group.schema.properties, name, schema);
      group = Object.assign(group, { references: [...group.references, ...references], weight: group.weight + weight });
    }
    if (groups.length === 1) {
      result['properties'] = include(group)['properties'];
      return;
    }
    result['properties'] = mapValues(given, () => ({}));
    addParts(
      result,
      'allOf',
      groups.map((part) => {
        const reference = extract(part);
        return include({ schema: reference.holder, references: [reference], weight: 1 });
      }),
    );
  };

  return { nameOf: (pointer) => nameIn(pointer, scopes.outermost), named, patterns };
}

const mapValues = <T>(given: Record<string, unknown>, map: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

/** A heavy schema becomes a reference. What its holder reads of a property stays beside it. */
function lighten(part: Normalized, extract: (part: Normalized) => SchemaReference): Normalized {
  if (part.weight <= MAX_WEIGHT) return part;
  const { default: filled, readOnly, ...schema } = part.schema;
  const reference = extract({ ...part, schema });
  if (filled !== undefined) reference.holder['default'] = filled;
  if (readOnly !== undefined) reference.holder['readOnly'] = readOnly;
  return { schema: reference.holder, references: [reference], weight: 1 };
}

/** `__proto__` is a name like any other. */
const defineProperty = (properties: CompilerSchema, name: string, value: CompilerSchema): void =>
  void Object.defineProperty(properties, name, { value, enumerable: true, configurable: true, writable: true });

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
function addPattern(
  result: CompilerSchema,
  { pattern, maxLength }: Readonly<Record<string, unknown>>,
  patterns: Map<string, PatternTest>,
): void {
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
