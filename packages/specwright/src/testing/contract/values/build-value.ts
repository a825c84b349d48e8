/** Values that fit a schema: its example or default, or else generated ones, the same in every run. */
import { type Direction, type Schema, declaredDefault, examplesOf, valuesOf } from '@specwright/contract/document';
import { type Json, type SpecMedia, follow } from '../document.ts';
import { buildList } from './build-list.ts';
import { buildObject } from './build-object.ts';
import {
  type BuildOptions,
  type BuildPart,
  EndlessError,
  NoValueError,
  type Sources,
  appliedSchemas,
  branchKey,
  noValue,
  orNothing,
} from './build-options.ts';
import { buildLeaf } from './leaf-values.ts';
import { schemaCheckOf } from './schema-check.ts';
import { type Schemas, type Union, viewSchema } from '../../../schema/schema-view.ts';

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
  const value = buildValue(plainOptions(document, direction), [located], place, { given: [], examples: [] });
  const [problem] = check.problems(located.pointer, value, place);
  if (problem !== undefined) throw noValue(place, value, problem);
  return { value, notes };
}

/** With what is required alone. */
export const plainOptions = (document: Json, direction: Direction): BuildOptions => ({
  document,
  direction,
  isValid: schemaCheckOf(document, direction).isValid,
  include: 'none',
  picks: new Map(),
  branches: new Set(),
  present: [],
  omitted: [],
});

/** A number or boolean that is written as a text is what the text says, and the other way round. */
function notationsOf(value: unknown): unknown[] {
  if (typeof value === 'string' && /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(value)) return [value, JSON.parse(value)];
  return typeof value === 'number' || typeof value === 'boolean' ? [value, String(value)] : [value];
}

const refusal = ([problem = '']: readonly string[], place: string): string =>
  `the example of ${place} is not valid (${problem.trim()}): a generated value is sent in its place`;

export const exampleValues = (document: Json, { example, examples = {} }: SpecMedia): unknown[] =>
  [example, ...Object.values(examples).map((one) => follow<{ value?: unknown }>(document, one).value.value)].filter(
    (value) => value !== undefined,
  );

/** How often a schema may be inside of itself. */
const MAX_NESTED = 2;

/** @throws NoValueError */
export const buildValue = (options: BuildOptions, schemas: Schemas, place: string, sources: Sources): unknown =>
  new ValueBuilder().build(options, schemas, place, sources, []);

/** A value, or why there is none. */
type Made = { readonly value: unknown; readonly isValid: boolean } | { readonly error: NoValueError };
/** `isEndless`: it depends on what it is inside of, as an end was made there. */
type Built = Made & { readonly isEndless: boolean };

/** Keeps what was built: branches that lead to one schema would double the work at each level. */
class ValueBuilder {
  readonly #built = new Map<string, Built>();
  readonly #ids = new Map<unknown, number>();
  /** Schemas that were found inside of themselves without end. */
  #endless = 0;

  /** @param above the pointers of the schemas that it is inside of. @throws NoValueError */
  build(options: BuildOptions, schemas: Schemas, place: string, sources: Sources, above: readonly string[]): unknown {
    if (options.picks.has(place)) return options.picks.get(place);
    const built = this.#builtOf(options, schemas, place, sources, above);
    if ('error' in built) throw built.error;
    return built.value;
  }

  #builtOf(options: BuildOptions, schemas: Schemas, place: string, sources: Sources, above: readonly string[]): Built {
    const key = this.#keyOf(options, schemas, sources);
    const within = ` in ${above.join(' ')}`;
    // What is not valid at one place is not at another one of the same name, unless something is asked for there.
    const failedKey = `${isAskedFor(options, place) ? place : place.slice(place.lastIndexOf('/'))} ${key}`;
    const keys = [`valid ${place} ${key}`, failedKey].flatMap((one) => [one, one + within]);
    const known = keys.map((one) => this.#built.get(one)).find((one) => one !== undefined);
    if (known?.isEndless === true) this.#endless++;
    if (known !== undefined) return known;
    const endless = this.#endless;
    const made = emptiedList(options, schemas, place, this.#make(options, schemas, place, sources, above));
    const built = { ...made, isEndless: this.#endless > endless };
    const ownKey = 'value' in made && made.isValid ? `valid ${place} ${key}` : failedKey;
    this.#built.set(built.isEndless ? ownKey + within : ownKey, built);
    return built;
  }

  #keyOf({ include }: BuildOptions, schemas: Schemas, { base, given, examples, before }: Sources): string {
    const pointers = schemas.map(({ pointer }) => pointer);
    const lists = [given, examples].map((values) => values.map((value) => this.#id(value)).join());
    return [include, ...pointers, ...lists, this.#id(base), this.#id(before)].join(' ');
  }

  #id(value: unknown): number {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }

  #make(options: BuildOptions, schemas: Schemas, place: string, sources: Sources, above: readonly string[]): Made {
    let rejected: { readonly value: unknown } | undefined;
    let failure: NoValueError | undefined;
    for (const choice of branchChoices(options, schemas, place, sources))
      try {
        const value = this.#buildChoice(options, schemas, choice, place, sources, above);
        if (options.isValid(schemas, value)) return { value, isValid: true };
        rejected ??= { value };
      } catch (error) {
        if (!(error instanceof NoValueError)) throw error;
        failure ??= error;
      }
    if (rejected === undefined) return { error: failure ?? noValue(place, undefined) };
    // Optional properties may tell branches apart that all accept an object without any.
    const whole =
      options.include === 'none' ? orNothing(() => this.build({ ...options, include: 'all' }, schemas, place, sources, above)) : undefined;
    // What only a part is wrong with is sent: the response says what.
    const isWhole = whole !== undefined && options.isValid(schemas, whole);
    return { value: isWhole ? whole : rejected.value, isValid: isWhole };
  }

  #buildChoice(
    options: BuildOptions,
    schemas: Schemas,
    { chosen, tags }: BranchChoice,
    place: string,
    sources: Sources,
    above: readonly string[],
  ): unknown {
    const view = viewSchema(options.document, chosen);
    const pointer = view.parts[0]?.pointer ?? '';
    if (above.filter((one) => one === pointer).length >= MAX_NESTED) {
      this.#endless++;
      throw new EndlessError(`${place} is inside of itself without end`);
    }
    const path = [...above, pointer];
    const build: BuildPart = (parts, at, from) => this.build(options, parts, at, from, path);
    const type = view.type ?? view.types[0];
    const value =
      type === 'object' && view.values === undefined
        ? buildObject(options, view, place, sources, tags, build)
        : type === 'array' && view.values === undefined
          ? buildList(options, view, place, sources, build)
          : buildLeaf(options, view, chosen, place, sources);
    // Which schemas apply depends on the value.
    const known = [...schemas, ...view.parts];
    const applied = appliedSchemas(options, view, value).filter(({ pointer: one }) => !known.some((part) => part.pointer === one));
    return applied.length === 0 ? value : this.build(options, [...schemas, ...applied], place, sources, above);
  }
}

/** In the place of a list that is not valid, or could not be made: the one without items, if it fits and no item is asked for. */
function emptiedList(options: BuildOptions, schemas: Schemas, place: string, made: Made): Made {
  const isWrong = 'error' in made ? !(made.error instanceof EndlessError) : !made.isValid && Array.isArray(made.value);
  return isWrong && !isAskedFor(options, place) && options.isValid(schemas, []) ? { value: [], isValid: true } : made;
}

/** Whether the options name a place, or one within it. */
function isAskedFor({ picks, present, omitted, branches, changed }: BuildOptions, place: string): boolean {
  const named = [...picks.keys(), ...present, ...omitted, ...branches].some((one) => one.startsWith(place));
  return named || (changed !== undefined && (changed.startsWith(place) || place.startsWith(changed)));
}

/** Which branches of its unions a value is of: those that are asked for, those of a source, or the first that works. */
interface BranchChoice {
  /** The schemas with a branch of every union. */
  readonly chosen: Schemas;
  /** What discriminators say of the branches. */
  readonly tags: ReadonlyMap<string, string>;
}

/** More combinations are not tried. */
const MAX_CHOICES = 12;

/** The best choice, then those with another branch of one union. */
function* branchChoices(options: BuildOptions, schemas: Schemas, place: string, sources: Sources): Generator<BranchChoice> {
  const best = chooseBranches(options, schemas, place, sources);
  yield best;
  const others = [...best.taken].flatMap(([union, taken]) =>
    union.branches.filter((one) => one !== taken).map(({ schema }) => schema.pointer),
  );
  for (const pointer of others.slice(0, MAX_CHOICES)) yield chooseBranches(options, schemas, place, sources, pointer);
}

/** @param preferred pointer of a branch that is taken in place of a likelier one. */
function chooseBranches(
  { document, isValid, branches }: BuildOptions,
  schemas: Schemas,
  place: string,
  { given, examples }: Sources,
  preferred?: string,
): BranchChoice & { readonly taken: ReadonlyMap<Union, Union['branches'][number]> } {
  const chosen = [...schemas];
  const tags = new Map<string, string>();
  const taken = new Map<Union, Union['branches'][number]>();
  const done = new Set<string>();
  const keyOf = (union: Union) => union.branches[0]?.schema.pointer ?? '';
  const isOpen = (union: Union) => !done.has(keyOf(union));
  const sources = [...given, ...examples].filter((source) => source !== undefined);
  for (let open = viewSchema(document, chosen).unions; open.length > 0; open = viewSchema(document, chosen).unions.filter(isOpen))
    for (const union of open) {
      done.add(keyOf(union));
      const asked = union.branches.find(({ schema }) => branches.has(branchKey(place, schema)));
      const branch =
        asked ??
        union.branches.find(({ schema }) => schema.pointer === preferred) ??
        union.branches.find(({ schema }) => sources.some((source) => isValid([schema], source))) ??
        union.branches[0];
      if (branch === undefined) continue;
      if (asked === undefined) taken.set(union, branch);
      chosen.push(branch.schema);
      if (branch.tag !== undefined) tags.set(branch.tag.property, branch.tag.value);
    }
  return { chosen, tags, taken };
}
