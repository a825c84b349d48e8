/** Which branches of its unions a value is of: those that are asked for, those of a source, or the first that works. */
import { branchKey, type BuildOptions, type Sources } from './build-options.ts';
import { viewSchema, type Schemas } from './schema-view.ts';
import type { Union } from './schema-unions.ts';

export interface BranchChoice {
  /** The schemas with a branch of every union. */
  readonly chosen: Schemas;
  /** What discriminators say of the branches. */
  readonly tags: ReadonlyMap<string, string>;
}

/** More combinations are not tried. */
const MAX_CHOICES = 12;

/** The best choice, then those with another branch of one union. */
export function* branchChoices(options: BuildOptions, schemas: Schemas, place: string, sources: Sources): Generator<BranchChoice> {
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
