/** Takes out of a document what makes no difference to a client, so that it is no change to write it out, or to leave it out. */
import { listOperations, pointerTo, type Document } from '@specwright/server';

type Fields = Record<string, unknown>;

/** What a keyword means that is not there (OpenAPI 3.0.3, sections 4.7.10 to 4.7.24). */
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

/** Keywords that say nothing about which values are valid. */
const ANNOTATIONS = ['description', 'title', 'example', 'deprecated', 'externalDocs', 'xml'];

/** Values, not parts of the document: nothing in them is a keyword. */
const VALUES = ['example', 'examples', 'default', 'enum'];

/** A document without what makes no difference, and where what stands in it is written. */
export interface Normalized {
  readonly document: Document;
  /** The pointer into the document as it is written, for one into `document`. */
  readonly written: (pointer: string) => string;
}

/**
 * Keywords at their default go, an `allOf` around a single `$ref` goes, and the parameters of a path are those of each of its
 * operations. All else stays where it is.
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
  return { document: copy, written: (pointer) => written(moved, pointer) };
}

function written(moved: ReadonlyMap<string, string>, pointer: string): string {
  const prefix = /^#\/paths\/[^/]+\/[^/]+\/parameters\/\d+/.exec(pointer)?.[0] ?? '';
  return (moved.get(prefix) ?? prefix) + pointer.slice(prefix.length);
}

/** A parameter is another one if its name or its place differs (section 4.7.12.1). */
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

/** Whether `style` or `explode` of a parameter says what would hold without it (section 4.7.12.2). */
function isDefaultStyle(value: object, key: string): boolean {
  const { in: place, style, explode } = value as Fields;
  if (typeof place !== 'string') return false;
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return key === 'style' ? style === usual : key === 'explode' && explode === ((style ?? usual) === 'form');
}
