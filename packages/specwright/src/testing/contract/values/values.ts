/** Values that fit a schema: its example or default, or else generated ones, the same in every run. */
import { declaredDefault, examplesOf, valuesOf, type Direction, type Schema } from '@specwright/contract/document';
import { follow, type Json, type SpecMedia } from '../document.ts';
import { NoValueError } from './build-options.ts';
import { buildValue } from './build-value.ts';
import { schemaCheckOf } from './schema-check.ts';

import { viewSchema } from './schema-view.ts';

/** A value of a schema, and what was wrong with those that the contract gives. */
export interface Sample {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/** @param schema of the document. @param direction in which the value is sent. @throws Error if no value can be made of the schema. */
export const valueOf = async (document: object, schema: Schema | undefined, direction: Direction = 'request'): Promise<unknown> =>
  sampleOf(document as Json, schema, [], 'value', direction).value;

/** The example of a parameter or body, or else a value of its schema. @param place in the notes. @throws Error if no value can be made. */
export const exampleOf = (document: Json, media: SpecMedia, place: string): Sample =>
  sampleOf(document, media.schema, exampleValues(document, media), place, 'request');

function sampleOf(document: Json, schema: Schema | undefined, examples: readonly unknown[], place: string, direction: Direction): Sample {
  const check = schemaCheckOf(document, direction);
  const located = check.locate(schema ?? {});
  const view = viewSchema(document, [located]);
  const [own] = view.parts;
  // Those of the schema itself: the parts of an `allOf` each have only a piece of it.
  const declared = own === undefined ? [] : [...examplesOf(own.value), declaredDefault(own.value), valuesOf(own.value)?.[0]];
  const given = [...examples, ...declared].filter((value) => value !== undefined && value !== null).flatMap(notationsOf);
  const accepted = given.find((value) => check.isValid([located], value));
  if (accepted !== undefined) return { value: accepted, notes: [] };
  const notes = given.length === 0 ? [] : [refusal(check.problems(located.pointer, given[0]), place)];
  const options = {
    document,
    direction,
    isValid: check.isValid,
    include: 'none',
    picks: new Map(),
    branches: new Set<string>(),
    present: [],
    omitted: [],
  } as const;
  const value = buildValue(options, [located], place, { given: [], examples: [] });
  if (!check.isValid([located], value)) throw new NoValueError(`no value can be made for ${place}: add an example to the contract`);
  return { value, notes };
}

/** A number or boolean that is written as a text is what the text says, and the other way round. */
function notationsOf(value: unknown): unknown[] {
  if (typeof value === 'string' && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value)) return [value, JSON.parse(value)];
  return typeof value === 'number' || typeof value === 'boolean' ? [value, String(value)] : [value];
}

const refusal = ([problem = '']: readonly string[], place: string): string =>
  `the example of ${place} is not valid (${problem.trim()}): a generated value is sent in its place`;

/** The examples of a parameter or body. */
export const exampleValues = (document: Json, { example, examples = {} }: SpecMedia): unknown[] =>
  [example, ...Object.values(examples).map((one) => follow<{ value?: unknown }>(document, one).value.value)].filter(
    (value) => value !== undefined,
  );
