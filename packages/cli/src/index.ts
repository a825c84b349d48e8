/** The public API of `@specwright/cli`: what its commands do, for tests and scripts of a project. */
export { build, type Built } from './build/build.ts';
export { bundleSpec, type Bundled } from './bundle/bundle-spec.ts';
export { findEdited, formatEdited, type EditedFile } from './generate/digests.ts';
export { generate, generateUnchecked, hasClient } from './generate/generate.ts';
export { findStale, writeGenerated } from './generate/generated-files.ts';
export { readProjectConfig, type ProjectConfig } from './project-config.ts';
export { runProgram } from './program.ts';
