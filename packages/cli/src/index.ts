/** The public API of `@specwright/cli`: what its commands do, for tests and scripts of a project. */
export { build, type Built } from './build/build.ts';
export { bundleSpec, type Bundled } from './bundle/bundle-spec.ts';
export { generate } from './generate/generate.ts';
export { readProjectConfig, type ProjectConfig } from './project-config.ts';

// Checks.
export { compareSpecs } from './breaking/compare-specs.ts';
export type { BreakingChange } from './breaking/change.ts';
export { lintSpec, type LintOptions } from './lint/lint-spec.ts';
export type { LintProblem } from './lint/lint-problem.ts';
export { compareSchemas, type SchemaComparison } from './schema/compare-schemas.ts';
export { readDatabaseFiles, type DatabaseFiles, type TextFile } from './schema/database-locations.ts';
export { parseSchemaMap, type SchemaMap } from './schema/schema-map.ts';

// What the module at `specwright.fuzz` exports.
export type { FuzzHook, FuzzIdentity, FuzzServer } from './fuzz/fuzz-hook.ts';
