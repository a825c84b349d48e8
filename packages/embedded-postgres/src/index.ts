/** The public API of `@specwright/embedded-postgres`. */
export { EmbeddedError } from './embedded-error.ts';
export { findEmbedded, startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts';
export { findPsql } from './binaries.ts';
export { inspectEmbedded, type EmbeddedState } from './inspect.ts';
