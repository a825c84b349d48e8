/** Writes the schemas of a document as JSON Schema 2020-12, for validators that know nothing of OpenAPI. Pointers stay as they are. */
import { isObject, pointerKeys, valueAt, type Document, type Schema, resolve } from '../document/openapi.ts';
import { SCHEMA_KEYWORDS } from '../document/subschemas.ts';
import { tagAlternatives } from './discriminator.ts';
import { type Direction, isReadOnly, isWriteOnly, propertiesOf, referenceOf, requiredOf, typesOf } from './model.ts';
import { namePatterns } from './named-properties.ts';
import { visitSchemas } from '../document/visit-schemas.ts';

/**
 * @param document of OpenAPI 3.0 or later. @param uri that it is known by to the validator: absolute, because a reference within a schema
 * with an `$id` is relative to that. @param direction what its schemas are to validate: `required` has no effect on a property
 * that is not sent in that direction (OpenAPI 3.0.3, section 4.7.24.2). @param referenceKeyword in the place of `$ref`, for references
 * within the document.
 */
export const toPlainSchemas = (document: object, direction: Direction, uri: string, referenceKeyword = '$ref'): unknown =>
  rewrite(document, contextOf(document, direction, uri, referenceKeyword));

/** The same for a schema that need not be a part of the document. */
export const toPlainSchema = (schema: Schema, document: object, direction: Direction, uri: string, referenceKeyword = '$ref'): unknown =>
  rewrite(schema, contextOf(document, direction, uri, referenceKeyword));

function contextOf(document: object, direction: Direction, uri: string, referenceKeyword: string): Context {
  const { openapi } = document as { openapi?: unknown };
  return { isOld: !/^3\.[1-9]/.test(String(openapi)), direction, document, uri, referenceKeyword };
}

interface Context {
  /** Whether it is OpenAPI 3.0. */
  readonly isOld: boolean;
  readonly direction: Direction;
  readonly document: object;
  /** Before each reference within the document. */
  readonly uri: string;
  readonly referenceKeyword: string;
}

/** Keywords whose keys are names, which mean nothing by themselves. */
const NAMED = new Set<string>([
  ...SCHEMA_KEYWORDS.named,
  'schemas',
  'responses',
  'parameters',
  'headers',
  'requestBodies',
  'content',
  'paths',
]);
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'];

/** @param isNamed whether the keys of the value are names. */
function rewrite(given: unknown, context: Context, isNamed = false): unknown {
  if (Array.isArray(given)) return given.map((part) => rewrite(part, context));
  if (!isObject(given)) return given;
  const value: Record<string, unknown> =
    !isNamed && isObject(given['discriminator']) ? { ...tagAlternatives(context.document as Document, given) } : given;
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    !isNamed && DATA.has(key) ? withoutIdentifiers(part) : rewrite(part, context, !isNamed && NAMED.has(key)),
  ]);
  const node = Object.fromEntries(parts) as Record<string, unknown>;
  return isNamed ? node : rewriteKeywords(value, node, context);
}

/** A validator looks for identifiers in data too, and two that are the same would be an error. */
function withoutIdentifiers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIdentifiers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (IDENTIFIERS.includes(key) ? [] : [[key, withoutIdentifiers(part)]])),
  );
}

function rewriteKeywords(value: Schema, node: Record<string, unknown>, context: Context): unknown {
  // OpenAPI 3.0.3, section 4.7.23: what is beside a `$ref` is ignored.
  const reference = referenceOf(value);
  if (reference !== undefined) {
    const written = reference.startsWith('#') ? { [context.referenceKeyword]: `${context.uri}${reference}` } : { $ref: reference };
    if (context.isOld) return written;
    delete node['$ref'];
    Object.assign(node, written);
  }
  rewriteFlags(node);
  const patterns = namePatterns(node);
  if (Object.keys(patterns).length > 0) node['patternProperties'] = patterns;
  // A list of values beside a type is the author's last word: `null` has to be in it too (OpenAPI 3.0.3, section 4.7.24).
  if (typeof node['nullable'] === 'boolean') {
    if (typeof node['type'] === 'string') node['type'] = [...typesOf(node)];
    delete node['nullable'];
  }
  // A list without values is one that was not filled in: validators of requests ignore it as well.
  if (Array.isArray(node['enum']) && node['enum'].length === 0) delete node['enum'];
  // Keywords that OpenAPI 3.0 does not have.
  if (context.isOld) for (const key of IDENTIFIERS) if (typeof node[key] === 'string') delete node[key];
  if (Array.isArray(node['required']) && isObject(node['properties'])) node['required'] = sentNames(value, context);
  return node;
}

/** Exclusive bounds, which OpenAPI 3.0 writes as flags. */
function rewriteFlags(node: Record<string, unknown>): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof node[flag] !== 'boolean') continue;
    const isExclusive = node[flag] && typeof node[bound] === 'number';
    if (isExclusive) node[flag] = node[bound];
    else delete node[flag];
    if (isExclusive) delete node[bound];
  }
}

function sentNames(schema: Schema, { direction, document }: Context): string[] {
  const isDropped = direction === 'request' ? isReadOnly : isWriteOnly;
  const properties = propertiesOf(schema);
  return requiredOf(schema).filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(property) || !(isDropped(property) || isDropped(targetOf(document, property)));
  });
}

/** The schema that a reference leads to directly; `{}` for what is none, or leads elsewhere. */
function targetOf(document: object, schema: Schema): Schema {
  const reference = referenceOf(schema);
  const target = reference?.startsWith('#/') ? valueAt(document as Document, pointerKeys(reference)) : undefined;
  return isObject(target) ? target : {};
}

// Copies of a document whose schemas accept more: to judge a value by the other keywords.

/** A copy in which `readOnly` and `writeOnly` properties are optional: examples of requests lack the ones, those of responses the others. */
export function withOptionalOneWay(document: Document): Document {
  const copy = structuredClone(document);
  visitSchemas(copy, (schema) => {
    const required = requiredOf(schema);
    const properties = propertiesOf(schema);
    if (required.length > 0) Object.assign(schema, { required: required.filter((name) => !isOneWay(copy, properties[name])) });
  });
  return copy;
}

export function withoutValues(document: Document): Document {
  const copy = structuredClone(document);
  visitSchemas(copy, (schema) => {
    const values = schema as { enum?: unknown; const?: unknown };
    delete values.enum;
    delete values.const;
  });
  return copy;
}

/** A reference that is broken is a problem of its own. */
function isOneWay(document: Document, reference: Schema | undefined): boolean {
  if (reference === undefined) return false;
  try {
    const property = resolve<Schema>(document, reference);
    return isReadOnly(property) || isWriteOnly(property);
  } catch {
    return false;
  }
}
