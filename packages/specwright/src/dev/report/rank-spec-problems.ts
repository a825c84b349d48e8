/** One problem for a component that was renamed or removed, where it was, and not one for each reference to it. */
import { pointerKeys, type Problem, type SourceDocument } from '@specwright/contract/document';
import { editedRange } from './edited-lines.ts';

const UNRESOLVED = /^Can't resolve \$ref (\S+)/;

/**
 * The problems, with several references to one component as one problem.
 *
 * @param before the last spec without problems; @param text the present one, if it could be parsed.
 */
export function rankSpecProblems(problems: readonly Problem[], before: SourceDocument | undefined, text: string | undefined): Problem[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const target = UNRESOLVED.exec(problem.message)?.[1];
    const key = target ?? `${problem.line}:${problem.column}:${problem.message}`;
    groups.set(key, [...(groups.get(key) ?? []), problem]);
  }
  return [...groups].flatMap(([target, group]) => {
    const [first] = group;
    if (first === undefined || !UNRESOLVED.test(first.message) || first.file !== undefined) return group;
    const former = before === undefined || text === undefined ? undefined : formerLine(target, before, text);
    const references = group.length === 1 ? 'a reference' : `${group.length} references`;
    if (former !== undefined) {
      const message = `${target} is gone, and ${references} to it ${group.length === 1 ? 'is' : 'are'} left, first in line ${first.line ?? 1}: restore it, or change them`;
      return [{ ...former, message }];
    }
    return group.length === 1 ? group : [{ ...first, message: `${first.message}, in ${references}` }];
  });
}

/** Where a part of the document was that is gone; `undefined` if it was not there before either. */
function formerLine(target: string, before: SourceDocument, text: string): Pick<Problem, 'file' | 'line' | 'column'> | undefined {
  if (!target.startsWith('#/')) return undefined;
  const keys = pointerKeys(target);
  const at = before.locate(keys);
  const parent = before.locate(keys.slice(0, -1));
  // What is not found is located at its parent.
  if (at.line === parent.line && at.column === parent.column) return undefined;
  if (at.file !== undefined) return at;
  const { first, last } = editedRange(before.source, text);
  return { line: at.line < first ? at.line : Math.max(first, Math.min(at.line, last)), column: at.column };
}
