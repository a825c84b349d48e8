/** Builds values of a schema with chosen parts: all optional properties or none, one value of an enum, one branch of a union. */
import { buildLeaf } from './build-leaf.ts';
import { buildList } from './build-list.ts';
import { buildObject } from './build-object.ts';
import { EndlessError, NoValueError, type BuildOptions, type BuildPart, type Sources } from './build-options.ts';
import { branchChoices, type BranchChoice } from './choose-branches.ts';
import { appliedSchemas } from './conditions.ts';
import { viewSchema, type Schemas } from './schema-view.ts';

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
  // What only a part is wrong with is sent: the response says what.
  if (rejected !== undefined) return rejected.value;
  throw failure ?? new NoValueError(`no value can be made for ${place}: add an example to the contract`);
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
