/** Normalizes one schema of a document for the compiler, with the meaning that OpenAPI gives it in requests and in responses. */
import { type DocumentModules, moduleOf } from '../document-modules.ts';
import { type Document, type Schema, isObject, resolve, pointerKeys, pointerTo, valueAt } from '../document/openapi.ts';
import type { DynamicScope, DynamicScopes } from './dynamic-scope.ts';
import { type Direction, isReadOnly, isWriteOnly, LIMITS, propertiesOf, requiredOf } from './model.ts';
import { evaluatedNames, namePatterns } from './named-properties.ts';
import { addParts, type CompilerSchema, referenceTo, type SchemaReference, type TextFormat } from './schema-reference.ts';
import { STEPS } from './validation-run.ts';

export interface NormalizedSchema {
  readonly schema: CompilerSchema;
  readonly references: readonly SchemaReference[];
  /** The number of schemas in it. */
  readonly weight: number;
  /** Whether it has some of the properties of another schema. */
  readonly isGroup?: boolean;
}

interface NormalizerContext {
  readonly document: Document;
  readonly modules: DocumentModules;
  readonly direction: Direction;
  readonly scopes: DynamicScopes;
  /** Gets patterns that the compiler cannot read or must not run on any text, as formats by name. */
  readonly patterns: Map<string, TextFormat>;
  readonly nameIn: (pointer: string, scope: DynamicScope, isOwn: boolean) => string;
  readonly extract: Extract;
  /** `undefined` for a document without `allOf`. */
  readonly flattenAllOf: ((schema: Schema) => readonly Schema[]) | undefined;
}

/** Keywords of JSON Schema 2020-12 that are copied unchanged. Those that this file does not name are dropped. */
const COPIED_KEYWORDS = ['type', 'const', ...LIMITS, 'uniqueItems', 'dependentRequired'] as const;
const SCHEMAS = ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const;
const SCHEMAS_OR_BOOLEANS = ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'] as const;
/** Of those, the ones that describe the same value as their schema. */
const SAME_VALUE: readonly string[] = ['not', 'if', 'then', 'else'];
const COMPOSITIONS = ['allOf', 'oneOf', 'anyOf'] as const;

type Given = Readonly<Record<string, unknown>>;
type Normalize = (part: unknown) => CompilerSchema;

/** The keywords whose modules are loaded only for documents that have them. */
function seldomKeywords({ document, modules, patterns, flattenAllOf }: NormalizerContext) {
  return {
    isToOwnKeywords: (reference: object): boolean => modules.flattenAllOf?.isToOwnKeywords(reference) === true,
    describesBig: (schema: Schema): boolean => modules.bigIntegers?.describesBigInteger(document, schema) === true,
    takeBigInteger: (result: CompilerSchema): void => moduleOf(modules, 'bigIntegers').takeBigInteger(result),
    composed: (key: (typeof COMPOSITIONS)[number], given: Schema, normalize: Normalize): Record<string, CompilerSchema[]> =>
      key === 'allOf'
        ? { allOf: (flattenAllOf?.(given) ?? []).map(normalize) }
        : moduleOf(modules, 'branches').compositionOf(document, key, given, normalize),
    addFormat: (result: CompilerSchema, { format }: Given): void => {
      if (typeof format === 'string' && moduleOf(modules, 'formats').isKnownFormat(format)) result['format'] = format;
    },
    addPattern: (result: CompilerSchema, given: Given): void => {
      if ('pattern' in given) moduleOf(modules, 'patterns').addPattern(result, given, patterns);
    },
    addNamePatterns: (result: CompilerSchema, given: Given, normalize: Normalize): void => {
      if (Object.keys(namePatterns(given)).length > 0) moduleOf(modules, 'patterns').addNamePatterns(result, given, patterns, normalize);
    },
  };
}

type SeldomKeywords = ReturnType<typeof seldomKeywords>;

/** Only keywords that validate are kept: an `$id` in an example is not that of a schema. Each `$ref` becomes the name of a schema of the set. */
function createNormalizer({ document, direction, scopes, nameIn, extract }: NormalizerContext, seldom: SeldomKeywords) {
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
    if (typeof given['$ref'] === 'string') return { schema: referTo(given['$ref'], seldom.isToOwnKeywords(given)), references, weight };
    const isBig = isWithinBig || seldom.describesBig(given);
    const withSameValue = (part: unknown): CompilerSchema => include(normalize(part, scope, isBig));

    const result: CompilerSchema = {};
    for (const key of COPIED_KEYWORDS) if (given[key] !== undefined) result[key] = given[key];
    if (Array.isArray(given['enum']) && given['enum'].length > 0) result['enum'] = given['enum'];
    seldom.addFormat(result, given);
    seldom.addPattern(result, given);
    if (isBig) seldom.takeBigInteger(result);
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
    seldom.addNamePatterns(result, given, (part) => include(countSteps(property(part, scope))));
    const required = requiredIn(document, given, direction);
    if (required.length > 0) result['required'] = required;
    for (const key of COMPOSITIONS) {
      if (!Array.isArray(given[key]) || given[key].length === 0) continue;
      const keywords = seldom.composed(key, given, withSameValue);
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

/** Of a document without dynamic anchors, in which a `$dynamicRef` is a `$ref`. */
const OUTERMOST: DynamicScope = { anchors: new Map(), key: '' };
const ONE_SCOPE: DynamicScopes = {
  outermost: OUTERMOST,
  enter: (scope) => scope,
  enterInline: (scope) => scope,
  resolve: (_, reference) => reference,
};

/** The set of a document's schemas. Each is normalized when it is first used; `patterns` grows with them. */
export function createSchemaSet(document: Document, modules: DocumentModules, direction: Direction) {
  const scopes = modules.dynamicScopes?.createDynamicScopes(document) ?? ONE_SCOPE;
  const flattenAllOf = modules.flattenAllOf?.createFlattenAllOf(document);
  const names = new Map<string, string>();
  const origins = new Map<string, { pointer: string; scope: DynamicScope; isOwn: boolean }>();
  const schemas = new Map<string, NormalizedSchema>();
  const patterns = new Map<string, TextFormat>();
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
  const context = { document, modules, direction, scopes, patterns, nameIn, extract, flattenAllOf };
  const seldom = seldomKeywords(context);
  const normalize = createNormalizer(context, seldom);
  const normalizeOwn = (target: Schema, scope: DynamicScope) =>
    normalize(moduleOf(modules, 'flattenAllOf').withoutAllOf(target), scope, seldom.describesBig(target));
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
