/** Builds values of a schema with chosen parts: all optional properties or none, one value of an enum, one branch of a union. */
import { isSameValue } from './compare-values.ts';
import type { Json, Located } from '../document.ts';
import { leafCandidates, nearbyValues } from './leaf-values.ts';
import { hasFlag, keyword, viewSchema, type Schemas, type SchemaView, type Union } from './schema-view.ts';

export interface BuildOptions {
  readonly document: Json;
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
  /** The place whose value has to be another one than is stored. */
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

/** No value can be made: the message says where and what to do. */
export class NoValueError extends Error {}

/** A schema that is inside of itself: where it is optional there is an end. */
class EndlessError extends NoValueError {}

export const branchKey = (place: string, { pointer }: Located): string => `${place} ${pointer}`;

/** How often a schema may be inside of itself. */
const MAX_NESTED = 2;
const FREE_KEY = 'key';

/** @throws NoValueError */
export function buildValue(
  options: BuildOptions,
  schemas: Schemas,
  place: string,
  sources: Sources,
  above: readonly string[] = [],
): unknown {
  if (options.picks.has(place)) return options.picks.get(place);
  const { document } = options;
  const { chosen, tags } = chooseBranches(options, schemas, place, sources);
  const view = viewSchema(document, chosen);
  const pointer = view.parts[0]?.pointer ?? '';
  if (above.filter((one) => one === pointer).length >= MAX_NESTED) throw new EndlessError(`${place} is inside of itself without end`);
  const inside = [...above, pointer];
  if (view.type === 'object') return buildObject(options, view, place, sources, inside, tags);
  if (view.type === 'array') return buildArray(options, view, place, sources, inside);
  return buildLeaf(options, view, chosen, place, sources);
}

/** The schemas with a branch of every union: the one that is asked for, or that of a source, or the first. */
function chooseBranches({ document, isValid, branches }: BuildOptions, schemas: Schemas, place: string, { given, examples }: Sources) {
  const chosen = [...schemas];
  const tags = new Map<string, string>();
  const done = new Set<string>();
  const keyOf = (union: Union) => union.branches[0]?.schema.pointer ?? '';
  const isOpen = (union: Union) => !done.has(keyOf(union));
  for (let open = viewSchema(document, chosen).unions; open.length > 0; open = viewSchema(document, chosen).unions.filter(isOpen))
    for (const union of open) {
      done.add(keyOf(union));
      const sources = [...given, ...examples];
      const branch =
        union.branches.find(({ schema }) => branches.has(branchKey(place, schema))) ??
        union.branches.find(({ schema }) => sources.some((source) => source !== undefined && isValid([schema], source))) ??
        union.branches[0];
      if (branch === undefined) continue;
      chosen.push(branch.schema);
      if (branch.tag !== undefined) tags.set(branch.tag.property, branch.tag.value);
    }
  return { chosen, tags };
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined;

const descend = ({ base, given, examples, before }: Sources, name: string): Sources => ({
  base: inside(base, name),
  given: given.map((source) => inside(source, name)).filter((source) => source !== undefined),
  examples: examples.map((source) => inside(source, name)).filter((source) => source !== undefined),
  before: inside(before, name),
});

function buildObject(
  options: BuildOptions,
  view: SchemaView,
  place: string,
  sources: Sources,
  above: readonly string[],
  tags: ReadonlyMap<string, string>,
): Json {
  const { document, include, picks, branches, present, omitted } = options;
  const examples = [...sources.examples, keyword(view, 'example')];
  const wanted = [...picks.keys(), ...present, ...[...branches].map((key) => key.slice(0, key.indexOf(' ')))];
  const built = new Map<string, unknown>();
  const add = (name: string, schemas: Schemas): void => {
    const at = `${place}/${name}`;
    const from = descend({ ...sources, examples }, name);
    const tag = tags.get(name);
    const value = buildValue(
      options,
      schemas,
      at,
      tag === undefined ? from : { ...from, given: [tag, ...from.given], before: undefined },
      above,
    );
    built.set(name, value);
  };
  const optional: [string, Schemas][] = [];
  for (const [name, schemas] of view.properties) {
    const at = `${place}/${name}`;
    if (hasFlag(viewSchema(document, schemas), 'readOnly')) continue;
    if (view.required.has(name) || tags.has(name) || wanted.some((one) => one === at || one.startsWith(`${at}/`))) add(name, schemas);
    else if (!omitted.includes(at)) optional.push([name, schemas]);
  }
  const [least, most] = [Number(keyword(view, 'minProperties') ?? 0), Number(keyword(view, 'maxProperties') ?? Infinity)];
  for (const [name, schemas] of optional) {
    const isIncluded = include === 'all' || (include === 'given' && inside(sources.base, name) !== undefined) || built.size < least;
    if (!isIncluded || built.size >= most) continue;
    try {
      add(name, schemas);
    } catch (error) {
      if (!(error instanceof EndlessError)) throw error;
    }
  }
  // Of a map: the names of a source, or one.
  const isFree = view.properties.size === 0 && keyword(view, 'additionalProperties') !== false;
  const schemas = view.additional ?? (isFree ? [] : undefined);
  const source = sources.given[0] ?? examples.find((example) => example !== undefined);
  const names = Object.keys((typeof source === 'object' && source) || { [FREE_KEY]: 0 }).filter((name) => !view.properties.has(name));
  if (schemas !== undefined && (include !== 'none' || built.size < least)) for (const name of names.slice(0, 3)) add(name, schemas);
  return Object.fromEntries(built);
}

function buildArray(options: BuildOptions, view: SchemaView, place: string, sources: Sources, above: readonly string[]): unknown[] {
  const examples = [...sources.examples, keyword(view, 'example')];
  const lists = [...sources.given, ...examples].filter((source) => Array.isArray(source)).map((source: unknown[]) => source.length);
  const length = lists.find((one) => one > 0) ?? 1;
  const [least, most] = [Number(keyword(view, 'minItems') ?? 0), Number(keyword(view, 'maxItems') ?? Infinity)];
  const items: unknown[] = [];
  for (let i = 0; i < Math.min(Math.max(length, least), most); i++) {
    const at = `${place}/${i}`;
    const from = descend({ ...sources, examples }, String(i));
    const item = buildValue(options, view.items ?? [], at, from, above);
    const isRepeated = keyword(view, 'uniqueItems') === true && items.some((one) => isSameValue(one, item));
    if (!isRepeated) items.push(item);
    else if (items.length < least) items.push(anotherItem(options, view.items ?? [], items, at));
  }
  return items;
}

function anotherItem({ document, isValid }: BuildOptions, schemas: Schemas, items: readonly unknown[], place: string): unknown {
  const view = viewSchema(document, schemas);
  const candidates = [...(view.values ?? []), ...items.flatMap((item) => [...nearbyValues(item, view)])];
  const found = candidates.find((one) => !items.some((item) => isSameValue(one, item)) && isValid(schemas, one));
  if (found === undefined) throw new NoValueError(`no further value can be made for ${place}`);
  return found;
}

function buildLeaf(
  { isValid, changed }: BuildOptions,
  view: SchemaView,
  schemas: Schemas,
  place: string,
  { given, examples, before }: Sources,
): unknown {
  const fits = (value: unknown): boolean => value !== undefined && value !== null && isValid(schemas, value);
  const isOther = (value: unknown) => fits(value) && !isSameValue(value, before);
  const isChanged = changed !== undefined && `${place}/`.startsWith(`${changed}/`);
  const known = given.find(isChanged ? isOther : fits);
  if (known !== undefined) return known;
  const standard = keyword(view, 'default');
  const isNew = (value: unknown) => isOther(value) && !isSameValue(value, standard);
  const name = place.slice(place.lastIndexOf('/') + 1);
  // What was chosen with care stays the nearest to what is accepted.
  const documented = [...given, ...examples, keyword(view, 'example')].filter(fits);
  const [first = [...leafCandidates(view, name)].find(fits)] = documented;
  if (first === undefined) throw new NoValueError(`no value can be made for ${place}: add an example to the contract`);
  if (isNew(first)) return first;
  const others = [...documented, ...(view.values ?? []), ...nearbyValues(first, view), ...leafCandidates(view, name)];
  // That of the default is another one than is stored, at least.
  return others.find(isNew) ?? others.find(isOther) ?? first;
}
