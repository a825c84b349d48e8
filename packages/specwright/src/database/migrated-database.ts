/** A new database with all migrations, on an embedded PostgreSQL: always of the same version, whatever `DATABASE_URL` is. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { findEmbedded, startEmbedded } from '@specwright/embedded-postgres';
import { type Database, type DatabaseSchema, connect, migrate } from '@specwright/postgres';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { readEnvironment } from '@specwright/server/environment';
import { temporaryFolder } from '../files/write-files.ts';
import type { Project } from '../project-config.ts';
import { databaseUrl, dropDatabases, withAdmin } from '../testing/fixtures/database/test-server.ts';

/** What is lost with the machine was not worth keeping. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Calls `use` with a database that has the migrations, and removes it.
 *
 * Where the project's embedded database runs, as under `specwright dev`, it is a database beside it, which takes a tenth of the time
 * of a new PostgreSQL.
 */
export async function withMigratedDatabase<T>(
  project: Pick<Project, 'name' | 'root'>,
  schema: DatabaseSchema,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(project.root, readEnvironment({ DATA_DIR: DATABASE_VARIABLES.DATA_DIR }).dataDir);
  const isRunning = (await findEmbedded({ dataDir, database: 'postgres' }).catch(() => undefined)) !== undefined;
  if (isRunning) return withDatabaseIn(dataDir, project.name, schema, use);
  // As root the database runs as another user, who must be able to reach it.
  const folder = temporaryFolder('specwright-schema-', { mode: 0o755 });
  try {
    return await withDatabaseIn(folder.path, project.name, schema, use);
  } finally {
    folder.remove();
  }
}

async function withDatabaseIn<T>(dataDir: string, name: string, schema: DatabaseSchema, use: (db: Database) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, database: 'postgres', settings: SETTINGS });
  const prefix = `${name}_schema_`.slice(0, 40);
  const database = `${prefix}${Date.now().toString(36)}_${randomBytes(3).toString('hex')}`;
  const migrateAndUse = async (admin: Database) => {
    // What processes that were killed have left.
    await dropDatabases(admin, (other) => other.startsWith(prefix) && isAbandoned(other.slice(prefix.length)));
    await admin.raw('CREATE DATABASE ?? TEMPLATE template0', [database]);
    const db = connect({ url: databaseUrl(server.url, database), pool: 2, acquireTimeoutMs: 60_000, statementTimeoutMs: 0 });
    try {
      await migrate(db, schema);
      return await use(db);
    } finally {
      await db.destroy();
      await admin.raw('DROP DATABASE ?? WITH (FORCE)', [database]);
    }
  };
  return withAdmin(server.url, migrateAndUse).finally(() => server.stop());
}

const isAbandoned = (rest: string) => Number.parseInt(rest.split('_')[0] ?? '', 36) < Date.now() - ABANDONED_AFTER_MS;
