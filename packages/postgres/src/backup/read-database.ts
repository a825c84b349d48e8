/** Reads a backup from a database, in one snapshot. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { directOptions, type Database } from '../connection/connect.ts';
import { isRestoreUnfinished } from '../schema/restore-marker.ts';
import { MIGRATIONS_TABLE, readAppliedMigrations } from '../schema/schema-problem.ts';
import { copyTarget, type Backup, type BackupTable } from './backup.ts';
import { assertCopyable, readBackupTables, readSequences } from './catalog.ts';

/** The rows of a table as COPY writes them. Nothing else may be asked of the connection until they are read. */
export const copyRows = (client: pg.Client, table: BackupTable): AsyncIterable<Buffer> =>
  client.query(copyTo(`COPY ${copyTarget(table)} TO STDOUT`)) as AsyncIterable<Buffer>;

/**
 * Begins a transaction that sees the database as it is now, and changes nothing. It ends with the connection.
 *
 * @param client of `openSession`. @param service the name of the service.
 */
async function readDatabase(client: pg.Client, service: string): Promise<Backup> {
  const [, { rows }] = await Promise.all([
    client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
    client.query<{ takenAt: Date; serverVersion: string; isMigrated: boolean }>(
      `SELECT now() AS "takenAt", current_setting('server_version') AS "serverVersion", to_regclass($1) IS NOT NULL AS "isMigrated"`,
      [MIGRATIONS_TABLE],
    ),
  ]);
  const [{ takenAt, serverVersion, isMigrated } = { takenAt: new Date(), serverVersion: '', isMigrated: false }] = rows;
  if (!isMigrated) throw new Error('the database has no migrations, so there is nothing to copy: is it the one of this service?');
  const migrations = await readAppliedMigrations(async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows);
  if (isRestoreUnfinished(migrations)) throw new Error('the database is not complete: a restore into it has not ended');
  await assertCopyable(client);
  const tables = await readBackupTables(client);
  return {
    contents: { service, takenAt: takenAt.toISOString(), serverVersion, migrations, tables },
    async *tables() {
      for (const table of tables) yield { table, rows: copyRows(client, table) };
    },
    sequences: () => readSequences(client),
  };
}

/**
 * Calls `use` with a backup of a database as it is now. Servers may go on.
 *
 * @param service the name of the service. @throws Error if it has no migrations, or an unfinished restore, or what no backup has.
 */
export async function openBackup<T>(db: Database, service: string, use: (backup: Backup) => Promise<T>): Promise<T> {
  const client = await openSession(directOptions(db).url, service);
  try {
    return await use(await readDatabase(client, service));
  } finally {
    await client.end();
  }
}

/** A connection for backups: nothing bounds it, and it writes values in one way whatever the server's settings are. */
const SETTINGS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // Fail instead of leaving out rows that a policy hides.
  row_security: 'off',
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** @param name of the service. @throws Error of `pg` if it cannot be opened. */
export async function openSession(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `${name} backup`, keepAlive: true });
  // Of a connection that is lost: the statement under way fails too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    Object.entries(SETTINGS)
      .map(([setting, value]) => `SET ${setting} = '${value}'`)
      .join('; '),
  );
  return client;
}
