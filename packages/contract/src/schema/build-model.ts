/** Makes the model of a document: the same document, whose schemas are JSON Schema 2020-12 and refer to each other by JSON pointers. */
import type { DocumentModules } from '../document-modules.ts';
import { type Document, isObject } from '../document/openapi.ts';
import { mapSubschemas, subschemaKind } from '../document/subschemas.ts';
import { mapSchemas } from '../document/visit-schemas.ts';
import { DATE_EXTENSION, extensionOf, formatOf, INT64_EXTENSION, int64ChoiceOf, typeOf } from './model.ts';

const models = new WeakMap<Document, Document>();

/** As `modelOf`, for a document that is loaded with the modules that it needs. */
export function buildModel(document: Document, { identifiers, inheritance, eventData }: DocumentModules): Document {
  let model = models.get(document);
  if (model !== undefined) return model;
  const resolved = identifiers === undefined ? document : withoutIdentifiers(document, identifiers);
  const inherited = inheritance?.withInheritance(resolved) ?? resolved;
  model = rewrite(eventData?.withEventData(inherited) ?? inherited);
  models.set(document, model).set(model, model);
  return model;
}

/** References by identifier as JSON pointers. Before schemas are rewritten: it is their place that says what a relative reference means. */
export function withoutIdentifiers(document: Document, identifiers: NonNullable<DocumentModules['identifiers']>): Document {
  const known = resolvedDocuments.get(document);
  if (known !== undefined) return known;
  const resolved = replaceIdentifiers(document, identifiers);
  resolvedDocuments.set(document, resolved);
  return resolved;
}

const resolvedDocuments = new WeakMap<Document, Document>();

function replaceIdentifiers(document: Document, { findIdentifiers }: NonNullable<DocumentModules['identifiers']>): Document {
  const toPointer = /^3\.0/.test(document.openapi) ? undefined : findIdentifiers(document);
  if (toPointer === undefined) return document;
  return mapSchemas(document, undefined, (schema, _, path) => [
    isObject(schema) ? withPointers(schema, (reference) => toPointer(reference, path)) : schema,
    () => undefined,
  ]);
}

function rewrite(document: Document): Document {
  const { openapi: version } = document;
  const choices = [
    ...(int64ChoiceOf(document) === 'bigint' ? [BIG_INTEGERS] : []),
    ...(extensionOf(document as object, DATE_EXTENSION) === 'date' ? [DATES] : []),
  ];
  return mapSchemas<SchemaUse>(document, 'value', (given, use) => {
    const rewritten = rewriteSchema(given, version, use);
    const schema = choices.reduce(withChoice, rewritten);
    return [schema, (keyword) => useWithin(schema, use, keyword)];
  });
}

function withPointers(schema: Readonly<Record<string, unknown>>, toPointer: (reference: string) => string): Record<string, unknown> {
  const { $ref, $dynamicRef, discriminator } = schema;
  if ([$ref, $dynamicRef, discriminator].every((keyword) => keyword === undefined)) return schema;
  // One that is no anchor is like any other reference (JSON Schema 2020-12, core, section 8.2.3.2).
  if (typeof $dynamicRef === 'string' && !/#[^/]/.test($dynamicRef)) {
    const others = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$dynamicRef'));
    return withPointers({ $ref: $dynamicRef, ...others }, toPointer);
  }
  return {
    ...schema,
    ...(typeof $ref === 'string' && { $ref: toPointer($ref) }),
    ...(typeof $dynamicRef === 'string' && { $dynamicRef: toPointer($dynamicRef) }),
    ...(isObject(discriminator) && isObject(discriminator['mapping']) && { discriminator: withMapping(discriminator, toPointer) }),
  };
}

/** A discriminator's mapping names schemas, or refers to them (OpenAPI 3.1.1, section 4.8.25). */
const withMapping = (
  { mapping, ...discriminator }: Readonly<Record<string, unknown>>,
  toPointer: (reference: string) => string,
): object => ({
  ...discriminator,
  mapping: Object.fromEntries(
    Object.entries(mapping as Record<string, unknown>).map(([tag, target]) => [
      tag,
      typeof target === 'string' && /[#/]/.test(target) ? toPointer(target) : target,
    ]),
  ),
});

/** What the values of a format are in JavaScript. */
interface Choice {
  readonly type: string;
  readonly format: string;
  readonly extension: string;
  readonly value: string;
}

const BIG_INTEGERS: Choice = { type: 'integer', format: 'int64', extension: INT64_EXTENSION, value: 'bigint' };
const DATES: Choice = { type: 'string', format: 'date-time', extension: DATE_EXTENSION, value: 'date' };

/** The choice of the document, on a schema that makes none. */
const withChoice = (schema: unknown, { type, format, extension, value }: Choice): unknown =>
  isObject(schema) && formatOf(schema) === format && typeOf(schema) === type && schema[extension] === undefined
    ? { ...schema, [extension]: value }
    : schema;

/** The document, whose texts of format date-time are `Date` in JavaScript if `dates` says so. */
export const withDates = (document: Document, dates: 'date' | undefined): Document =>
  dates === undefined ? document : Object.assign({ ...document }, { [DATE_EXTENSION]: 'date' });

const CONDITIONS = ['not', 'if', 'then', 'else', 'contains', 'dependentSchemas', 'propertyNames'];
const BRANCHES = ['allOf', 'oneOf', 'anyOf'];

function useWithin(schema: unknown, use: SchemaUse, keyword: string): SchemaUse {
  if (use === 'condition' || CONDITIONS.includes(keyword)) return 'condition';
  if (!BRANCHES.includes(keyword)) return 'value';
  return use === 'branch' || (isObject(schema) && schema['type'] !== undefined) ? 'branch' : 'value';
}

/** Rewrites one schema to the form of the model: JSON Schema 2020-12, whatever version of OpenAPI it was written in. */
type Keywords = Readonly<Record<string, unknown>>;

/** Where a schema is used: it describes a value; or the same value as a schema that has said its type; or it is a condition. */
type SchemaUse = 'value' | 'branch' | 'condition';

/**
 * Rewrites a schema, without those in it.
 *
 * @param version the `openapi` of the document.
 * @param use in a `value`, `properties` without a type means an object, as in the generated types.
 * @returns the given one where nothing is to be changed.
 */
function rewriteSchema(given: unknown, version: string, use: SchemaUse): unknown {
  if (given === true) return {};
  if (given === false) return { not: {} };
  if (!isObject(given)) return given;
  let schema: Keywords = given;
  const isDraft = /^3\.0/.test(version);
  if (typeof schema['$ref'] === 'string') {
    schema = isDraft ? onlyReference(schema) : withSiblings(schema);
    if (schema['$ref'] !== undefined) return schema;
  }
  if (schema['example'] !== undefined) schema = withExamples(schema);
  if (isDraft) schema = fromDraft(schema);
  else schema = withNull(schema);
  if (use === 'value' && schema['type'] === undefined && isObject(schema['properties'])) schema = { ...schema, type: 'object' };
  if (isDraft && schema['nullable'] !== undefined) schema = fromNullable(schema);
  return isDraft ? schema : withoutBooleans(schema);
}

/** Keywords beside a `$ref` are ignored (OpenAPI 3.0.3, section 4.7.23). */
const onlyReference = (schema: Keywords): Keywords => (Object.keys(schema).length === 1 ? schema : { $ref: schema['$ref'] });

/** Keywords that change nothing about a value: beside a `$ref` they are not kept. */
const ANNOTATIONS = ['title', 'description', 'example', 'examples', 'externalDocs', '$comment', 'summary', 'xml'];

/** In JSON Schema 2020-12 the keywords beside a `$ref` apply too. The target comes last, so that references into `allOf` stay true. */
function withSiblings(schema: Keywords): Keywords {
  const { $ref, ...siblings } = schema;
  const names = Object.keys(siblings);
  if (names.length === 0) return schema;
  if (names.every((name) => ANNOTATIONS.includes(name) || name.startsWith('x-'))) return { $ref };
  const { allOf = [], ...rest } = siblings;
  return { ...rest, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref }] };
}

function withExamples({ example, ...rest }: Keywords): Keywords {
  return Array.isArray(rest['examples']) ? rest : { ...rest, examples: [example] };
}

/** The flags of JSON Schema draft 4, and what OpenAPI 3.0 lacks. */
function fromDraft(schema: Keywords): Keywords {
  let result = schema;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const { [bound]: value, [exclusive]: isExclusive, ...rest } = result;
    result = { ...rest, ...(value === undefined ? {} : { [isExclusive === true ? exclusive : bound]: value }) };
  }
  return result;
}

/** Keywords that apply to `null` as well. */
const FOR_ANY_TYPE = ['allOf', 'oneOf', 'anyOf', 'not', 'enum', 'const', 'discriminator'];

/** `nullable` without a `type`: null, or what the other keywords allow, as in the generated types. */
function fromNullable({ nullable, ...schema }: Keywords): Keywords {
  const { type } = schema;
  if (nullable !== true) return schema;
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  const entries = Object.entries(schema);
  const restricting = entries.filter(([keyword]) => FOR_ANY_TYPE.includes(keyword));
  if (restricting.length === 0) return schema;
  const others = entries.filter(([keyword]) => !FOR_ANY_TYPE.includes(keyword));
  return { ...Object.fromEntries(others), anyOf: [{ type: 'null' }, Object.fromEntries(restricting)] };
}

/** `anyOf: [X, { type: null }]`, where X has one type and names no other schema as a whole, is X with two types. */
function withNull(schema: Keywords): Keywords {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const parts = schema[key];
    if (!Array.isArray(parts) || parts.length !== 2 || schema['type'] !== undefined) continue;
    const other = (parts as unknown[]).find((part) => !isNull(part));
    if (!isObject(other) || !(parts as unknown[]).some(isNull) || typeof other['type'] !== 'string') continue;
    const siblings: Keywords = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== key));
    if (FOR_ANY_TYPE.some((keyword) => siblings[keyword] !== undefined || (other[keyword] !== undefined && keyword !== 'enum'))) continue;
    if (Object.keys(other).some((keyword) => siblings[keyword] !== undefined && !ANNOTATIONS.includes(keyword))) continue;
    const { type, enum: values } = other;
    return {
      ...other,
      ...siblings,
      type: [type, 'null'],
      ...(Array.isArray(values) && { enum: [...(values as unknown[]).filter((value) => value !== null), null] }),
    };
  }
  return schema;
}

const isNull = (part: unknown): boolean => isObject(part) && part['type'] === 'null' && Object.keys(part).length === 1;

/** `true` and `false` as schemas with keywords; those of additional properties and items stay, because readers ask for them. */
function withoutBooleans(schema: Keywords): Keywords {
  let result = schema;
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = subschemaKind(keyword);
    if (kind === undefined || KEPT_BOOLEANS.includes(keyword)) continue;
    const mapped = mapSubschemas(kind, value, (part) => (part === true ? {} : part === false ? { not: {} } : part));
    if (mapped !== value) result = { ...result, [keyword]: mapped };
  }
  return result;
}

const KEPT_BOOLEANS: readonly string[] = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];
