/** The errors of types in one part of the project, without those that follow from a handler or a test without an operation. */
import { relative, sep } from 'node:path';
import { plural } from '@specwright/server/command';
import type { Project } from '../../project-config.ts';
import type { TypeProblem } from '../compiler/compiler.ts';
import type { TypeChecker } from '../compiler/type-checker.ts';
import type { HandlerReport } from './report-handlers.ts';
import { fixFirst, type Screen } from './screen.ts';

export interface TypeParts {
  readonly project: Project;
  readonly screen: Screen;
  readonly types: TypeChecker;
}

/** @returns whether there is no error in that part. */
export async function reportTypes(
  { project, screen, types }: TypeParts,
  part: 'program' | 'rest',
  isObsolete: HandlerReport['isObsolete'],
  signal: AbortSignal,
): Promise<boolean> {
  const began = performance.now();
  const all = await types.check(part, signal);
  if (signal.aborted) return false;
  const format = ({ file, line, column, message }: TypeProblem) =>
    `${relative(project.root, file).split(sep).join('/')}:${line}:${column} ${message}`;
  const problems = all.filter(({ file, line }) => !isObsolete(file, line)).map(format);
  const hidden = all.length > problems.length ? `, beside ${all.length - problems.length} in what has no operation` : '';
  const summary = problems.length === 0 ? 'ok' : plural(problems.length, 'error');
  const took = `(${Math.round(performance.now() - began)} ms)`;
  screen.section(part === 'program' ? 'types' : 'tests', `${summary}${hidden} ${took}`, problems, fixFirst(problems));
  return all.length === 0;
}
