/** What the values of a request are built from, and which of its optional parts they have. */
import { type Direction, conditionOf, dependentSchemasOf } from '@specwright/contract/document';
import type { Json } from '../document.ts';
import { type SchemaView, type Schemas, locate } from '../../../schema/schema-view.ts';

export interface BuildOptions {
  readonly document: Json;
  /** A request has no properties that are only read, a response none that are only written. */
  readonly direction: Direction;
  readonly isValid: (schemas: Schemas, value: unknown) => boolean;
  /** Which optional properties there are: `given`: those of the request that is given. */
  readonly include: 'all' | 'given' | 'none';
  /** Values by place, such as `body/status`. */
  readonly picks: ReadonlyMap<string, unknown>;
  /** Branches of unions by place and pointer, see `branchKey`. */
  readonly branches: ReadonlySet<string>;
  /** Places that there have to be, beside those of `picks` and `branches`. */
  readonly present: readonly string[];
  /** Places that are left out where they are optional. */
  readonly omitted: readonly string[];
  /** For values that differ from seed to seed, as records do, and of which a list has several. Default: the same wherever they are. */
  readonly seed?: number;
  /** Whether examples of schemas are left out. */
  readonly ignoreExamples?: boolean;
  /** The place whose value has to be another one than is stored, even where the calls that succeed have that one. */
  readonly changed?: string;
}

/** What a value is taken from, in this order. */
export interface Sources {
  /** Of a request that is known to succeed: it decides what `given` includes. */
  readonly base?: unknown;
  /** Of such requests too. They are chosen with care: what refers to something refers to what there is. */
  readonly given: readonly unknown[];
  readonly examples: readonly unknown[];
  /** What is stored: another value is taken where the schema has one, because an equal one proves nothing. */
  readonly before?: unknown;
}

export type BuildPart = (schemas: Schemas, place: string, sources: Sources) => unknown;

/** No value can be made: the message says where and what to do. */
export class NoValueError extends Error {}

const MAX_TRIED = 200;

/** @param tried a value that was not valid. @param problem what is wrong with it. */
export function noValue(place: string, tried: unknown, problem?: string): NoValueError {
  const found = [
    ...(problem === undefined ? [] : [problem.trim()]),
    ...(tried === undefined ? [] : [`tried ${JSON.stringify(tried).slice(0, MAX_TRIED)}`]),
  ];
  const why = found.length === 0 ? '' : ` (${found.join('; ')})`;
  return new NoValueError(`no value can be made for ${place}${why}: add an example to the contract`);
}

/** @returns `undefined` if no value can be made, or a reference leads nowhere. */
export function orNothing<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** A schema that is inside of itself: where it is optional there is an end. */
export class EndlessError extends NoValueError {}

export const branchKey = (place: string, { pointer }: { readonly pointer: string }): string => `${place} ${pointer}`;

export const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined;

export const descend = ({ base, given, examples, before }: Sources, name: string): Sources => ({
  base: inside(base, name),
  given: given.map((source) => inside(source, name)).filter((source) => source !== undefined),
  examples: examples.map((source) => inside(source, name)).filter((source) => source !== undefined),
  before: inside(before, name),
});

/** Which schemas apply to a value for what it is: `then` or `else`, and those that a property brings with it. */
export function appliedSchemas({ isValid }: Pick<BuildOptions, 'isValid'>, { parts }: SchemaView, value: unknown): Schemas {
  return parts.flatMap(({ value: schema, pointer }) => {
    const dependent = Object.entries(dependentSchemasOf(schema)).flatMap(([name, one]) =>
      inside(value, name) === undefined ? [] : [locate(one, pointer, 'dependentSchemas', name)],
    );
    const condition = conditionOf(schema);
    if (condition === undefined) return dependent;
    const branch = isValid([locate(condition.if, pointer, 'if')], value) ? 'then' : 'else';
    const applied = condition[branch];
    return applied === undefined ? dependent : [...dependent, locate(applied, pointer, branch)];
  });
}
