/** Turns text into the values that schemas declare, strictly: in parameters and in forms nothing else tells their types. */
import { resolve, type Document, type Schema } from './openapi.ts';

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

/** What has been split into parts already: by delimiters, brackets or repeated names. */
export type RawValue = string | readonly RawValue[] | { readonly [name: string]: RawValue };

/** Says what is wrong, and where below the value: `/0`, `/name`. */
export type ReportProblem = (message: string, at: string) => void;

/** What a schema says about the values it allows, seen through references and compositions. */
export interface Shape {
  readonly types: ReadonlySet<string>;
  readonly names: readonly string[];
  /** Whether a property that is not named has a schema too. */
  readonly isOpen: boolean;
  readonly item: () => Shape;
  readonly property: (name: string) => Shape;
}

// Only what JSON calls a number: no blanks, no hexadecimal, no leading zeros (RFC 8259, section 6).
const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export function shapeOf(document: Document, ...schemas: readonly Schema[]): Shape {
  const types = new Set<string>();
  const items: Schema[] = [];
  const others: Schema[] = [];
  const properties = new Map<string, Schema[]>();
  let isOpen = false;
  const seen = new Set<Schema>();
  const add = (part: Schema): void => {
    const own = resolve<Schema>(document, part);
    // A composition that contains itself says nothing new.
    if (seen.has(own)) return;
    seen.add(own);
    if (own.type !== undefined) types.add(own.type);
    else if (own.properties !== undefined) types.add('object');
    if (own.items !== undefined) items.push(own.items);
    for (const [name, property] of Object.entries(own.properties ?? {})) properties.set(name, [...(properties.get(name) ?? []), property]);
    if (typeof own.additionalProperties === 'object') others.push(own.additionalProperties);
    isOpen ||= typeof own.additionalProperties === 'object' || own.additionalProperties === true;
    for (const child of [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])]) add(child);
  };
  for (const schema of schemas) add(schema);
  // Made when they are asked for: a schema may contain itself.
  const known = new Map<string, Shape>();
  const once = (key: string, parts: readonly Schema[]): Shape => {
    const shape = known.get(key) ?? shapeOf(document, ...parts);
    known.set(key, shape);
    return shape;
  };
  return {
    types,
    names: [...properties.keys()],
    isOpen,
    item: () => once('[]', items),
    property: (name) => (properties.has(name) ? once(`.${name}`, properties.get(name) ?? []) : once('*', others)),
  };
}

/** The value that the parts are written for. What has a problem keeps its text. */
export function convertValue(shape: Shape, parts: RawValue, problem: ReportProblem, at = ''): unknown {
  const isList = shape.types.has('array');
  if (typeof parts === 'string') {
    // A list of one is written as its item.
    if (isList && !isScalar(shape)) return convertValue(shape, [parts], problem, at);
    return convertScalar(shape.types, parts, (message) => problem(message, at));
  }
  if (Array.isArray(parts)) {
    const list = parts as readonly RawValue[];
    if (!isList && shape.types.size > 0) {
      problem('must be given once', at);
      return list[0];
    }
    return list.map((part, i) => convertValue(shape.item(), part, problem, `${at}/${i}`));
  }
  const named = parts as Readonly<Record<string, RawValue>>;
  return Object.fromEntries(
    Object.entries(named).map(([name, part]) => [name, convertValue(shape.property(name), part, problem, `${at}/${name}`)]),
  );
}

const isScalar = ({ types }: Shape): boolean => ['string', 'integer', 'number', 'boolean'].some((type) => types.has(type));

/** A scalar of one of the types. None named: any, read as a string. */
function convertScalar(types: ReadonlySet<string>, value: string, problem: (message: string) => void): unknown {
  if (types.has('integer') && INTEGER.test(value)) return Number(value);
  if (types.has('number') && NUMBER.test(value)) return Number(value);
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  const named = [...types].filter((type): type is Scalar => ['string', 'integer', 'number', 'boolean'].includes(type));
  if (named.length > 0 && !named.includes('string')) problem(`must be ${named.join(' or ')}`);
  return value;
}
