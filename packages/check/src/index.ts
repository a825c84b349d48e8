/** The public API of `@specwright/check`: the checks of the commands, for tests and scripts of a project. */
export { compareSpecs } from './breaking/compare-specs.ts';
export type { BreakingChange } from './breaking/change.ts';
export { lintQuickly, lintSpec, type LintOptions } from './lint/lint-spec.ts';
export type { LintProblem } from './lint/lint-problem.ts';
export { composeSwitchedOff, switchOffRules } from './lint/switch-off-rules.ts';
export { checkInstalled } from './doctor/check-packages.ts';
export type { CheckResult } from './doctor/check.ts';

// What the module at `specwright.fuzz` exports.
export type { FuzzHook, FuzzIdentity, FuzzServer } from './fuzz/fuzz-hook.ts';
