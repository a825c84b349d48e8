/** The schema of a database that a backup is restored into: the migrations that the backup has. */
import type { Database } from '../connection/connect.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { isRestoreUnfinished, RESTORE_MARKER, UNFINISHED_RESTORE } from './restore-marker.ts';
import { editedProblem, MIGRATIONS_TABLE, unknownMigrations, type AppliedMigration } from './schema-problem.ts';

/** Marks a migrated database. The mark is gone with the rows that a restore puts in place of those of the migrations' table. */
export async function beginRestore(db: Database): Promise<void> {
  await db(MIGRATIONS_TABLE).insert({ name: RESTORE_MARKER, batch: 0, migration_time: new Date() });
}

/** Takes the mark of a restore that has not ended away, so that the database can be migrated for the next one. */
export async function resumeRestore(db: Database): Promise<void> {
  await db(MIGRATIONS_TABLE).where({ name: RESTORE_MARKER }).delete();
}

/**
 * The schema as far as a backup has it.
 *
 * @param applied the migrations of the backup. @throws Error if it has one that the service does not know, or has edited.
 */
export async function schemaAsOf(applied: readonly AppliedMigration[], schema: DatabaseSchema): Promise<DatabaseSchema> {
  if (isRestoreUnfinished(applied)) throw new Error(UNFINISHED_RESTORE);
  // Those that only add are unknown too: their columns have rows.
  const unknown = unknownMigrations(
    applied.map((one) => ({ ...one, compatible: false })),
    schema,
  );
  if (unknown.length > 0)
    throw new Error(`this version does not know the migrations ${unknown.join(', ')}: use the version of the service that made them`);
  const edited = await editedProblem(applied, schema);
  if (edited !== undefined) throw new Error(edited);
  const names = new Set(applied.map(({ name }) => name));
  const { migrations, formerNames = {} } = schema;
  return { ...schema, migrations: migrations.filter(({ name }) => names.has(name) || names.has(formerNames[name] ?? '')) };
}
