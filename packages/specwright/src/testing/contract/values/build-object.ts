/** Builds objects: the properties that they must have, those that are asked for, and those of maps. */
import { type Schema, examplesOf, isReadOnly, isWriteOnly, matchesNothing } from '@specwright/contract/document';
import type { Json } from '../document.ts';
import { type BuildOptions, type BuildPart, EndlessError, type Sources, descend, inside } from './build-options.ts';
import { leafCandidates, nearbyValues } from './leaf-values.ts';
import { type SchemaView, type Schemas, some, viewSchema } from './schema-view.ts';

/** Of a map that has more in a source. */
const MAX_FREE = 3;
const FREE_KEY = 'key';

/** @param tags what discriminators say of the branches of the object. */
export function buildObject(
  options: BuildOptions,
  view: SchemaView,
  place: string,
  sources: Sources,
  tags: ReadonlyMap<string, string>,
  build: BuildPart,
): Json {
  const { document, include, picks, branches, present, omitted, ignoreExamples = false } = options;
  const isDropped = options.direction === 'request' ? isReadOnly : isWriteOnly;
  const documented = ignoreExamples ? [] : view.parts.flatMap(({ value }) => examplesOf(value));
  const examples = [...sources.examples, ...documented];
  const wanted = [...picks.keys(), ...present, ...[...branches].map((key) => key.slice(0, key.indexOf(' ')))];
  const { minProperties: least = 0, maxProperties: most = Infinity } = view.limits;
  const built = new Map<string, unknown>();

  const add = (name: string): void => {
    const from = descend({ ...sources, examples }, name);
    const tag = tags.get(name);
    const own = tag === undefined ? from : { ...from, given: [tag, ...from.given], before: undefined };
    built.set(name, build(schemasOf(view, name), `${place}/${name}`, own));
    for (const other of view.dependents.get(name) ?? []) if (!built.has(other) && isSent(other)) add(other);
  };
  const isSent = (name: string): boolean => {
    const schemas = schemasOf(view, name);
    const isDeclared = schemas.length > 0 || !view.isClosed;
    return isDeclared && !some(viewSchema(document, schemas), isDropped) && !schemas.some(({ value }) => matchesNothing(value));
  };

  const optional: string[] = [];
  for (const name of view.properties.keys()) {
    const at = `${place}/${name}`;
    if (!isSent(name)) continue;
    if (view.required.has(name) || tags.has(name) || wanted.some((one) => one === at || one.startsWith(`${at}/`))) add(name);
    else if (!omitted.includes(at)) optional.push(name);
  }
  for (const name of view.required) if (!built.has(name) && !view.properties.has(name) && isSent(name)) add(name);
  for (const name of optional) {
    const isIncluded = include === 'all' || (include === 'given' && inside(sources.base, name) !== undefined) || built.size < least;
    if (!isIncluded || built.size >= most || built.has(name)) continue;
    try {
      add(name);
    } catch (error) {
      if (!(error instanceof EndlessError)) throw error;
    }
  }
  // Of a map: the names of a source, or one.
  const isMap = view.additional !== undefined || (view.properties.size === 0 && !view.isClosed);
  const source = sources.given[0] ?? examples.find((example) => example !== undefined);
  const given = Object.keys((typeof source === 'object' && source) || { [FREE_KEY]: 0 });
  const names = given.filter((name) => !view.properties.has(name) && matchesName(options, view, name));
  if (isMap && include !== 'none') for (const name of names.slice(0, MAX_FREE)) if (!built.has(name)) add(name);
  const taken = [...built.keys(), ...view.properties.keys()];
  for (const name of freeNames(options, view, FREE_KEY, taken, least - built.size)) add(name);
  return Object.fromEntries(built);
}

/** Patterns of names hold beside what the property itself says; what is said of the others, only where nothing else is. */
function schemasOf(view: SchemaView, name: string): Schemas {
  const found = [
    ...(view.properties.get(name) ?? []),
    ...view.patterns.filter(({ expression }) => expression.test(name)).map(({ schema }) => schema),
  ];
  return found.length > 0 ? found : (view.additional ?? []);
}

/** Names of properties that a schema allows without naming them. */
type Options = Pick<BuildOptions, 'document' | 'isValid'>;

/** Whether a property may have a name that is not declared. */
const matchesName = ({ isValid }: Options, { names, patterns, isClosed }: SchemaView, name: string): boolean =>
  isValid(names, name) && (!isClosed || patterns.some(({ expression }) => expression.test(name)));

/** As many names as there can be, up to a count. @param key what they are called where any name will do. */
function freeNames(options: Options, view: SchemaView, key: string, taken: readonly string[], count: number): string[] {
  const found: string[] = [];
  if (count <= 0) return found;
  for (const name of candidates(options, view, key, taken.length + count)) {
    if (found.length >= count) break;
    if (typeof name === 'string' && !taken.includes(name) && !found.includes(name) && matchesName(options, view, name)) found.push(name);
  }
  return found;
}

function* candidates({ document }: Options, view: SchemaView, key: string, count: number): Generator {
  yield key;
  for (let i = 2; i <= count; i++) yield `${key}${i}`;
  const named = view.names.length > 0 ? [view.names] : [];
  const matching = view.patterns.map(({ pattern }) => [{ value: { type: 'string', pattern } as Schema, pointer: '' }]);
  for (const schemas of [...named, ...matching]) {
    const names = viewSchema(document, schemas);
    for (const name of leafCandidates(names, key)) {
      yield name;
      yield* nearbyValues(name, names);
    }
  }
}
