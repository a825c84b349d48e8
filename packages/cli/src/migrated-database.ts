/** A new, embedded database with all migrations: always of the same version of PostgreSQL, whatever `DATABASE_URL` is. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@specwright/postgres';
import { loadSchema, type ProjectConfig } from './project-config.ts';

/** Calls `use` with the database, and removes it. */
export async function withMigratedDatabase<T>(project: ProjectConfig, use: (db: Database) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-schema-'));
  // As root the database runs as another user, who must be able to reach it.
  await chmod(folder, 0o755);
  try {
    const database = await openDatabase({ name: project.name, databaseUrl: undefined, databasePool: 2, dataDir: folder });
    try {
      await migrate(database.db, await loadSchema(project));
      return await use(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
