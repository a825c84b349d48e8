/** Restores a backup into an empty database: migrates it as far as the backup is, fills it, and migrates it to this version. */
import { directOptions, type Database } from '../connection/connect.ts';
import type { DatabaseSchema } from '../schema/database-schema.ts';
import { migrate } from '../schema/migrate.ts';
import { isRestoreUnfinished } from '../schema/restore-marker.ts';
import { beginRestore, resumeRestore, schemaAsOf } from '../schema/restored-schema.ts';
import { MIGRATION_TABLES, readAppliedMigrations } from '../schema/schema-problem.ts';
import { assertEmpty, NotEmptyError } from './assert-empty.ts';
import type { Backup, OnProgress } from './backup.ts';
import { readBackupTables } from './catalog.ts';
import { fillDatabase } from './fill-database.ts';
import { openSession } from './session.ts';

export interface RestoreOptions {
  /** The database to restore into. */
  readonly db: Database;
  /** Of the service. */
  readonly schema: DatabaseSchema;
  readonly backup: Backup;
  readonly onProgress?: OnProgress | undefined;
}

export interface Restored {
  readonly rows: number;
  /** The migrations that this version has, and the backup did not. */
  readonly migrated: readonly string[];
}

/**
 * The rows are written in one transaction. One that fails leaves the database without rows, and may be tried again; until it has
 * succeeded no server is ready on that database.
 *
 * @throws Error if the database is not empty, or the backup is not of this service or is of a later version of it; nothing is changed then.
 */
export async function restoreBackup({ db, schema, backup, onProgress }: RestoreOptions): Promise<Restored> {
  const { contents } = backup;
  const external = new Set((schema.external ?? []).map(({ migrationsTable }) => migrationsTable));
  const isExternal = (table: string) => external.has(table);
  const isBookkeeping = (table: string) => isExternal(table) || MIGRATION_TABLES.some((name) => table === `public.${name}`);
  const past = await schemaAsOf(contents.migrations, schema);
  const client = await openSession(directOptions(db).url, contents.service);
  try {
    const applied = await readAppliedMigrations(async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows);
    const replace = isRestoreUnfinished(applied);
    if (replace) await resumeRestore(db);
    else {
      await client.query('BEGIN READ ONLY');
      await assertEmpty(client, await readBackupTables(client), isBookkeeping);
      await client.query('COMMIT');
    }
    await migrate(db, past);
    await beginRestore(db);
    const rows = await fillDatabase(client, backup, { replace, isBookkeeping, isExternal, onProgress }).catch(async (error: unknown) => {
      // A server that was still ready has written something, which the next try must not replace.
      if (error instanceof NotEmptyError) await resumeRestore(db);
      throw error;
    });
    const migrated = await migrate(db, schema);
    // As after any load: the planner knows nothing of the rows yet.
    await client.query('ANALYZE');
    return { rows, migrated };
  } finally {
    await client.end();
  }
}
