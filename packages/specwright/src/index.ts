/** The public API of `specwright`: the work of its commands, for tests and scripts of a project. */
export { build, type Built } from './build/build.ts';
export { generate } from './generate/generate.ts';
export { lintSpec, type LintOptions } from './lint/lint-spec.ts';
export type { LintProblem } from './lint/lint-problem.ts';
export { readProjectConfig } from './select-contracts.ts';
