/** The values of a way: their types, listed values, bounds, and what is said of each property. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../document/openapi.ts';
import { compilePattern } from '../patterns/pattern.ts';
import type { Given, Keywords, Side } from './schema-ways.ts';

export interface WayValues {
  readonly parts: readonly Keywords[];
  readonly side: Side;
}

/** Whether a text matches; `false` for a pattern that cannot be read. */
export const matchesPattern = (pattern: string, text: string): boolean => compilePattern(pattern)?.expression.test(text) === true;

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string'] as const;

/** Integers are numbers. */
export const isOfType = (type: string, allowed: readonly string[]) =>
  allowed.includes(type) || (type === 'integer' && allowed.includes('number'));

export const typeOfValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

export function typesIn({ parts }: WayValues): readonly string[] {
  let types: readonly string[] = TYPES;
  for (const { type } of parts) {
    if (type === undefined) continue;
    const given = (Array.isArray(type) ? type : [type]) as string[];
    types = [...new Set([...types.filter((one) => isOfType(one, given)), ...given.filter((one) => isOfType(one, types))])];
  }
  const values = listed(parts);
  if (values !== undefined) types = [...new Set(values.map(typeOfValue))].filter((one) => isOfType(one, types));
  return types.includes('number') ? types.filter((one) => one !== 'integer') : types;
}

/** The values that are listed, by `enum` and `const`; `undefined` without a list. */
function listed(parts: readonly Keywords[]): readonly unknown[] | undefined {
  let values: readonly unknown[] | undefined;
  for (const part of parts)
    for (const list of [part['enum'], 'const' in part ? [part['const']] : undefined]) {
      if (!Array.isArray(list)) continue;
      values = values === undefined ? list : values.filter((value) => list.some((other) => isDeepStrictEqual(value, other)));
    }
  return values;
}

export const valuesIn = (values: WayValues): readonly unknown[] | undefined => {
  const types = typesIn(values);
  return listed(values.parts)?.filter((value) => isOfType(typeOfValue(value), types));
};

/** Whether all values are objects. */
export const isObjectAlone = (values: WayValues): boolean => typesIn(values).join() === 'object';

export function isEmpty(values: WayValues): boolean {
  const { parts } = values;
  if (typesIn(values).length === 0 || valuesIn(values)?.length === 0) return true;
  if (parts.some((part) => part['not'] === true || (isObject(part['not']) && Object.keys(part['not']).length === 0))) return true;
  if (RANGES.some((range) => isOutOfRange(values, range)) || hasTwoFormats(values)) return true;
  if (!isObjectAlone(values)) return false;
  return requiredIn(parts).some((name) => {
    const schemas = schemasOf(parts, name).filter((schema) => isObject(schema) || schema === false);
    return schemas.includes(false) || valuesIn({ ...values, parts: schemas as Keywords[] })?.length === 0;
  });
}

type Range = readonly [types: readonly string[], least: string, most: string];
const RANGES: readonly Range[] = [
  [['number', 'integer'], 'minimum', 'maximum'],
  [['string'], 'minLength', 'maxLength'],
  [['array'], 'minItems', 'maxItems'],
  [['object'], 'minProperties', 'maxProperties'],
];

const isOutOfRange = (values: WayValues, [types, least, most]: Range): boolean =>
  typesIn(values).every((type) => types.includes(type)) && lowest(values.parts, least) > highest(values.parts, most);

/** Formats of which no text has two. */
const EXCLUSIVE_FORMATS: readonly unknown[] = ['date', 'date-time', 'uuid', 'email', 'ipv4', 'ipv6'];

const hasTwoFormats = (values: WayValues): boolean =>
  typesIn(values).join() === 'string' &&
  new Set(values.parts.flatMap(({ format }) => (EXCLUSIVE_FORMATS.includes(format) ? [format] : []))).size > 1;

export const requiredIn = (parts: readonly Keywords[]): string[] => [
  ...new Set(parts.flatMap((part) => (part['required'] as string[] | undefined) ?? [])),
];
export const record = (part: Keywords, keyword: string): Readonly<Record<string, Given>> =>
  isObject(part[keyword]) ? (part[keyword] as Record<string, Given>) : {};
export const propertiesIn = (part: Keywords) => record(part, 'properties');
export const patternsIn = (part: Keywords) => Object.entries(record(part, 'patternProperties'));

/** What a part says of a property; `undefined` if nothing. */
export function schemasAt(part: Keywords, name: string): readonly Given[] {
  const own = Object.hasOwn(propertiesIn(part), name) ? [propertiesIn(part)[name] as Given] : [];
  const named = [...own, ...patternsIn(part).flatMap(([pattern, schema]) => (matchesPattern(pattern, name) ? [schema] : []))];
  return named.length > 0 ? named : restOf(part);
}
export const restOf = (part: Keywords): readonly Given[] =>
  part['additionalProperties'] === undefined ? [] : [part['additionalProperties'] as Given];
export const schemasOf = (parts: readonly Keywords[], name: string): readonly Given[] => parts.flatMap((part) => schemasAt(part, name));

export const namesIn = (parts: readonly Keywords[]) => [...new Set(parts.flatMap((part) => Object.keys(propertiesIn(part))))];
export const isClosed = (parts: readonly Keywords[]) =>
  parts.some((part) => part['additionalProperties'] === false && patternsIn(part).length === 0);

/** The tightest of a bound. */
const bound = (parts: readonly Keywords[], keyword: string, tightest: (...values: number[]) => number, none: number): number =>
  tightest(none, ...parts.flatMap((part) => (typeof part[keyword] === 'number' ? [part[keyword]] : [])));

export const lowest = (parts: readonly Keywords[], keyword: string) => bound(parts, keyword, Math.max, -Infinity);
export const highest = (parts: readonly Keywords[], keyword: string) => bound(parts, keyword, Math.min, Infinity);

export const itemsAt = (parts: readonly Keywords[], place: number): readonly Given[] =>
  parts.flatMap((part) => {
    const first = (part['prefixItems'] as Given[] | undefined)?.[place] ?? part['items'];
    return first === undefined ? [] : [first as Given];
  });
