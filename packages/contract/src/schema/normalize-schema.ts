/** Normalizes one schema of a document for the compiler, with the meaning that OpenAPI gives it in requests and in responses. */
import { type Document, type Schema, isObject, resolve, pointerKeys, pointerTo, valueAt } from '../document/openapi.ts';
import { describesBigInteger, takeBigInteger } from './big-integers.ts';
import { compositionOf } from './discriminator.ts';
import { type DynamicScope, type DynamicScopes, createDynamicScopes } from './dynamic-scope.ts';
import { createFlattenAllOf, isToOwnKeywords, withoutAllOf } from './flatten-all-of.ts';
import { isKnownFormat } from './formats.ts';
import { type Direction, isReadOnly, isWriteOnly, LIMITS, propertiesOf, requiredOf } from './model.ts';
import { boundedNameFormat, boundedTextFormat, compilePattern, isLonger, patternFormat } from '../patterns/pattern.ts';
import { type PatternTest, patternTestOf, testUpTo } from '../patterns/pattern-test.ts';
import { modelOf } from './build-model.ts';
import { evaluatedNames, namePatterns } from './named-properties.ts';
import { type CompilerSchema, referenceTo, type SchemaReference } from './schema-reference.ts';
import { STEPS } from './validation-run.ts';

type TextTest = RegExp | ((text: string) => boolean);

export interface NormalizedSchema {
  readonly schema: CompilerSchema;
  readonly references: readonly SchemaReference[];
  /** The number of schemas in it. */
  readonly weight: number;
  /** Whether it has some of the properties of another schema. */
  readonly isGroup?: boolean;
}

function addParts(schema: CompilerSchema, keyword: string, parts: readonly CompilerSchema[]): void {
  schema[keyword] = [...((schema[keyword] as CompilerSchema[] | undefined) ?? []), ...parts];
}

interface NormalizerContext {
  readonly document: Document;
  readonly direction: Direction;
  readonly scopes: DynamicScopes;
  /** Gets patterns that the compiler cannot read or must not run on any text, as formats by name. */
  readonly patterns: Map<string, TextTest>;
  readonly nameIn: (pointer: string, scope: DynamicScope, isOwn: boolean) => string;
  readonly extract: Extract;
  readonly flattenAllOf: (schema: Schema) => readonly Schema[];
}

/** Keywords of JSON Schema 2020-12 that are copied unchanged. Those that this file does not name are dropped. */
const COPIED_KEYWORDS = ['type', 'const', ...LIMITS, 'uniqueItems', 'dependentRequired'] as const;
const SCHEMAS = ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const;
const SCHEMAS_OR_BOOLEANS = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'] as const;
/** Of those, the ones that describe the same value as their schema. */
const SAME_VALUE: readonly string[] = ['not', 'if', 'then', 'else'];
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

/** Only keywords that validate are kept: an `$id` in an example is not that of a schema. Each `$ref` becomes the name of a schema of the set. */
function createNormalizer({ document, direction, scopes, patterns, nameIn, extract, flattenAllOf }: NormalizerContext) {
  /** @param isWithinBig whether it is a part of a schema whose integers are `bigint`. */
  const normalize = (given: unknown, outer: DynamicScope, isWithinBig = false): NormalizedSchema => {
    const scope = isObject(given) ? scopes.enterInline(outer, given) : outer;
    const references: SchemaReference[] = [];
    let weight = 1;
    const referTo = (pointer: string, isOwn = false): CompilerSchema => {
      if (!pointer.startsWith('#')) throw new Error(`${pointer} cannot be resolved within the document`);
      const reference = referenceTo(nameIn(pointer, scope, isOwn));
      references.push(reference);
      return reference.holder;
    };
    const include = (part: NormalizedSchema): CompilerSchema => {
      references.push(...part.references);
      weight += part.weight;
      return part.schema;
    };
    const within = (part: unknown): CompilerSchema => include(countSteps(normalize(part, scope)));
    if (!isObject(given)) return { schema: {}, references, weight };
    if (typeof given['$ref'] === 'string') return { schema: referTo(given['$ref'], isToOwnKeywords(given)), references, weight };
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
    if (isObject(given['properties'])) {
      const declared = given['properties'];
      const parts = Object.entries(declared).map(([name, part]) => [name, property(part, scope)] as const);
      const [only = { schema: { properties: {} }, references: [], weight: 0 }, ...others] = divideProperties(parts, extract);
      if (others.length === 0) result['properties'] = include(only)['properties'];
      else {
        // Their names: what is not named here is undeclared.
        result['properties'] = mapValues(declared, () => ({}));
        for (const group of [only, ...others]) {
          const reference = extract(group);
          references.push(reference);
          addParts(result, 'allOf', [reference.holder]);
        }
      }
    }
    if (isObject(given['dependentSchemas'])) result['dependentSchemas'] = mapValues(given['dependentSchemas'], within);
    addNamePatterns(result, given, patterns, (part) => include(countSteps(property(part, scope))));
    const required = requiredIn(document, given, direction);
    if (required.length > 0) result['required'] = required;
    for (const key of COMPOSITIONS) {
      if (!Array.isArray(given[key]) || given[key].length === 0) continue;
      const keywords =
        key === 'allOf' ? { allOf: flattenAllOf(given).map(withSameValue) } : compositionOf(document, key, given, withSameValue);
      for (const [keyword, parts] of Object.entries(keywords)) addParts(result, keyword, parts);
    }
    if (typeof given['$dynamicRef'] === 'string') addParts(result, 'allOf', [referTo(scopes.resolve(scope, given['$dynamicRef']))]);
    return { schema: closedByNames(result, evaluatedNames(document, given)), references, weight };
  };

  /** `readOnly` is about properties only (OpenAPI 3.0.3, section 4.7.24.2): a parameter or a list item of such a schema is accepted. */
  const property = (given: unknown, scope: DynamicScope): NormalizedSchema => {
    const normalized = normalize(given, scope);
    if (direction === 'response' || !isObject(given) || !isReadOnly(resolve<Schema>(document, given))) return normalized;
    const { schema } = normalized;
    return { ...normalized, schema: { ...('$ref' in schema ? { allOf: [schema] } : schema), readOnly: true } };
  };

  return normalize;
}

/** A schema that is closed by the names of its parts, if these are known. */
function closedByNames(schema: CompilerSchema, names: ReadonlySet<string> | undefined): CompilerSchema {
  if (names === undefined) return schema;
  const properties = { ...Object.fromEntries([...names].map((name) => [name, {}])), ...(schema['properties'] as object | undefined) };
  delete schema['unevaluatedProperties'];
  return Object.assign(schema, { properties, additionalProperties: false });
}

/** Counts the applications of a schema that is applied to each part of a value. One that is referred to counts its own. */
function countSteps(part: NormalizedSchema): NormalizedSchema {
  const { schema, weight } = part;
  return '$ref' in schema || Object.keys(schema).length === 0 ? part : { ...part, schema: { ...schema, [STEPS]: weight } };
}

const mapValues = <T>(given: Record<string, unknown>, map: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

/**
 * The names' patterns as ECMAScript spells them; one that cannot be read matches no name. Names that are too long for a pattern which is not
 * proven linear are refused, unless `propertyNames` refuses them.
 */
function addNamePatterns(
  result: CompilerSchema,
  given: Readonly<Record<string, unknown>>,
  patterns: Map<string, TextTest>,
  property: (schema: unknown) => CompilerSchema,
): void {
  const read = Object.entries(namePatterns(given)).flatMap(([pattern, schema]) => {
    const { source, unicode } = compilePattern(pattern) ?? {};
    return source !== undefined && unicode === true ? [{ pattern, source, schema }] : [];
  });
  if (read.length === 0) return;
  result['patternProperties'] = Object.fromEntries(read.map(({ source, schema }) => [source, property(schema)]));
  const bounds = read.map(({ pattern }) => ({ pattern, maxText: patternTestOf(pattern)?.maxText ?? Infinity }));
  const [least] = bounds.sort((a, b) => a.maxText - b.maxText);
  const { propertyNames } = given;
  const declared = isObject(propertyNames) && typeof propertyNames['maxLength'] === 'number' ? propertyNames['maxLength'] : Infinity;
  if (least === undefined || declared <= least.maxText) return;
  const format = addBound(boundedNameFormat(least.pattern, least.maxText), least.maxText, patterns);
  addParts(result, 'allOf', [{ propertyNames: { format } }]);
}

/**
 * The compiler reads patterns with the flag `u`. One that it cannot read, or must not run on any text, becomes a format: that with a
 * `maxLength` beside it, and that which is not proven linear.
 */
function addPattern(
  result: CompilerSchema,
  { pattern, maxLength }: Readonly<Record<string, unknown>>,
  patterns: Map<string, TextTest>,
): void {
  if (typeof pattern !== 'string') return;
  const read = compilePattern(pattern);
  if (read === undefined) return;
  const declared = typeof maxLength === 'number' ? maxLength : Infinity;
  const tested = patternTestOf(pattern) as PatternTest;
  const { maxText } = tested;
  const longest = Math.min(declared, maxText);
  if (read.unicode && read.source === pattern && longest === Infinity) {
    result['pattern'] = pattern;
    return;
  }
  const name = patternFormat(pattern, longest);
  // Longer texts pass, because they are refused by `maxLength` or the bound: the problem is reported once.
  patterns.set(name, testUpTo(longest, tested));
  addParts(result, 'allOf', [{ format: name }]);
  if (declared > maxText) addParts(result, 'allOf', [{ format: addBound(boundedTextFormat(pattern, maxText), maxText, patterns) }]);
}

function addBound(format: string, maxText: number, patterns: Map<string, TextTest>): string {
  patterns.set(format, (text) => !isLonger(text, maxText));
  return format;
}

function requiredIn(document: Document, given: Schema, direction: Direction): string[] {
  const isOmittable = direction === 'request' ? isReadOnly : isWriteOnly;
  const properties = propertiesOf(given);
  return [...new Set(requiredOf(given))].filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(property) || !isOmittable(resolve<Schema>(document, property));
  });
}

/** How many schemas are compiled at once. One takes some 0.1 ms. */
const MAX_WEIGHT = 50;

/** Makes a part of a schema a schema of its own in the set. */
type Extract = (part: NormalizedSchema) => SchemaReference;

/** A heavy schema becomes a reference. What its holder reads of a property stays beside it. */
function lighten(part: NormalizedSchema, extract: Extract): NormalizedSchema {
  if (part.weight <= MAX_WEIGHT) return part;
  const { readOnly, ...schema } = part.schema;
  const reference = extract({ ...part, schema });
  if (readOnly !== undefined) reference.holder['readOnly'] = readOnly;
  return { schema: reference.holder, references: [reference], weight: 1 };
}

/**
 * Divides the properties of a schema: one that is heavy becomes a reference, and many that are heavy together become several schemas.
 *
 * @returns schemas with `properties`, which hold together: one, if they are light.
 */
function divideProperties(properties: Iterable<readonly [string, NormalizedSchema]>, extract: Extract): NormalizedSchema[] {
  const groups: { names: CompilerSchema; references: SchemaReference[]; weight: number }[] = [];
  for (const [name, property] of properties) {
    const { schema, references, weight } = lighten(property, extract);
    let group = groups.at(-1);
    if (group === undefined || group.weight + weight > MAX_WEIGHT) groups.push((group = { names: {}, references: [], weight: 0 }));
    // `__proto__` is a name like any other.
    Object.defineProperty(group.names, name, { value: schema, enumerable: true, configurable: true, writable: true });
    group.references.push(...references);
    group.weight += weight;
  }
  return groups.map(({ names, references, weight }) => ({ schema: { properties: names }, references, weight, isGroup: true }));
}

/** The set of a document's schemas. Each is normalized when it is first used; `patterns` grows with them. */
export function createSchemaSet(given: Document, direction: Direction) {
  const document = modelOf(given);
  const scopes = createDynamicScopes(document);
  const names = new Map<string, string>();
  const origins = new Map<string, { pointer: string; scope: DynamicScope; isOwn: boolean }>();
  const schemas = new Map<string, NormalizedSchema>();
  const patterns = new Map<string, TextTest>();
  let lastName = 0;
  const newName = (): string => `s${++lastName}`;

  /** @param isOwn of its own keywords, without its `allOf`. */
  const nameIn = (pointer: string, outer: DynamicScope, isOwn = false): string => {
    // A pointer can be percent-encoded in several ways.
    const canonical = pointerTo(...pointerKeys(pointer));
    const scope = scopes.enter(outer, canonical);
    const key = `${canonical} ${scope.key}${isOwn ? ' own' : ''}`;
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = newName()));
      origins.set(name, { pointer: canonical, scope, isOwn });
    }
    return name;
  };
  const extract = (part: NormalizedSchema) => {
    const name = newName();
    schemas.set(name, part);
    return referenceTo(name);
  };
  const normalize = createNormalizer({
    document,
    direction,
    scopes,
    patterns,
    nameIn,
    extract,
    flattenAllOf: createFlattenAllOf(document),
  });
  const normalizeOwn = (target: Schema, scope: DynamicScope) =>
    normalize(withoutAllOf(target), scope, describesBigInteger(document, target));
  const named = (name: string): NormalizedSchema => {
    let normalized = schemas.get(name);
    if (normalized === undefined) {
      const { pointer = '#', scope = scopes.outermost, isOwn = false } = origins.get(name) ?? {};
      const target = valueAt(document, pointerKeys(pointer));
      if (target === undefined) throw new Error(`${pointer} does not exist`);
      schemas.set(name, (normalized = isOwn ? normalizeOwn(target as Schema, scope) : normalize(target, scope)));
    }
    return normalized;
  };
  return { nameOf: (pointer: string) => nameIn(pointer, scopes.outermost), named, patterns };
}
