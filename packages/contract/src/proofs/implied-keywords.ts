/** Which keywords hold for every value of a way: one test for each keyword that validates. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Schema } from '../document/openapi.ts';
import { isConstrainingFormat } from '../schema/formats.ts';
import type { Given, Keywords, Way } from './schema-ways.ts';
import {
  highest,
  isClosed,
  isOfType,
  itemsAt,
  lowest,
  matchesPattern,
  namesIn,
  patternsIn,
  propertiesIn,
  record,
  requiredIn,
  restOf,
  schemasOf,
  typeOfValue,
  typesIn,
  valuesIn,
  type WayValues,
} from './way-values.ts';

export interface Proofs {
  readonly accepts: (narrow: Given, wide: Given) => boolean;
  readonly acceptsStrictly: (narrow: Given, wide: Given) => boolean;
  readonly join: (schemas: readonly Given[]) => Given;
  readonly isDisjoint: (parts: readonly Keywords[], excluded: Given) => boolean;
  readonly isSame: (one: unknown, other: unknown) => boolean;
}

type Test = (values: WayValues, given: never, part: Keywords, sets: Proofs) => boolean;

/** A test of what only values of some types have; listed values are tried one by one. */
const of =
  (types: readonly string[], test: Test, tryValue?: (value: never, given: never) => boolean): Test =>
  (values, given, part, sets) => {
    if (!typesIn(values).some((type) => types.includes(type))) return true;
    const list = tryValue && valuesIn(values);
    if (list !== undefined && tryValue !== undefined)
      return list.every((value) => !types.includes(typeOfValue(value)) || tryValue(value as never, given));
    return test(values, given, part, sets);
  };

const NUMBERS = ['number', 'integer'];
const number = (test: (parts: readonly Keywords[], limit: number) => boolean, tryValue: (value: number, limit: number) => boolean): Test =>
  of(NUMBERS, ({ parts }, limit: number) => test(parts, limit), tryValue);
const sized = (keyword: string, types: readonly string[], size: (value: never) => number): Test => {
  const isLower = keyword.startsWith('min');
  const holds = (actual: number, limit: number) => (isLower ? actual >= limit : actual <= limit);
  return of(
    types,
    ({ parts }, limit: number) =>
      limit === 0 && isLower ? true : holds(isLower ? lowest(parts, keyword) : highest(parts, keyword), limit),
    (value: never, limit: number) => holds(size(value), limit),
  );
};

const length = (text: string) => Array.from(text).length;
const isMultiple = (value: number, of: number) => Number.isInteger(value / of) || Math.abs(value / of - Math.round(value / of)) < 1e-9;

const NUMERIC = ['int32', 'int64', 'float', 'double'];
/** Formats whose values are all of another one. */
const WIDER: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

/** Whether the bounds leave no integer beyond those of the format. */
const isWithin = (values: WayValues, format: string): boolean => {
  const { parts } = values;
  if (typesIn(values).join() !== 'integer') return false;
  const limit = format === 'int32' ? 2 ** 31 : format === 'int64' ? 2 ** 63 : 0;
  return lowest(parts, 'minimum') >= -limit && highest(parts, 'maximum') < limit;
};

const KEYWORD_TESTS: Readonly<Record<string, Test>> = {
  type: (values, type: string | string[]) => typesIn(values).every((one) => isOfType(one, [type].flat())),
  enum: (values, list: readonly unknown[]) => isListed(values, list),
  const: (values, value: unknown) => isListed(values, [value]),
  not: ({ parts }, excluded: Given, _part, sets) => sets.isDisjoint(parts, excluded),
  minimum: number(
    (parts, limit) => Math.max(lowest(parts, 'minimum'), lowest(parts, 'exclusiveMinimum')) >= limit,
    (value, limit) => value >= limit,
  ),
  maximum: number(
    (parts, limit) => Math.min(highest(parts, 'maximum'), highest(parts, 'exclusiveMaximum')) <= limit,
    (value, limit) => value <= limit,
  ),
  exclusiveMinimum: number(
    (parts, limit) => lowest(parts, 'minimum') > limit || lowest(parts, 'exclusiveMinimum') >= limit,
    (value, limit) => value > limit,
  ),
  exclusiveMaximum: number(
    (parts, limit) => highest(parts, 'maximum') < limit || highest(parts, 'exclusiveMaximum') <= limit,
    (value, limit) => value < limit,
  ),
  multipleOf: of(
    NUMBERS,
    (values, step: number) => {
      const isWhole = !typesIn(values).includes('number');
      const steps = [
        ...(isWhole ? [1] : []),
        ...values.parts.flatMap((part) => (typeof part['multipleOf'] === 'number' ? [part['multipleOf']] : [])),
      ];
      return steps.some((one) => isMultiple(one, step));
    },
    (value: number, step: number) => isMultiple(value, step),
  ),
  minLength: sized('minLength', ['string'], length),
  maxLength: sized('maxLength', ['string'], length),
  pattern: of(
    ['string'],
    ({ parts }, pattern: string) => parts.some((part) => part['pattern'] === pattern),
    (value: string, pattern: string) => matchesPattern(pattern, value),
  ),
  format: (values, format: string) => {
    const types = NUMERIC.includes(format) ? NUMBERS : ['string'];
    // Every number is a double.
    if (format === 'double' || !isConstrainingFormat(format) || !typesIn(values).some((type) => types.includes(type))) return true;
    return values.parts.some((part) => part['format'] === format || WIDER[part['format'] as string] === format) || isWithin(values, format);
  },
  minItems: sized('minItems', ['array'], (list: readonly unknown[]) => list.length),
  maxItems: sized('maxItems', ['array'], (list: readonly unknown[]) => list.length),
  uniqueItems: of(
    ['array'],
    ({ parts }, isUnique: boolean) => !isUnique || parts.some((part) => part['uniqueItems'] === true) || highest(parts, 'maxItems') <= 1,
  ),
  items: of(['array'], ({ parts }, schema: Given, part, sets) => {
    if (highest(parts, 'maxItems') === 0) return true;
    const first = ((part['prefixItems'] as Given[] | undefined) ?? []).length;
    const longest = Math.max(first, ...parts.map((one) => ((one['prefixItems'] as Given[] | undefined) ?? []).length));
    const places = Array.from({ length: longest + 1 - first }, (_, i) => first + i);
    return places.every((place) => sets.accepts(sets.join(itemsAt(parts, place)), schema));
  }),
  prefixItems: of(['array'], ({ parts }, schemas: readonly Given[], _part, sets) =>
    schemas.every((schema, place) => highest(parts, 'maxItems') <= place || sets.accepts(sets.join(itemsAt(parts, place)), schema)),
  ),
  contains: of(['array'], ({ parts }, schema: Given, part, sets) => {
    const { minContains = 1, maxContains } = part as { minContains?: number; maxContains?: number };
    if (minContains === 0 && maxContains === undefined) return true;
    return parts.some((other) => {
      const { minContains: least = 1, maxContains: most = Infinity } = other as { minContains?: number; maxContains?: number };
      return (
        other['contains'] !== undefined &&
        least >= minContains &&
        most <= (maxContains ?? Infinity) &&
        sets.isSame(other['contains'], schema)
      );
    });
  }),
  unevaluatedItems: of(['array'], ({ parts }, schema: Given, _part, sets) =>
    parts.some((part) => sets.isSame(part['unevaluatedItems'] ?? part['items'], schema)),
  ),
  required: of(['object'], ({ parts }, names: readonly string[]) => names.every((name) => requiredIn(parts).includes(name))),
  properties: of(['object'], ({ parts }, schemas: Readonly<Record<string, Given>>, _part, sets) =>
    Object.entries(schemas).every(([name, schema]) => {
      const given = schemasOf(parts, name);
      // What was not declared is not sent, though nothing forbids it.
      return (given.length === 0 && namesIn(parts).length > 0) || sets.accepts(sets.join(given), schema);
    }),
  ),
  patternProperties: of(['object'], ({ parts }, schemas: Readonly<Record<string, Given>>, _part, sets) =>
    Object.entries(schemas).every(([pattern, schema]) => {
      const named = namesIn(parts).filter((name) => matchesPattern(pattern, name));
      const rest = parts.flatMap((part) => patternsIn(part).find(([one]) => one === pattern)?.[1] ?? restOf(part));
      const isFree = rest.length === 0 && namesIn(parts).length > 0;
      return (
        named.every((name) => sets.accepts(sets.join(schemasOf(parts, name)), schema)) && (isFree || sets.accepts(sets.join(rest), schema))
      );
    }),
  ),
  additionalProperties: of(['object'], ({ parts, side }, schema: Given, part, sets) => {
    const isNamed = (name: string) =>
      Object.hasOwn(propertiesIn(part), name) || patternsIn(part).some(([pattern]) => matchesPattern(pattern, name));
    // Clients ignore what they do not know yet.
    const names = namesIn(parts).filter((name) => !isNamed(name) && !(side === 'received' && schema === false));
    const patterns = parts.flatMap(patternsIn).filter(([pattern]) => !patternsIn(part).some(([one]) => one === pattern));
    const rest = parts.flatMap(restOf);
    return (
      names.every((name) => sets.accepts(sets.join(schemasOf(parts, name)), schema)) &&
      patterns.every(([, one]) => sets.accepts(one, schema)) &&
      sets.accepts(sets.join(rest), schema)
    );
  }),
  propertyNames: of(['object'], ({ parts }, schema: Given, _part, sets) => {
    const given = parts.flatMap((part) => (part['propertyNames'] === undefined ? [] : [part['propertyNames'] as Given]));
    if (isClosed(parts)) return namesIn(parts).every((name) => sets.acceptsStrictly({ const: name } as Schema, schema));
    return given.length > 0 && sets.acceptsStrictly(sets.join(given), schema);
  }),
  minProperties: of(['object'], ({ parts }, least: number) => Math.max(lowest(parts, 'minProperties'), requiredIn(parts).length) >= least),
  maxProperties: of(
    ['object'],
    ({ parts }, most: number) => Math.min(highest(parts, 'maxProperties'), isClosed(parts) ? namesIn(parts).length : Infinity) <= most,
  ),
  dependentRequired: of(['object'], ({ parts }, needs: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(needs).every(([name, names]) => {
      const given = parts.flatMap((part) => (record(part, 'dependentRequired') as unknown as Record<string, string[]>)[name] ?? []);
      return schemasOf(parts, name).includes(false) || names.every((one) => given.includes(one) || requiredIn(parts).includes(one));
    }),
  ),
  dependentSchemas: of(['object'], ({ parts }, schemas: Readonly<Record<string, Given>>, _part, sets) =>
    Object.entries(schemas).every(([name, schema]) => parts.some((part) => sets.isSame(record(part, 'dependentSchemas')[name], schema))),
  ),
  $dynamicRef: ({ parts }, reference: string) => parts.some((part) => part['$dynamicRef'] === reference),
};

function isListed(values: WayValues, list: readonly unknown[]): boolean {
  const own =
    valuesIn(values) ??
    (typesIn(values).every((type) => SMALL[type] !== undefined) ? typesIn(values).flatMap((type) => SMALL[type] ?? []) : undefined);
  return own?.every((value) => list.some((other) => isDeepStrictEqual(value, other))) === true;
}

/** Types of few values. */
const SMALL: Readonly<Record<string, readonly unknown[]>> = { null: [null], boolean: [true, false] };

/** Whether a keyword of a part holds for all values. One without a test says nothing of a value. */
export function impliesKeyword(values: WayValues, keyword: string, part: Keywords, sets: Proofs): boolean {
  const given = part[keyword];
  // The same bound holds, whether the other keywords leave it a value or not.
  if (given === undefined || (['number', 'string'].includes(typeof given) && values.parts.some((one) => one[keyword] === given)))
    return true;
  return KEYWORD_TESTS[keyword]?.(values, given as never, part, sets) !== false;
}

const MAX_VALUES = 60;

/** Divides values by their type, or by the listed values of one of their properties, so that each part may be valid in another way. */
export function splitWay(values: WayValues, ways: readonly Way[]): readonly Keywords[] {
  const types = typesIn(values);
  if (types.length > 1) return types.map((type) => ({ type }));
  const own = valuesIn(values);
  if (own !== undefined && own.length > 1 && own.length <= MAX_VALUES) return own.map((value) => ({ const: value }));
  const names = new Set(ways.flatMap(({ parts }) => namesIn(parts)));
  for (const name of names) {
    const parts = schemasOf(values.parts, name).filter((schema): schema is Schema => isObject(schema));
    const list = valuesIn({ ...values, parts: parts as Keywords[] });
    if (list === undefined || list.length < 2 || list.length > MAX_VALUES) continue;
    const absent = requiredIn(values.parts).includes(name) ? [] : [{ properties: { [name]: false } }];
    return [...list.map((value) => ({ properties: { [name]: { const: value } }, required: [name] })), ...absent];
  }
  return [];
}
