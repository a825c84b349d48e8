/** The problems of references between files: each names the place of the reference and what it leads to. */
import type { ReferenceProblem } from './bundle-parts.ts';
import type { Location } from './document-parts.ts';
import { ContractError, formatProblem, type Locate, type Problem } from './problems.ts';

/** @param file that of the contract. A file that cannot be parsed is reported where its own error is, once. */
export function referenceProblems(
  file: string,
  problems: readonly ReferenceProblem[],
  locationOf: (location: Location) => ReturnType<Locate>,
): Problem[] {
  const causes = new Set<unknown>();
  return problems.flatMap(({ message, cause, ...at }): Problem[] => {
    if (!(cause instanceof ContractError)) return [{ ...locationOf(at), message }];
    if (causes.has(cause)) return [];
    causes.add(cause);
    const reference = formatProblem(file, { ...locationOf(at), message: '' }).trim();
    return cause.problems.map((problem) => ({
      file: cause.file,
      ...problem,
      message: `${problem.message} (read for the $ref at ${reference})`,
    }));
  });
}
