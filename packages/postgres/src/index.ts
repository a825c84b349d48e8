/** The public API of `@specwright/postgres`. */
export { readTables, type Column, type Table } from './catalog.ts';
export { type Database, type Transaction, connect } from './connect.ts';
export { migrate, schemaProblem } from './migrate.ts';
export { openDatabase, type OpenDatabase } from './open-database.ts';
export { describeSchema } from './schema-dump.ts';
export { read, transaction } from './transaction.ts';
