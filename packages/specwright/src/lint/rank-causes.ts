/** Ranks the problems of the project's rules: a keyword that refuses examples is one problem, and the examples are counted. */
import { pointerTo } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import type { Rule, RuleProblem } from './rules/rule.ts';

interface Found {
  readonly rule: Rule;
  readonly problem: RuleProblem;
}

/**
 * Counts the consequences of a problem in its message. Several of one cause that is no problem itself become one at the cause.
 *
 * @param lineOf the line of a path of the document.
 */
export function rankCauses(found: readonly Found[], lineOf: (path: RuleProblem['path']) => number): Found[] {
  const groups = new Map<string, Found[]>();
  for (const each of found) {
    if (each.problem.cause === undefined) continue;
    const pointer = pointerTo(...each.problem.cause);
    groups.set(pointer, [...(groups.get(pointer) ?? []), each]);
  }
  const ranked = found.filter(({ problem }) => problem.cause === undefined);
  for (const [pointer, consequences] of groups) {
    const [first] = consequences;
    if (first?.problem.cause === undefined) continue;
    const refused = plural(consequences.length, 'example');
    const index = ranked.findIndex(({ problem }) => `${pointerTo(...problem.path)}/`.startsWith(`${pointer}/`));
    const cause = ranked[index];
    if (cause !== undefined)
      ranked[index] = { ...cause, problem: { ...cause.problem, message: `${cause.problem.message}; it refuses ${refused}` } };
    else if (consequences.length === 1) ranked.push(first);
    else {
      const { path, cause: at, message } = first.problem;
      const text = `${String(at.at(-1))} refuses ${refused}, the first in line ${lineOf(path)}: ${message}`;
      ranked.push({ rule: first.rule, problem: { path: at, message: text } });
    }
  }
  return ranked;
}
