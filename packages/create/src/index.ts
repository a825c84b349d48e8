/** The public API of `@specwright/create`: which handlers a project has, and the stubs that it needs. */
export { addStubs, findGaps } from './stubs/add-stubs.ts';
export { findHandlers, type HandlerSet } from './stubs/find-handlers.ts';
export { formatObsolete, formatStubs } from './stubs/format-stubs.ts';
export { addGenerated, type FormerOperations } from './stubs/former-operations.ts';
export type { ObsoleteHandler } from './stubs/obsolete-handlers.ts';
export { isMember } from './stubs/rename-handlers.ts';
export { findConstant, scenariosFile } from './stubs/scenario-rows.ts';
export { formatOperation } from './stubs/spec-operations.ts';
export { locationOf, membersOf, parse, sourcesIn } from './stubs/typescript-source.ts';
