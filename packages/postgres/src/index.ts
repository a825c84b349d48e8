/** The public API of `@specwright/postgres`. */
export { connect, urlOf, type ConnectOptions, type Database, type Transaction } from './connect.ts';
export { openDatabase, type OpenDatabase, type OpenOptions } from './open-database.ts';
export { DATABASE_VARIABLES } from './environment.ts';
export { createStoreAccess, type StoreAccess } from './transaction.ts';
export type { ConstraintError, Constraints } from './sqlstate.ts';
export { migrate, schemaProblem, type DatabaseSchema, type ForeignSchema, type Migration } from './migrate.ts';
export { EmbeddedError, startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts';
export { readTables, type Check, type Column, type Table } from './catalog.ts';
export { describeSchema } from './schema-dump.ts';
