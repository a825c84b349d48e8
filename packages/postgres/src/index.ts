/** The public API of `@specwright/postgres`. */

// The database of a service.
export { DATABASE_VARIABLES } from './database-variables.ts';
export { waitForDatabase, type WaitOptions } from './wait-for-database.ts';
export { openDatabase, type OpenDatabase, type OpenOptions } from './open-database.ts';
export {
  connect,
  connectionUrl,
  connectOptions,
  directClient,
  directOptions,
  type ConnectOptions,
  type Database,
  type Transaction,
} from './connect.ts';
export { databaseMetrics, poolMetrics, type PoolCounts } from './pool-metrics.ts';
export { addressOf, connectionProblem, type ConnectionProblem } from './connection-problem.ts';
export { inspectDatabase, type DatabaseState } from './inspect-database.ts';
export { inspectEmbedded, type EmbeddedState } from './embedded/inspect.ts';
export { EmbeddedError } from './embedded/embedded-error.ts';
export { findPsql } from './embedded/find-psql.ts';
export { findEmbedded, startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts';

// Store functions.
export { returning, toAllColumns, toColumns, toRecord, type ColumnMap, type RecordOf, type RowOf } from './column-map.ts';
export { createRecordTables, toStored, type RecordTable } from './record-table.ts';
export { afterCommit, createStoreAccess, type StoreAccess } from './store-access.ts';
export type { ReadQuery } from './prepared-statement.ts';
export type { ConstraintError, Constraints } from './sqlstate.ts';

// Schemas.
export { openPool } from './open-pool.ts';
export { databaseProbe, type DatabaseProbeOptions } from './database-probe.ts';
export type { DatabaseSchema, ExternalSchema, Migration, RunQuery } from './database-schema.ts';
export { migrate } from './migrate.ts';
export { compareMigrations, schemaProblem, type MigrationState } from './schema-problem.ts';
export { dumpSchema } from './schema-dump.ts';
export { readTables, type Check, type Column, type Table } from './catalog.ts';
