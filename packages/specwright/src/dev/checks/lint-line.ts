/** A problem of lint as the loop shows it. */
import type { LintProblem } from '../../lint/lint-problem.ts';

/** @returns `file:line:column message (rule)`, and what to do on a second line. */
export const formatLintLine = (spec: string, { file = spec, line, column, message, rule, fix }: LintProblem): string =>
  `${file}:${line}:${column} ${message} (${rule})\n${fix}`;
