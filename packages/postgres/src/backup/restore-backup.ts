/** Restores a backup into an empty database: migrates it as far as the backup is, fills it, and migrates it to this version. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Database, directOptions } from '../connection/connect.ts';
import type { DatabaseSchema } from '../schema/database-schema.ts';
import { migrate } from '../schema/migrate.ts';
import { isRestoreUnfinished, RESTORE_MARKER, UNFINISHED_RESTORE } from '../schema/restore-marker.ts';
import {
  MIGRATION_TABLES,
  readAppliedMigrations,
  editedProblem,
  MIGRATIONS_TABLE,
  unknownMigrations,
  type AppliedMigration,
} from '../schema/schema-problem.ts';
import { NotEmptyError, assertEmpty } from './assert-empty.ts';
import { type Backup, type BackupTable, type OnProgress, type SequenceState, copyTarget } from './backup.ts';
import { readBackupTables, readEarlyForeignKeys, readMaterializedViews, readTriggers } from './catalog.ts';
import { copyRows, openSession } from './read-database.ts';
import { RowDigest, type RowSummary, counted, readToEnd } from './dump-file.ts';

export interface RestoreOptions {
  readonly db: Database;
  readonly schema: DatabaseSchema;
  readonly backup: Backup;
  readonly onProgress?: OnProgress | undefined;
  /** Whether the backup is of this moment, and replaces a database that is not used any more: nobody has seen anything later then. */
  readonly isMove?: boolean;
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
export async function restoreBackup({ db, schema, backup, onProgress, isMove = false }: RestoreOptions): Promise<Restored> {
  const { contents } = backup;
  const external = new Set((schema.external ?? []).map(({ migrationsTable }) => migrationsTable));
  const isExternal = (table: string) => external.has(table);
  const isBookkeeping = (table: string) => isExternal(table) || MIGRATION_TABLES.some((name) => table === `public.${name}`);
  const past = await schemaAsOf(contents.migrations, schema);
  const client = await openSession(directOptions(db).url, contents.service);
  const query = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
  const recover = async () => (isMove ? undefined : schema.afterRecovery?.(query));
  try {
    const applied = await readAppliedMigrations(query);
    const replace = isRestoreUnfinished(applied);
    if (replace) await resumeRestore(db);
    else {
      await client.query('BEGIN READ ONLY');
      await assertEmpty(client, await readBackupTables(client), isBookkeeping);
      await client.query('COMMIT');
    }
    await migrate(db, past);
    await beginRestore(db);
    const rows = await fillDatabase(client, backup, { replace, isBookkeeping, isExternal, recover, onProgress }).catch(
      async (error: unknown) => {
        // A server that was still ready has written something, which the next try must not replace.
        if (error instanceof NotEmptyError) await resumeRestore(db);
        throw error;
      },
    );
    const migrated = await migrate(db, schema);
    // Tables that the backup did not have.
    if (migrated.length > 0) await recover();
    // As after any load: the planner knows nothing of the rows yet.
    await client.query('ANALYZE');
    return { rows, migrated };
  } finally {
    await client.end();
  }
}

/** How long to wait for sessions that use the tables, in ms. */
const LOCK_TIMEOUT_MS = 5000;
const LOCK_NOT_AVAILABLE = '55P03';

interface FillOptions {
  /** Whether rows that are there may be replaced: those of a restore that has not ended. */
  readonly replace: boolean;
  /** Tables of migrations, whose rows a migrated database has too. */
  readonly isBookkeeping: (table: string) => boolean;
  /** Those of them whose rows stay: the schema that they record was made by another version of a library. */
  readonly isExternal: (table: string) => boolean;
  /** Called when all rows are there. */
  readonly recover: () => Promise<unknown>;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * @param client of `openSession`, of a database with the tables of the backup.
 * @returns how many rows there are. @throws Error if anything differs; nothing is changed then.
 */
async function fillDatabase(client: pg.Client, backup: Backup, options: FillOptions): Promise<number> {
  await client.query('BEGIN');
  try {
    const rows = await fill(client, backup, options);
    await options.recover();
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function fill(client: pg.Client, backup: Backup, options: FillOptions): Promise<number> {
  const { replace, isBookkeeping, isExternal, onProgress = () => undefined } = options;
  const { tables } = backup.contents;
  const present = await readBackupTables(client);
  compareColumns(tables, present);
  const filled = tables.filter(({ name }) => !isExternal(name));
  await lockTables(client, present);
  if (!replace) await assertEmpty(client, present, isBookkeeping);
  if (filled.length > 0) await client.query(`TRUNCATE ${filled.map(({ name }) => name).join(', ')}`);
  const restoreChecks = await suspendChecks(client, tables);
  const views = await readMaterializedViews(client);
  // What generated columns and constraints call may rely on it.
  await client.query('SET LOCAL search_path TO DEFAULT');

  const summaries = new Map<BackupTable, RowSummary>();
  for await (const { table, rows } of backup.tables()) {
    const digest = new RowDigest();
    const source = counted(rows, digest, (number) => onProgress('writing', table, number, false));
    if (isExternal(table.name)) {
      await readToEnd(source);
      await assertSameVersion(client, table, digest.rows);
    } else {
      await pipeline(Readable.from(source), client.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN`)));
      summaries.set(table, digest.summary());
    }
    onProgress('writing', table, digest.rows, true);
  }
  await restoreChecks();
  for (const sequence of await backup.sequences()) await setSequence(client, sequence);
  for (const view of views) await client.query(`REFRESH MATERIALIZED VIEW ${view}`);

  for (const [table, written] of summaries) {
    const digest = new RowDigest();
    await readToEnd(counted(copyRows(client, table), digest, (number) => onProgress('comparing', table, number, false)));
    const read = digest.summary();
    if (read.rows !== written.rows || read.digest !== written.digest)
      throw new Error(
        `${table.name} has other rows than were written to it (${read.rows} of ${written.rows}): a trigger or rule changes them`,
      );
    onProgress('comparing', table, digest.rows, true);
  }
  return [...summaries.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/** Nobody writes to the tables from now on. */
async function lockTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  if (tables.length === 0) return;
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error('the database is in use: stop the servers and workers that are connected to it, and try again', { cause: error });
  }
  await client.query('SET LOCAL lock_timeout = 0');
}

/** Rows are written as they were: no trigger acts on them, and circles of references are checked at the end. */
async function suspendChecks(client: pg.Client, tables: readonly BackupTable[]): Promise<() => Promise<void>> {
  const triggers = await readTriggers(client, tables);
  const keys = await readEarlyForeignKeys(client, tables);
  const run = async (statements: readonly string[]): Promise<void> => {
    await client.query(statements.join('; '));
  };
  await run([
    ...triggers.map(({ table, name }) => `ALTER TABLE ${table} DISABLE TRIGGER ${name}`),
    ...keys.map(({ table, name }) => `ALTER TABLE ${table} ALTER CONSTRAINT ${name} DEFERRABLE INITIALLY DEFERRED`),
    'SET CONSTRAINTS ALL DEFERRED',
  ]);
  return () =>
    run([
      'SET CONSTRAINTS ALL IMMEDIATE',
      ...keys.map(({ table, name }) => `ALTER TABLE ${table} ALTER CONSTRAINT ${name} NOT DEFERRABLE`),
      ...triggers.map(({ table, name, enable }) => `ALTER TABLE ${table} ${enable} TRIGGER ${name}`),
    ]);
}

async function setSequence(client: pg.Client, { name, value, isCalled }: SequenceState): Promise<void> {
  const { rows } = await client.query<{ value: string | null }>('SELECT setval(to_regclass($1), $2, $3) AS value', [name, value, isCalled]);
  if ((rows[0]?.value ?? null) === null)
    throw new Error(`the database has no sequence ${name}: make what no migration makes by hand, then try again`);
}

async function assertSameVersion(client: pg.Client, { name }: BackupTable, count: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`);
  if (rows[0]?.count !== count)
    throw new Error(
      `${name} has ${rows[0]?.count ?? 0} migrations, and the backup ${count}: install the version of the library that the backup was made with`,
    );
}

const MAX_LISTED = 20;

/** @throws Error with every table and column of the backup that the database does not have, and every column that the backup lacks. */
function compareColumns(backup: readonly BackupTable[], database: readonly BackupTable[]): void {
  const present = new Map(database.map((table) => [table.name, table]));
  const problems = backup.flatMap(({ name, columns }) => {
    const other = present.get(name);
    if (other === undefined) return [`${name}: the database has no such table`];
    const [saved, current] = [typesByName(columns), typesByName(other.columns)];
    return [...new Set([...saved.keys(), ...current.keys()])].flatMap((column) => {
      const [type, otherType] = [saved.get(column), current.get(column)];
      return type === otherType ? [] : [`${name}.${column}: ${type ?? 'missing'} in the backup, ${otherType ?? 'missing'} in the database`];
    });
  });
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
  if (problems.length > MAX_LISTED) listed.push(`  and ${problems.length - MAX_LISTED} more`);
  throw new Error(`the tables are not those of the backup; make what no migration makes by hand, then try again:\n${listed.join('\n')}`);
}

const typesByName = (columns: BackupTable['columns']): Map<string, string> => new Map(columns.map(({ name, type }) => [name, type]));

// The schema of a database that a backup is restored into: the migrations that the backup has.

/** Marks a migrated database. The mark is gone with the rows that a restore puts in place of those of the migrations' table. */
async function beginRestore(db: Database): Promise<void> {
  await db(MIGRATIONS_TABLE).insert({ name: RESTORE_MARKER, batch: 0, migration_time: new Date() });
}

/** Takes the mark of a restore that has not ended away, so that the database can be migrated for the next one. */
async function resumeRestore(db: Database): Promise<void> {
  await db(MIGRATIONS_TABLE).where({ name: RESTORE_MARKER }).delete();
}

/**
 * The schema as far as a backup has it.
 *
 * @param applied the migrations of the backup. @throws Error if it has one that the service does not know, or has edited.
 */
async function schemaAsOf(applied: readonly AppliedMigration[], schema: DatabaseSchema): Promise<DatabaseSchema> {
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
