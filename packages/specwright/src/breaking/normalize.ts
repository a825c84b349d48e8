/** Removes from a document what makes no difference to a client, so that adding or removing it is no change. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  type SourceDocument,
  isObject,
  listOperations,
  operationKeys,
  pointerKeys,
  pointerTo,
  valueAt,
} from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import type { BreakingChange, DetectedChange } from './change.ts';

type Fields = Record<string, unknown>;

/** The version as which both documents are compared: their schemas are JSON Schema 2020-12, whatever they were written in. */
const VERSION = '3.1.0';

/** What a missing keyword means (OpenAPI 3.0.3, sections 4.7.10 to 4.7.24). */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  required: false,
  deprecated: false,
  allowEmptyValue: false,
  allowReserved: false,
  readOnly: false,
  writeOnly: false,
  uniqueItems: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
};

/** Keywords that do not affect which values are valid. */
const ANNOTATIONS = ['description', 'title', 'summary', 'example', 'examples', 'deprecated', 'externalDocs', 'xml', '$comment'];

/** Keywords whose content is a value: nothing in it is a keyword. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const'];

/** Keywords whose content has names as keys. */
const MAPS = [
  'paths',
  'responses',
  'headers',
  'content',
  'encoding',
  'links',
  'callbacks',
  'parameters',
  'requestBodies',
  'schemas',
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'webhooks',
  'x-webhooks',
  'pathItems',
];

/** Keywords that may be left out for an empty list or map. */
const EMPTY: Fields = { parameters: [], headers: {}, content: {}, properties: {} };

/** A normalized document, and where its parts are in the original one. */
export interface Normalized {
  readonly document: Document;
  /** The pointer into the original document, for one into `document`. */
  readonly originalPointer: (pointer: string) => string;
}

/**
 * Removes keywords at their default and an `allOf` around a single `$ref`, writes `const` as an `enum` of one value, and moves
 * the parameters of a path to each of its operations.
 *
 * @param other the document that it is compared with.
 */
export function normalize(document: Document, other: Document): Normalized {
  const copy = simplify(document, other) as Document;
  const moved = new Map<string, string>();
  for (const { path, method, item, operation } of listOperations(copy)) {
    const own = operation.parameters ?? [];
    const inherited = (item.parameters ?? [])
      .map((parameter, i) => [parameter, pointerTo('paths', path, 'parameters', i)] as const)
      .filter(([parameter]) => !own.some((other) => identity(copy, other) === identity(copy, parameter)));
    inherited.forEach(([, pointer], i) => moved.set(pointerTo(...operationKeys({ path, method }), 'parameters', own.length + i), pointer));
    if (inherited.length > 0) operation.parameters = [...own, ...inherited.map(([parameter]) => parameter)];
  }
  for (const item of Object.values(copy.paths)) delete item.parameters;
  return { document: { ...copy, openapi: VERSION }, originalPointer: (pointer) => constPointer(document, originalPointer(moved, pointer)) };
}

/** The pointer of the `const` that was written as an `enum`. */
function constPointer(document: Document, pointer: string): string {
  const [keyword, ...parents] = pointerKeys(pointer).reverse();
  const schema = valueAt(document, parents.reverse());
  const isConst = keyword === 'enum' && isObject(schema) && 'const' in schema && !('enum' in schema);
  return isConst ? pointer.replace(/enum$/, 'const') : pointer;
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

/** @param other what the other document has there. @param isMap whether the keys are names, and not keywords. */
function simplify(value: unknown, other: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((part, i) => simplify(part, childOf(other, i)));
  if (typeof value !== 'object' || value === null) return value;
  if (isMap) return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, simplify(child, childOf(other, name))]));
  const reference = referenceOf(value as Fields);
  if (reference !== undefined) {
    // Resolved, one side would be the target, and what the other has beside the reference would be a change of the target.
    const isExtended = isObject(other) && referenceOf(other) === undefined && onlyPart(other) !== undefined;
    return withNullAlternative(isExtended ? { allOf: [reference] } : reference, other);
  }
  const kept = Object.entries(value).filter(([key, child]) => !(key in DEFAULTS && DEFAULTS[key] === child) && !isDefaultStyle(value, key));
  const simplified = kept.map(([key, child]): [string, unknown] => {
    // The engine does not compare values that are objects.
    if (key === 'default' && typeof child === 'object' && child !== null) return [key, JSON.stringify(child)];
    if (VALUES.includes(key) || key.startsWith('x-')) return [key, child];
    return [key, simplify(child, childOf(other, key), MAPS.includes(key))];
  });
  const isOneValue = 'const' in value && !('enum' in value);
  const entries = simplified.map(([key, child]): [string, unknown] => (isOneValue && key === 'const' ? ['enum', [child]] : [key, child]));
  return { ...emptied(value, other), ...Object.fromEntries(entries) };
}

/** Where the other document allows null beside a reference, this one as an `anyOf` too: an alternative more is no other schema. */
function withNullAlternative(reference: Fields, other: unknown): Fields {
  const alternatives = isObject(other) && Array.isArray(other['anyOf']) ? (other['anyOf'] as unknown[]) : [];
  const isNull = (part: unknown) => isObject(part) && part['type'] === 'null';
  return alternatives.length === 2 && alternatives.some(isNull) ? { anyOf: [reference] } : reference;
}

/** What only the other document has, as empty: the engine names what was removed from a list, and of a removed list no part. */
const emptied = (value: object, other: unknown): Fields =>
  Object.fromEntries(
    Object.entries(EMPTY)
      .filter(([key, empty]) => {
        const there = childOf(other, key);
        return !(key in value) && (Array.isArray(empty) ? Array.isArray(there) : isObject(there));
      })
      .map(([key, empty]) => [key, empty]),
  );

const childOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Fields)[key] : undefined;

/** The `$ref` that a schema is, alone or as the only part of an `allOf`, with no more than a description; `undefined` for any other value. */
function referenceOf(value: Fields): Fields | undefined {
  if (!Object.keys(value).every((key) => ['$ref', 'allOf', ...ANNOTATIONS].includes(key))) return undefined;
  return typeof value['$ref'] === 'string' ? { $ref: value['$ref'] } : onlyPart(value);
}

/** The only part of an `allOf`, if it is a `$ref`. */
function onlyPart({ allOf }: Fields): Fields | undefined {
  const [only, ...more] = Array.isArray(allOf) ? (allOf as Fields[]) : [];
  return only !== undefined && more.length === 0 && '$ref' in only ? only : undefined;
}

/** Whether `style` or `explode` of a parameter has its default value (section 4.7.12.2). */
function isDefaultStyle(value: object, key: string): boolean {
  const { in: location, style, explode } = value as Fields;
  if (typeof location !== 'string') return false;
  const defaultStyle = location === 'query' || location === 'cookie' ? 'form' : 'simple';
  return key === 'style' ? style === defaultStyle : key === 'explode' && explode === ((style ?? defaultStyle) === 'form');
}

/** Reports a change of `x-operation-defaults` once, at its line, and not at each operation that it changes. */
const KEY = 'x-operation-defaults';

/** A change as it is detected, and as it is reported. */
export type Reported = readonly [DetectedChange, BreakingChange];

/** A change as it is reported, and as it was detected: in several places, if one change of an entry makes it there. */
export interface DetectedBreak {
  readonly change: BreakingChange;
  readonly detected: readonly DetectedChange[];
}

/**
 * The changes, where those that one change of an entry makes in several operations are one.
 *
 * @param formatSubject the operation of a pointer, to begin a sentence with.
 */
export function mergeChangedDefaults(
  base: SourceDocument,
  working: SourceDocument,
  changes: readonly Reported[],
  formatSubject: (pointer: string) => string,
): DetectedBreak[] {
  const alone = ([detected, change]: Reported): DetectedBreak => ({ change, detected: [detected] });
  // Else the cause is in the operations: another parameter, a condition that they no longer meet, an opt-out.
  if (isDeepStrictEqual(base.written[KEY], working.written[KEY])) return changes.map(alone);
  const groups = new Map<unknown, Reported[]>();
  for (const reported of changes) {
    const [{ rule, message }] = reported;
    const origin = originOf(base, working, reported[0]);
    const key = origin === undefined ? reported : `${rule} ${message} ${origin}`;
    groups.set(key, [...(groups.get(key) ?? []), reported]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Reported, ...Reported[]];
    const [detected, change] = first;
    const origin = originOf(base, working, detected);
    if (origin === undefined) return alone(first);
    const subjects = new Set(group.map(([{ base: before, working: after }]) => formatSubject(after ?? before ?? '#')));
    const more = subjects.size === 1 ? '' : `, and in ${plural(subjects.size - 1, 'more place')}`;
    const keys = pointerKeys(origin);
    const merged = {
      ...change,
      change: change.change.replace(/\.$/, `${more}.`),
      at: origin,
      // Behind an entry that was added or removed another one has this index.
      working: working.locate(detected.working === undefined && lengthOf(base) !== lengthOf(working) ? [KEY] : keys),
    };
    return { change: merged, detected: group.map(([one]) => one) };
  });
}

const lengthOf = ({ written }: SourceDocument): number => (Array.isArray(written[KEY]) ? written[KEY].length : 0);

/** The pointer of what was changed in an entry; `undefined` for a change elsewhere. */
function originOf(base: SourceDocument, working: SourceDocument, change: DetectedChange): string | undefined {
  const [source, pointer] = change.working === undefined ? [base, change.base] : [working, change.working];
  const path = source.writtenAt(pointerKeys(pointer ?? '#'));
  return path[0] === KEY ? pointerTo(...path) : undefined;
}
