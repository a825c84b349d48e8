/** Builds values without parts, and further ones of a schema beside those that there are. */
import { declaredDefault, examplesOf } from '@specwright/contract/document';
import { NoValueError, type BuildOptions, type Sources } from './build-options.ts';
import { isSameValue } from './compare-values.ts';
import { leafCandidates, nearbyValues } from './leaf-values.ts';
import { seededCandidates, seedAt } from './seeded-values.ts';
import { first, viewSchema, type Schemas, type SchemaView } from './schema-view.ts';

/** @throws NoValueError */
export function buildLeaf(
  { isValid, changed, seed, ignoreExamples = false }: BuildOptions,
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
  const standard = first(view, declaredDefault);
  const isNew = (value: unknown) => isOther(value) && !isSameValue(value, standard);
  const name = place.slice(place.lastIndexOf('/') + 1);
  // What was chosen with care stays the nearest to what is accepted.
  const own = ignoreExamples ? [] : view.parts.flatMap(({ value }) => examplesOf(value));
  const documented = [...given, ...examples, ...own].filter(fits);
  const seeded = seed === undefined ? [] : seededCandidates(view, name, seedAt(seed, place));
  const [best = firstFit(seeded, fits) ?? firstFit(leafCandidates(view, name), fits)] = documented;
  if (best === undefined) {
    if (isValid(schemas, null)) return null;
    throw new NoValueError(`no value can be made for ${place}: add an example to the contract`);
  }
  if (isNew(best)) return best;
  const others = [...documented, ...(view.values ?? []), ...nearbyValues(best, view), ...leafCandidates(view, name)];
  // That of the default is another one than is stored, at least.
  return others.find(isNew) ?? others.find(isOther) ?? best;
}

function firstFit(values: Iterable<unknown>, fits: (value: unknown) => boolean): unknown {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}

/** A value of the schemas that is none of those that there are. @throws NoValueError */
export function anotherValue(options: BuildOptions, schemas: Schemas, known: readonly unknown[], place: string): unknown {
  const isOther = (one: unknown) => !known.some((item) => isSameValue(one, item)) && options.isValid(schemas, one);
  const found = candidates(options, schemas, known, place).find(isOther);
  if (found === undefined) throw new NoValueError(`no further value can be made for ${place}`);
  return found;
}

/** Scalars near those that there are, and objects that differ in one property. */
function candidates(options: BuildOptions, schemas: Schemas, known: readonly unknown[], place: string): unknown[] {
  const view = viewSchema(options.document, schemas);
  const near = [...(view.values ?? []), ...known.flatMap((item) => [...nearbyValues(item, view)]), ...leafCandidates(view, 'other')];
  const [last] = known.slice(-1);
  if (typeof last !== 'object' || last === null || Array.isArray(last)) return near;
  const changed = Object.entries(last).flatMap(([name, value]: [string, unknown]) => {
    const seen = [value, ...known.map((item) => (item as Record<string, unknown> | null)?.[name])];
    try {
      return [{ ...last, [name]: anotherValue(options, view.properties.get(name) ?? view.additional ?? [], seen, `${place}/${name}`) }];
    } catch (error) {
      if (error instanceof NoValueError) return [];
      throw error;
    }
  });
  return [...near, ...changed];
}
