/** Builds lists: as many items as there must be, those of sources, and those that have to be contained. */
import { containsOf, examplesOf, hasUniqueItems, limitsOf } from '@specwright/contract/document';
import { type BuildOptions, type BuildPart, EndlessError, type Sources, descend } from './build-options.ts';
import { isSameValue } from './compare-values.ts';
import { anotherValue } from './leaf-values.ts';
import { type LocatedSchema, type SchemaView, type Schemas, locate, some } from '../../../schema/schema-view.ts';

/** How many items a list has whose values differ by a seed. */
const SEEDED_ITEMS = 2;

export function buildList(options: BuildOptions, view: SchemaView, place: string, sources: Sources, build: BuildPart): unknown[] {
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
