/** What `specwright db` does with the database of a project. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPsql, startEmbedded } from '@specwright/embedded-postgres';
import { touchFile } from '../files/write-files.ts';
import type { Project } from '../project-config.ts';
import { withAdmin } from '../testing/fixtures/database/test-server.ts';

/**
 * Drops the embedded database and makes it again, without tables: the next start migrates it. Connections are closed.
 *
 * @param dataDir the absolute path of its folder. @throws Error if DATABASE_URL names another database.
 */
export async function resetDatabase({ name, root, schema }: Project, dataDir: string, databaseUrl: string | undefined): Promise<void> {
  // As an administrator of the server, which the database itself cannot be dropped from.
  const server = await startEmbedded({ dataDir, database: 'postgres' });
  try {
    if (databaseUrl !== undefined && !isSameDatabase(databaseUrl, server.url, name))
      throw new Error('DATABASE_URL is not the embedded database, and reset drops no other: unset it, or drop that one by hand');
    await withAdmin(server.url, async (admin) => {
      await admin.raw('DROP DATABASE IF EXISTS ?? WITH (FORCE)', [name]);
      await admin.raw('CREATE DATABASE ??', [name]);
    });
  } finally {
    await server.stop();
  }
  // Whatever watches the sources, as `dev` does, starts its server again, which migrates.
  if (existsSync(join(root, schema))) touchFile(root, schema);
}

/** Whether a URL names a database of a server that is given by the URL of another of its databases. */
function isSameDatabase(url: string, server: string, name: string): boolean {
  const [one, other] = [new URL(url), new URL(server)];
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(one.hostname);
  return isLocal && one.port === other.port && decodeURIComponent(one.pathname) === `/${name}`;
}

/** Runs psql on the database of a project. */
const NO_PSQL = `psql is not installed, and the embedded PostgreSQL brings none. Install it, or give another client what \`npx specwright db url\` prints:
  Debian, Ubuntu: apt-get install postgresql-client
  macOS: brew install libpq && brew link --force libpq
  Windows: winget install PostgreSQL.PostgreSQL`;

/** @param sql runs this alone; else psql asks for statements. @throws Error if psql is missing, or ends with a failure. */
export async function runPsql(url: string, sql: string | undefined): Promise<void> {
  const psql = await findPsql();
  if (psql === undefined) throw new Error(NO_PSQL);
  const { username, password, hostname, port, pathname, searchParams } = new URL(url);
  const child = spawn(psql, sql === undefined ? [] : ['-v', 'ON_ERROR_STOP=1', '-c', sql], {
    stdio: 'inherit',
    // Not as an argument, which every user of the machine can read.
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      ...(searchParams.get('sslmode') !== null && { PGSSLMODE: searchParams.get('sslmode') ?? '' }),
    },
  });
  // Ctrl-C ends a statement of psql, not this process, which has to outlive it.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`psql ended with exit code ${String(code)}`);
  } finally {
    process.off('SIGINT', ignore);
  }
}
