/** Values that fit a schema: its example or default, or else generated ones, the same in every run. */
import {
  type Direction,
  type Schema,
  containsOf,
  declaredDefault,
  examplesOf,
  hasUniqueItems,
  limitsOf,
  valuesOf,
} from '@specwright/contract/document';
import { type Json, type SpecMedia, follow } from '../document.ts';
import { buildObject } from './build-object.ts';
import {
  type BuildOptions,
  type BuildPart,
  EndlessError,
  NoValueError,
  type Sources,
  appliedSchemas,
  branchKey,
  descend,
  noValue,
  orNothing,
} from './build-options.ts';
import { isSameValue } from './compare-values.ts';
import { anotherValue, buildLeaf } from './leaf-values.ts';
import { schemaCheckOf } from './schema-check.ts';
import { type LocatedSchema, type SchemaView, type Schemas, type Union, locate, some, viewSchema } from './schema-view.ts';

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

/** @param above the pointers of the schemas that it is inside of. @throws NoValueError */
export function buildValue(
  options: BuildOptions,
  schemas: Schemas,
  place: string,
  sources: Sources,
  above: readonly string[] = [],
): unknown {
  if (options.picks.has(place)) return options.picks.get(place);
  let rejected: { readonly value: unknown } | undefined;
  let failure: NoValueError | undefined;
  for (const choice of branchChoices(options, schemas, place, sources))
    try {
      const value = buildChoice(options, schemas, choice, place, sources, above);
      if (options.isValid(schemas, value)) return value;
      rejected ??= { value };
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
      failure ??= error;
    }
  if (rejected === undefined) throw failure ?? noValue(place, undefined);
  // Optional properties may tell branches apart that all accept an object without any.
  const whole =
    options.include === 'none' ? orNothing(() => buildValue({ ...options, include: 'all' }, schemas, place, sources, above)) : undefined;
  // What only a part is wrong with is sent: the response says what.
  return whole !== undefined && options.isValid(schemas, whole) ? whole : rejected.value;
}

function buildChoice(
  options: BuildOptions,
  schemas: Schemas,
  { chosen, tags }: BranchChoice,
  place: string,
  sources: Sources,
  above: readonly string[],
): unknown {
  const view = viewSchema(options.document, chosen);
  const pointer = view.parts[0]?.pointer ?? '';
  if (above.filter((one) => one === pointer).length >= MAX_NESTED) throw new EndlessError(`${place} is inside of itself without end`);
  const path = [...above, pointer];
  const build: BuildPart = (parts, at, from) => buildValue(options, parts, at, from, path);
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
  return applied.length === 0 ? value : buildValue(options, [...schemas, ...applied], place, sources, above);
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

/** How many items a list has whose values differ by a seed. */
const SEEDED_ITEMS = 2;

function buildList(options: BuildOptions, view: SchemaView, place: string, sources: Sources, build: BuildPart): unknown[] {
  const { seed, ignoreExamples = false } = options;
  const own = ignoreExamples ? [] : view.parts.flatMap(({ value }) => examplesOf(value));
  const examples = [...sources.examples, ...own];
  const lists = [...sources.given, ...examples].filter((source) => Array.isArray(source)).map((source: unknown[]) => source.length);
  const { minItems: least = 0, maxItems: most = Infinity } = view.limits;
  const length = Math.min(Math.max(lists.find((one) => one > 0) ?? (seed === undefined ? 1 : SEEDED_ITEMS), least), most);
  const isUnique = some(view, hasUniqueItems);
  const items: unknown[] = [];
  const add = (schemas: Schemas, from: Sources): void => {
    const at = `${place}/${items.length}`;
    const item = build(schemas, at, from);
    // Of an example there is no second one, and a list is no longer for it.
    const isRepeated = (isUnique || (seed !== undefined && sources.given.length === 0)) && items.some((one) => isSameValue(one, item));
    if (!isRepeated || (!isUnique && items.length < least)) items.push(item);
    else if (items.length < least) items.push(anotherValue(options, schemas, items, at));
  };
  for (let i = 0; i < length; i++)
    try {
      add(schemasAt(view, i), descend({ ...sources, examples }, String(i)));
    } catch (error) {
      if (!(error instanceof EndlessError) || items.length < least) throw error;
      break;
    }
  for (const contained of containedIn(view)) fitContained(options, view, place, items, contained, build);
  return items;
}

const schemasAt = ({ prefix, items }: SchemaView, i: number): Schemas => prefix[i] ?? items ?? [];

interface Contained {
  readonly schema: LocatedSchema;
  readonly least: number;
  readonly most: number;
}

const containedIn = ({ parts }: SchemaView): Contained[] =>
  parts.flatMap(({ value, pointer }) => {
    const schema = containsOf(value);
    const { minContains = 1, maxContains = Infinity } = limitsOf(value);
    return schema === undefined ? [] : [{ schema: locate(schema, pointer, 'contains'), least: minContains, most: maxContains }];
  });

/** Adds items that match, or replaces the last ones that do not; and the other way round where too many do. */
function fitContained(
  options: BuildOptions,
  view: SchemaView,
  place: string,
  items: unknown[],
  { schema, least, most }: Contained,
  build: BuildPart,
): void {
  const matches = (item: unknown) => options.isValid([schema], item);
  const isUnique = some(view, hasUniqueItems);
  const { maxItems = Infinity } = view.limits;
  while (items.filter(matches).length < least) {
    const i = items.length < maxItems ? items.length : items.findLastIndex((item) => !matches(item));
    if (i < 0) return;
    const schemas = [...schemasAt(view, i), schema];
    const item = build(schemas, `${place}/${i}`, { given: [], examples: [] });
    const isRepeated = isUnique && items.some((one) => isSameValue(one, item));
    items[i] = isRepeated ? anotherValue(options, schemas, items, `${place}/${i}`) : item;
    if (!matches(items[i])) return;
  }
  while (items.filter(matches).length > most) {
    const i = items.findLastIndex(matches);
    const schemas = schemasAt(view, i);
    const others = { ...options, isValid: (parts: Schemas, value: unknown) => !matches(value) && options.isValid(parts, value) };
    items[i] = anotherValue(others, schemas, isUnique ? items : [], `${place}/${i}`);
  }
}
