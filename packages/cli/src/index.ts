/** The public API of `@specwright/cli`: what its commands do, for tests and scripts of a project. */
export { type BuiltProject } from './build/assert-unedited.ts';
export { build, type Built } from './build/build.ts';
export { bundleSpec, type Bundled } from './bundle/bundle-spec.ts';
export { findEdited, formatEdited, generatedFolders, type EditedFile } from './generate/digests.ts';
export { generate, generateUnchecked, hasClient } from './generate/generate.ts';
export { findStale, writeGenerated } from './generate/generated-files.ts';
export { readProject, type Project, type ProjectConfig } from './project-config.ts';
export { runProgram } from './program.ts';
export { readProjectConfig } from './select-contracts.ts';
