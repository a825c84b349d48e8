/** Chooses the file for the handler of an operation: that of the handlers of its path, else one named after its noun. */
import type { HandlerSet } from './find-handlers.ts';
import { kebab } from './names.ts';
import type { SpecOperation } from './spec-operations.ts';

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
const isParameter = (segment: string | undefined): boolean => segment?.includes('{') ?? false;

/**
 * How many segments two paths have in common, if one belongs to the other: `/users` and `/users/{userId}/photos` do;
 * `/shop/carts` and `/shop/vouchers` are siblings, which do not share a file.
 */
function relatedness(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && common < b.length && (a[common] === b[common] || (isParameter(a[common]) && isParameter(b[common]))))
    common++;
  const shared = a.slice(0, common);
  if (!shared.some((segment) => !isParameter(segment))) return 0;
  const apart = common < a.length && common < b.length && !isParameter(a[common]) && !isParameter(b[common]);
  return apart && !shared.some(isParameter) ? 0 : common;
}

export type FileChooser = (operation: SpecOperation) => HandlerSet | undefined;

/** Finds the set whose operations are closest by path; among equals the one with the same first tag. */
export function createFileChooser(sets: readonly HandlerSet[], operations: readonly SpecOperation[]): FileChooser {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const candidates = sets.flatMap((set) =>
    set.handlers.flatMap(({ name }) => {
      const operation = byId.get(name);
      return operation === undefined ? [] : [{ set, tag: operation.tags[0], segments: segmentsOf(operation.path) }];
    }),
  );
  return ({ path, tags }) => {
    const segments = segmentsOf(path);
    let best: { set: HandlerSet; score: number } | undefined;
    for (const { set, tag, segments: others } of candidates) {
      const common = relatedness(segments, others);
      const score = common === 0 ? 0 : common + (tag === tags[0] ? 0.5 : 0);
      if (score > (best?.score ?? 0)) best = { set, score };
    }
    return best?.set;
  };
}

/**
 * Names the file, without extension, of an operation that no handler is close to: after its tag, else after its path.
 *
 * @param taken whether a file of that name has no handlers.
 */
export function createFileNamer(
  operations: readonly SpecOperation[],
  taken: (name: string) => boolean,
): (operation: SpecOperation) => string {
  const shared = sharedSegments(operations.map(({ path }) => segmentsOf(path)));
  return ({ tags, path }) => {
    const segments = segmentsOf(path);
    const noun = [...segments.slice(shared), ...segments].find((segment) => !isParameter(segment));
    const name = kebab(tags[0] ?? '') || kebab(noun ?? '') || 'operations';
    return taken(name) ? `${name}-operations` : name;
  };
}

/** How many leading segments all paths share, as `/api/v1`: they name no noun. */
function sharedSegments(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths;
  let shared = 0;
  while (shared < first.length && paths.every((segments) => segments[shared] === first[shared])) shared++;
  return shared;
}
