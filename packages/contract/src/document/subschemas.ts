/** Where a schema holds other schemas: the one table of those keywords, and what visits them. */
import { isObject, resolve, type Document, type Schema } from './openapi.ts';

/** Keywords whose schemas say nothing of a value: they are referred to. `definitions` is that of earlier drafts, which 2020-12 still has. */
export const DEFINITIONS = ['$defs', 'definitions'] as const;
export const isDefinitions = (keyword: unknown): boolean => DEFINITIONS.some((one) => one === keyword);

/** Keywords whose value is a schema, a list of schemas, and schemas by name (JSON Schema 2020-12, core, section 10; validation, section 8). */
export const SCHEMA_KEYWORDS = {
  one: [
    'items',
    'additionalProperties',
    'not',
    'contains',
    'propertyNames',
    'if',
    'then',
    'else',
    'unevaluatedItems',
    'unevaluatedProperties',
    'contentSchema',
  ],
  list: ['allOf', 'oneOf', 'anyOf', 'prefixItems'],
  named: ['properties', 'patternProperties', 'dependentSchemas', ...DEFINITIONS],
} as const;

export type SubschemaKind = keyof typeof SCHEMA_KEYWORDS;

const KINDS = new Map<string, SubschemaKind>(
  Object.entries(SCHEMA_KEYWORDS).flatMap(([kind, keywords]) => keywords.map((keyword) => [keyword, kind as SubschemaKind] as const)),
);

/** How a keyword holds schemas; `undefined` for one that holds none. */
export const subschemaKind = (keyword: string): SubschemaKind | undefined => KINDS.get(keyword);

/** The schemas directly within a schema, references included, each with its keys from there. */
export function subschemasOf(schema: Schema): [keys: (string | number)[], schema: Schema][] {
  const found: [(string | number)[], Schema][] = [];
  for (const [keyword, kind] of KINDS) {
    const given = (schema as Record<string, unknown>)[keyword];
    if (kind === 'one') {
      if (isObject(given)) found.push([[keyword], given]);
    } else if (kind === 'list') {
      if (Array.isArray(given)) (given as Schema[]).forEach((part, i) => found.push([[keyword, i], part]));
    } else if (isObject(given)) for (const [name, part] of Object.entries(given)) if (isObject(part)) found.push([[keyword, name], part]);
  }
  return found;
}

/** The value of a keyword that holds schemas, with each of them replaced, booleans too. The given one, if none is replaced by another. */
export function mapSubschemas(kind: SubschemaKind, value: unknown, map: (schema: unknown) => unknown): unknown {
  if (kind === 'one') return map(value);
  const isOther = (part: unknown, i: number) => part !== mapped[i];
  const given: readonly unknown[] = kind === 'list' ? (Array.isArray(value) ? value : []) : isObject(value) ? Object.values(value) : [];
  const mapped = given.map(map);
  if (!given.some(isOther)) return value;
  return kind === 'list' ? mapped : Object.fromEntries(Object.keys(value as object).map((name, i) => [name, mapped[i]]));
}

/**
 * The schemas and what is below them, references followed, each once.
 *
 * @param enters which keywords of a schema are followed. Default: all.
 */
export function* schemasBelow(
  document: Document,
  roots: readonly Schema[],
  enters: (keyword: string, schema: Schema) => boolean = () => true,
): Generator<Schema> {
  const visited = new Set<Schema>();
  const rest = [...roots];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const schema = resolve<Schema>(document, next);
    if (visited.has(schema)) continue;
    visited.add(schema);
    yield schema;
    for (const [[keyword], part] of subschemasOf(schema)) if (enters(String(keyword), schema)) rest.push(part);
  }
}
