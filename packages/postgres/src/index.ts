/** The public API of `@specwright/postgres`. */

// The database of a service.
export { openDatabase, type OpenDatabase, type OpenOptions, waitForDatabase, type WaitOptions } from './connection/open-database.ts';
export {
  connect,
  connectionUrl,
  databaseMetrics,
  connectOptions,
  directClient,
  directOptions,
  type Database,
  type Transaction,
} from './connection/connect.ts';
export type { ConnectOptions } from './connection/connect-options.ts';
export {
  openNotificationChannel,
  type NotificationChannel,
  type NotificationEvents,
  type NotificationSession,
} from './connection/notification-channel.ts';
export { addressOf, connectionProblem, type ConnectionProblem } from './connection/connection-problem.ts';
export { inspectDatabase, type DatabaseState } from './connection/inspect-database.ts';

// Store functions.
export { returning, toAllColumns, toColumns, type ColumnMap, type RecordOf, type RowOf } from './store/column-map.ts';
export { createRecordTables, toRecord, toStored, type RecordTable } from './store/record-table.ts';
export {
  afterCommit,
  createStoreAccess,
  type StoreAccess,
  type TransactionOptions,
  areNotificationsSuspended,
  notificationMetrics,
  notify,
} from './store/store-access.ts';
export type { ConstraintError, Constraints } from './store/sqlstate.ts';

// Schemas.
export { openPool, poolMetrics, type PoolCounts } from './connection/open-pool.ts';
export { databaseProbe, type DatabaseProbe, type DatabaseProbeOptions } from './connection/database-probe.ts';
export type { DatabaseSchema, Migration, RunQuery } from './schema/database-schema.ts';
export { migrate, type MigrateOptions } from './schema/migrate.ts';
export { formatPlan, planMigration, type MigrationPlan } from './schema/migration-plan.ts';
export { compareMigrations, schemaProblem, type AppliedMigration, type MigrationState } from './schema/schema-problem.ts';
export { dumpSchema } from './schema/schema-dump.ts';
export { readTables, type Check, type Column, type Table } from './schema/catalog.ts';
