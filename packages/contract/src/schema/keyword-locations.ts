/** Where in a schema the keywords are that say something: a problem quotes their line. */
import { examplesOf, limitsOf, valuesOf } from './model.ts';
import type { Schema } from '../document/openapi.ts';

export type LocatedValue = readonly [keys: readonly (string | number)[], value: unknown];

/** The values that are allowed, each where it is: in `enum`, or as `const`. */
export const locateValues = (schema: Schema): readonly LocatedValue[] => locate(schema, valuesOf(schema) ?? [], 'enum', 'const');

/** The examples of a schema, each where it is: in `examples`, or as `example`. */
export const locateExamples = (schema: Schema): readonly LocatedValue[] => locate(schema, examplesOf(schema), 'examples', 'example');

const locate = (schema: Schema, values: readonly unknown[], list: string, single: string): readonly LocatedValue[] => {
  const isList = Array.isArray((schema as Record<string, unknown>)[list]);
  return values.map((value, i) => [isList ? [list, i] : [single], value]);
};

/** Whether a schema has the keyword that a validator names: to find where a value is refused. */
export const hasKeyword = (schema: Schema, keyword: string): boolean => (schema as Record<string, unknown>)[keyword] !== undefined;

/** Keywords that are about objects alone: without `type` they let every other value through. */
const OBJECT_KEYWORDS = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'dependentSchemas',
  'dependentRequired',
  'minProperties',
  'maxProperties',
];

/** The first keyword of a schema that is about objects alone. */
export const objectKeywordOf = (schema: Schema): string | undefined => OBJECT_KEYWORDS.find((keyword) => hasKeyword(schema, keyword));

/** The least or the greatest number that a schema allows, and the keyword that says it. */
export interface Bound {
  readonly keyword: 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum';
  readonly value: number;
  readonly exclusive: boolean;
}

/** The bounds of a number: of an inclusive and an exclusive one the narrower. */
export function boundsOf(schema: Schema): { readonly lower?: Bound; readonly upper?: Bound } {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = limitsOf(schema);
  const isLowerExclusive = exclusiveMinimum !== undefined && (minimum === undefined || exclusiveMinimum >= minimum);
  const isUpperExclusive = exclusiveMaximum !== undefined && (maximum === undefined || exclusiveMaximum <= maximum);
  const lower: Bound | undefined = isLowerExclusive
    ? { keyword: 'exclusiveMinimum', value: exclusiveMinimum, exclusive: true }
    : minimum === undefined
      ? undefined
      : { keyword: 'minimum', value: minimum, exclusive: false };
  const upper: Bound | undefined = isUpperExclusive
    ? { keyword: 'exclusiveMaximum', value: exclusiveMaximum, exclusive: true }
    : maximum === undefined
      ? undefined
      : { keyword: 'maximum', value: maximum, exclusive: false };
  return { ...(lower && { lower }), ...(upper && { upper }) };
}
