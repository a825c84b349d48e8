/** Removes from a document what makes no difference to a client, so that adding or removing it is no change. */
import { listOperations, pointerTo, type Document } from '@specwright/server';

type Fields = Record<string, unknown>;

/** What a missing keyword means (OpenAPI 3.0.3, sections 4.7.10 to 4.7.24). */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  required: false,
  deprecated: false,
  allowEmptyValue: false,
  allowReserved: false,
  nullable: false,
  readOnly: false,
  writeOnly: false,
  uniqueItems: false,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
};

/** Keywords that do not affect which values are valid. */
const ANNOTATIONS = ['description', 'title', 'example', 'deprecated', 'externalDocs', 'xml'];

/** Keywords whose content is a value: nothing in it is a keyword. */
const VALUES = ['example', 'examples', 'default', 'enum'];

/** A normalized document, and where its parts are in the original one. */
export interface Normalized {
  readonly document: Document;
  /** The pointer into the original document, for one into `document`. */
  readonly originalPointer: (pointer: string) => string;
}

/**
 * Removes keywords at their default and an `allOf` around a single `$ref`, and moves the parameters of a path to each of its
 * operations.
 */
export function normalize(document: Document): Normalized {
  const copy = simplify(document) as Document;
  const moved = new Map<string, string>();
  for (const { path, method, item, operation } of listOperations(copy)) {
    const own = operation.parameters ?? [];
    const inherited = (item.parameters ?? [])
      .map((parameter, i) => [parameter, pointerTo('paths', path, 'parameters', i)] as const)
      .filter(([parameter]) => !own.some((other) => identity(copy, other) === identity(copy, parameter)));
    inherited.forEach(([, pointer], i) => moved.set(pointerTo('paths', path, method, 'parameters', own.length + i), pointer));
    if (inherited.length > 0) operation.parameters = [...own, ...inherited.map(([parameter]) => parameter)];
  }
  for (const item of Object.values(copy.paths)) delete item.parameters;
  return { document: copy, originalPointer: (pointer) => originalPointer(moved, pointer) };
}

function originalPointer(moved: ReadonlyMap<string, string>, pointer: string): string {
  const prefix = /^#\/paths\/[^/]+\/[^/]+\/parameters\/\d+/.exec(pointer)?.[0] ?? '';
  return (moved.get(prefix) ?? prefix) + pointer.slice(prefix.length);
}

/** A parameter is identified by name and `in` (section 4.7.12.1). */
function identity(document: Document, parameter: object): string {
  const { $ref } = parameter as { $ref?: string };
  const name = /^#\/components\/parameters\/([^/]+)$/.exec($ref ?? '')?.[1];
  const target = (name === undefined ? parameter : (document.components?.['parameters'] as Fields | undefined)?.[name]) as
    Fields | undefined;
  return target === undefined ? String($ref) : `${String(target['in'])} ${String(target['name'])}`;
}

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, ...rest } = value as Fields;
  const [only, ...more] = Array.isArray(allOf) ? (allOf as Fields[]) : [];
  if (only !== undefined && more.length === 0 && '$ref' in only && Object.keys(rest).every((key) => ANNOTATIONS.includes(key))) return only;
  const kept = Object.entries(value).filter(([key, child]) => !(key in DEFAULTS && DEFAULTS[key] === child) && !isDefaultStyle(value, key));
  return Object.fromEntries(kept.map(([key, child]) => [key, VALUES.includes(key) || key.startsWith('x-') ? child : simplify(child)]));
}

/** Whether `style` or `explode` of a parameter has its default value (section 4.7.12.2). */
function isDefaultStyle(value: object, key: string): boolean {
  const { in: location, style, explode } = value as Fields;
  if (typeof location !== 'string') return false;
  const defaultStyle = location === 'query' || location === 'cookie' ? 'form' : 'simple';
  return key === 'style' ? style === defaultStyle : key === 'explode' && explode === ((style ?? defaultStyle) === 'form');
}
