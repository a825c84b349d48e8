/** Builds objects: the properties that they must have, those that are asked for, and those of maps. */
import { type Schema, examplesOf, isReadOnly, isWriteOnly, matchesNothing } from '@specwright/contract/document';
import type { Json } from '../document.ts';
import { type BuildOptions, type BuildPart, EndlessError, type Sources, descend, inside } from './build-options.ts';
import { leafCandidates, nearbyValues } from './leaf-values.ts';
import { type SchemaView, type Schemas, some, viewSchema } from '../../../schema/schema-view.ts';

/** Of a map that has more in a source. */
const MAX_FREE = 3;
const FREE_KEY = 'key';

/** @param tags what discriminators say of the branches of the object. */
export const buildObject = (
  options: BuildOptions,
  view: SchemaView,
  place: string,
  sources: Sources,
  tags: ReadonlyMap<string, string>,
  build: BuildPart,
): Json => new ObjectBuilder(options, view, place, sources, tags, build).build();

class ObjectBuilder {
  readonly #options: BuildOptions;
  readonly #view: SchemaView;
  readonly #place: string;
  readonly #tags: ReadonlyMap<string, string>;
  readonly #buildPart: BuildPart;
  readonly #sources: Sources;
  readonly #built = new Map<string, unknown>();

  constructor(
    options: BuildOptions,
    view: SchemaView,
    place: string,
    sources: Sources,
    tags: ReadonlyMap<string, string>,
    buildPart: BuildPart,
  ) {
    [this.#options, this.#view, this.#place, this.#tags, this.#buildPart] = [options, view, place, tags, buildPart];
    const documented = options.ignoreExamples === true ? [] : view.parts.flatMap(({ value }) => examplesOf(value));
    this.#sources = { ...sources, examples: [...sources.examples, ...documented] };
  }

  build(): Json {
    const sent = [...this.#view.properties.keys()].filter((name) => this.#isSent(name));
    const optional = sent.filter((name) => !this.#isWanted(name) && !this.#options.omitted.includes(`${this.#place}/${name}`));
    for (const name of sent) if (this.#isWanted(name)) this.#add(name);
    for (const name of this.#view.required) if (!this.#view.properties.has(name) && this.#isSent(name)) this.#addOnce(name);
    for (const name of optional) this.#addOptional(name);
    this.#addOfMap();
    const taken = [...this.#built.keys(), ...this.#view.properties.keys()];
    const { minProperties: least = 0 } = this.#view.limits;
    for (const name of freeNames(this.#options, this.#view, FREE_KEY, taken, least - this.#built.size)) this.#add(name);
    return Object.fromEntries(this.#built);
  }

  #add(name: string): void {
    const from = descend(this.#sources, name);
    const tag = this.#tags.get(name);
    const own = tag === undefined ? from : { ...from, given: [tag, ...from.given], before: undefined };
    this.#built.set(name, this.#buildPart(schemasOf(this.#view, name), `${this.#place}/${name}`, own));
    for (const other of this.#view.dependents.get(name) ?? []) if (this.#isSent(other)) this.#addOnce(other);
  }

  #addOnce(name: string): void {
    if (!this.#built.has(name)) this.#add(name);
  }

  #isSent(name: string): boolean {
    const schemas = schemasOf(this.#view, name);
    const isDropped = this.#options.direction === 'request' ? isReadOnly : isWriteOnly;
    const isDeclared = schemas.length > 0 || !this.#view.isClosed;
    return (
      isDeclared && !some(viewSchema(this.#options.document, schemas), isDropped) && !schemas.some(({ value }) => matchesNothing(value))
    );
  }

  /** Whether an object is never built without a property. */
  #isWanted(name: string): boolean {
    const { picks, present, branches } = this.#options;
    if (this.#view.required.has(name) || this.#tags.has(name)) return true;
    const at = `${this.#place}/${name}`;
    const wanted = [...picks.keys(), ...present, ...[...branches].map((key) => key.slice(0, key.indexOf(' ')))];
    return wanted.some((one) => one === at || one.startsWith(`${at}/`));
  }

  #addOptional(name: string): void {
    const { include } = this.#options;
    const { minProperties: least = 0, maxProperties: most = Infinity } = this.#view.limits;
    const { size } = this.#built;
    const isIncluded = include === 'all' || (include === 'given' && inside(this.#sources.base, name) !== undefined) || size < least;
    if (!isIncluded || size >= most) return;
    try {
      this.#addOnce(name);
    } catch (error) {
      if (!(error instanceof EndlessError)) throw error;
    }
  }

  /** Adds properties of a map: the names of a source, or one. */
  #addOfMap(): void {
    const { additional, properties, isClosed } = this.#view;
    const isMap = additional !== undefined || (properties.size === 0 && !isClosed);
    if (!isMap || this.#options.include === 'none') return;
    const source = this.#sources.given[0] ?? this.#sources.examples.find((example) => example !== undefined);
    const given = Object.keys((typeof source === 'object' && source) || { [FREE_KEY]: 0 });
    const names = given.filter((name) => !properties.has(name) && matchesName(this.#options, this.#view, name));
    for (const name of names.slice(0, MAX_FREE)) this.#addOnce(name);
  }
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
