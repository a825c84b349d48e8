/** Empties the embedded database of a project. */
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@specwright/postgres';
import { startEmbedded } from '@specwright/embedded-postgres';
import type { Project } from '../project-config.ts';

export interface ResetOptions {
  readonly project: Project;
  /** Absolute path of the folder of the embedded database. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/**
 * Drops the embedded database and makes it again, without tables: the next start migrates it. Connections are closed.
 *
 * @throws Error if DATABASE_URL names another database.
 */
export async function resetDatabase({ project, dataDir, databaseUrl }: ResetOptions): Promise<void> {
  const { name, root, schema } = project;
  // As an administrator of the server, which the database itself cannot be dropped from.
  const server = await startEmbedded({ dataDir, database: 'postgres' });
  try {
    if (databaseUrl !== undefined && !isSameDatabase(databaseUrl, server.url, name))
      throw new Error('DATABASE_URL is not the embedded database, and reset drops no other: unset it, or drop that one by hand');
    const admin = connect({ url: server.url, pool: 1, acquireTimeoutMs: 60_000, statementTimeoutMs: 0, lockTimeoutMs: 0 });
    try {
      await admin.raw('DROP DATABASE IF EXISTS ?? WITH (FORCE)', [name]);
      await admin.raw('CREATE DATABASE ??', [name]);
    } finally {
      await admin.destroy();
    }
  } finally {
    await server.stop();
  }
  // Whatever watches the sources, as `dev` does, starts its server again, which migrates.
  const now = new Date();
  await utimes(join(root, schema), now, now).catch(() => undefined);
}

/** Whether a URL names a database of a server that is given by the URL of another of its databases. */
function isSameDatabase(url: string, server: string, name: string): boolean {
  const [one, other] = [new URL(url), new URL(server)];
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(one.hostname);
  return isLocal && one.port === other.port && decodeURIComponent(one.pathname) === `/${name}`;
}
