/** Converts text to the values that schemas declare, strictly: parameters and forms are text only. */
import type { Document, Schema } from '../document/openapi.ts';
import { schemaShape } from '../schema/schema-shape.ts';
import { hasNativeValues } from '../schema/native-values.ts';
import { isNullable } from '../schema/model.ts';
import { alterationOf, MAX_INT64_LENGTH, MIN_INEXACT_DIGITS } from '../json/altered-numbers.ts';

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

/** Text that has been split already: by delimiters, brackets or repeated names. */
export type RawValue = string | readonly RawValue[] | { readonly [name: string]: RawValue };

/** Reports a problem. `path` is below the value: `/0`, `/name`. */
export type ReportProblem = (message: string, path: string) => void;

/** The shape of values that are written as text. The shapes of their parts are made when they are asked for: a schema may contain itself. */
export interface ValueShape {
  /** Empty: any type. */
  readonly types: ReadonlySet<string>;
  readonly propertyNames: readonly string[];
  readonly isOpen: boolean;
  readonly isNullable: boolean;
  readonly item: () => ValueShape;
  readonly property: (name: string) => ValueShape;
  readonly isBigInteger: boolean;
  readonly isDateObject: boolean;
  /** Whether it or a value in it is either. */
  readonly hasNativeValues: boolean;
}

// Only what JSON calls a number: no blanks, no hexadecimal, no leading zeros (RFC 8259, section 6).
const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export function createValueShape(document: Document, ...schemas: readonly Schema[]): ValueShape {
  const { types, properties, additionalProperties, items, isOpen, isBigInteger, isDateObject } = schemaShape(document, schemas);
  const cache = new Map<string, ValueShape>();
  const cached = (key: string, parts: readonly Schema[]): ValueShape => {
    const shape = cache.get(key) ?? createValueShape(document, ...parts);
    cache.set(key, shape);
    return shape;
  };
  let hasNative: boolean | undefined;
  return {
    types,
    propertyNames: [...properties.keys()],
    isOpen,
    item: () => cached('[]', items),
    get isNullable() {
      return schemas.length > 0 && schemas.every((schema) => isNullable(document, schema));
    },
    isBigInteger,
    isDateObject,
    get hasNativeValues() {
      return (hasNative ??= hasNativeValues(document, schemas));
    },
    property: (name) => (properties.has(name) ? cached(`.${name}`, properties.get(name) ?? []) : cached('*', additionalProperties)),
  };
}

/** The value that the text stands for. A part with a problem keeps its text. */
export function convertValue(shape: ValueShape, raw: RawValue, report: ReportProblem, path = ''): unknown {
  const isList = shape.types.has('array');
  if (typeof raw === 'string') {
    // A list of one item is written as the item.
    if (isList && !hasScalar(shape)) return convertValue(shape, [raw], report, path);
    return convertScalar(shape, raw, (message) => report(message, path));
  }
  if (Array.isArray(raw)) {
    const list = raw as readonly RawValue[];
    if (!isList && shape.types.size > 0) {
      report('must be given once', path);
      return list[0];
    }
    return list.map((part, i) => convertValue(shape.item(), part, report, `${path}/${i}`));
  }
  const named = raw as Readonly<Record<string, RawValue>>;
  return Object.fromEntries(
    Object.entries(named).map(([name, part]) => [name, convertValue(shape.property(name), part, report, `${path}/${name}`)]),
  );
}

export const hasScalar = ({ types }: ValueShape): boolean => ['string', 'integer', 'number', 'boolean'].some((type) => types.has(type));

/** A scalar of one of the types; a string if any type is allowed. Nothing is null where null is allowed and a string is not. */
function convertScalar(shape: ValueShape, value: string, report: (message: string) => void): unknown {
  const { types } = shape;
  if (value === '' && types.size > 0 && !types.has('string') && shape.isNullable) return null;
  const converted = scalarOf(shape, value);
  if (converted !== undefined) return converted;
  const scalarTypes = [...types].filter((type): type is Scalar => ['string', 'integer', 'number', 'boolean'].includes(type));
  const altered = isNumeric(types, value) ? alterationOf(value) : undefined;
  if (altered !== undefined) report(altered);
  else if (scalarTypes.length > 0) report(`must be ${scalarTypes.join(' or ')}`);
  return value;
}

const isNumeric = (types: ReadonlySet<string>, value: string): boolean =>
  (types.has('integer') && INTEGER.test(value)) || (types.has('number') && NUMBER.test(value));

/** As `scalarOf`, for many texts of one shape. @param other gives the value of a text that is of none of the types. */
export function createScalarReader(shape: ValueShape, other: (text: string) => unknown = () => undefined): (text: string) => unknown {
  const [type, ...others] = shape.types;
  if (others.length === 0 && !shape.isBigInteger) {
    if (type === undefined || type === 'string') return String;
    if (type === 'integer')
      return (text) => (text.length < MIN_INEXACT_DIGITS && INTEGER.test(text) ? Number(text) : (scalarOf(shape, text) ?? other(text)));
  }
  return (text) => scalarOf(shape, text) ?? other(text);
}

/** `undefined` if the text is of none of the types, as one that is no string and would be altered as a number. */
export function scalarOf({ types, isBigInteger }: ValueShape, value: string): string | number | bigint | boolean | undefined {
  if (isBigInteger && INTEGER.test(value) && value.length <= MAX_INT64_LENGTH) return BigInt(value);
  // As most are.
  if (value.length < MIN_INEXACT_DIGITS && INTEGER.test(value) && (types.has('integer') || types.has('number'))) return Number(value);
  if (isNumeric(types, value) && alterationOf(value) === undefined) return Number(value);
  return booleanOrText(types, value);
}

function booleanOrText(types: ReadonlySet<string>, value: string): string | boolean | undefined {
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return types.has('string') || types.size === 0 ? value : undefined;
}
