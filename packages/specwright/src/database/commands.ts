/** `db dump`, `db restore`, `db move`: copies of the database of a project. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findPsql, startEmbedded } from '@specwright/embedded-postgres';
import { DATABASE_VARIABLES, type Database, type OpenDatabase, openDatabase } from '@specwright/postgres';
import {
  type Backup,
  type BackupContents,
  type OnProgress,
  type Restored,
  assertFree,
  assertNoServers,
  checkDump,
  openBackup,
  readDump,
  restoreBackup,
  writeDump,
} from '@specwright/postgres/backup';
import { readEnvironment } from '@specwright/server';
import { createProgress, plural } from '@specwright/server/command';
import { touchFile } from '../files/write-files.ts';
import { type Project, loadSchema } from '../project-config.ts';
import { withAdmin } from '../testing/fixtures/database/test-server.ts';

type Config = ReturnType<typeof readDatabaseConfig>;

const readDatabaseConfig = () => readEnvironment(DATABASE_VARIABLES);

/** Writes the database of the project to a file. Servers may go on. */
export async function dumpDatabase(project: Project, file: string): Promise<void> {
  await assertFree(file);
  await withProgress((progress) =>
    withDatabase(project, readDatabaseConfig(), ({ db }) =>
      openBackup(db, project.name, async (backup) => {
        await writeDump(file, backup, progress.onProgress);
        progress.end();
        console.log(`wrote ${file}: ${plural(backup.contents.tables.length, 'table')}`);
      }),
    ),
  );
}

/** Fills the empty database of the project from a file. */
export async function restoreDatabase(project: Project, file: string): Promise<void> {
  await withProgress(async (progress) => {
    const contents = await checkDump(file, progress.onProgress);
    await withDatabase(project, readDatabaseConfig(), async ({ db }) => {
      const restored = await restore(project, db, await readDump(file), progress);
      console.log(`restored ${describe(contents, restored)}`);
    });
  });
}

/** Copies the database of the project to an empty one at another URL. @param online although servers are connected. */
export async function moveDatabase(project: Project, targetUrl: string, online: boolean): Promise<void> {
  const config = readDatabaseConfig();
  const target = readEnvironment({ DATABASE_URL: DATABASE_VARIABLES.DATABASE_URL }, { DATABASE_URL: targetUrl }).databaseUrl;
  await withProgress((progress) =>
    withDatabase(project, { ...config, databaseUrl: target, databaseDirectUrl: undefined }, ({ db: targetDb }) =>
      withDatabase(project, config, async ({ db }) => {
        if (!online) await assertNoServers(db, project.name);
        await openBackup(db, project.name, async (backup) => {
          const restored = await restore(project, targetDb, backup, progress, true);
          console.log(`moved ${describe(backup.contents, restored)}`);
          console.log('set DATABASE_URL to that of the copy for every server and command; the former database is unchanged');
        });
      }),
    ),
  );
}

/** Has clients told that the database of the project is as it was earlier, after a recovery by other means than `restore`. */
export async function recoverDatabase(project: Project): Promise<void> {
  const { afterRecovery } = await loadSchema(project);
  await withDatabase(project, readDatabaseConfig(), ({ db }) =>
    db.transaction(async (trx) => {
      await afterRecovery?.(async <Row extends object>(sql: string) => (await trx.raw<{ rows: Row[] }>(sql)).rows);
    }),
  );
  console.log(afterRecovery === undefined ? 'there is nothing to tell' : 'streams that go on from later events begin with a reset');
}

async function restore(
  project: Project,
  db: Database,
  backup: Backup,
  { onProgress, end }: BackupProgress,
  isMove = false,
): Promise<Restored> {
  const restored = await restoreBackup({ db, schema: await loadSchema(project), backup, onProgress, isMove });
  end();
  for (const name of restored.migrated) console.log(`ran ${name}`);
  return restored;
}

const describe = ({ tables, takenAt }: BackupContents, { rows }: Restored): string =>
  `${plural(tables.length, 'table')} with ${plural(rows, 'row')} as of ${takenAt}; counts and digests are equal`;

async function withProgress(use: (progress: BackupProgress) => Promise<void>): Promise<void> {
  const progress = reportProgress();
  await use(progress).finally(progress.end);
}

/** @param use gets a pool of one connection, which is enough to find the database, and to migrate it. */
async function withDatabase(project: Project, config: Config, use: (database: OpenDatabase) => Promise<void>): Promise<void> {
  const database = await openDatabase({ ...config, databasePool: 1, name: project.name, dataDir: resolve(config.dataDir) });
  await use(database).finally(database.close);
}

const INTERVAL_MS = 5000;

interface BackupProgress {
  readonly onProgress: OnProgress;
  /** Before anything else is printed. */
  readonly end: () => void;
}

function reportProgress(): BackupProgress {
  const progress = createProgress();
  let saidAt = performance.now();
  return {
    /** In a terminal in one line, else in a line now and then. */
    onProgress(action, table, rows, isDone) {
      const now = performance.now();
      const text = `${action} ${table.name}: ${rows.toLocaleString('en')} rows`;
      if (isDone || now - saidAt >= INTERVAL_MS / 25) progress.show(text);
      if (process.stderr.isTTY || now - saidAt < INTERVAL_MS || rows === 0) return;
      console.error(text);
      saidAt = now;
    },
    end: () => progress.clear(),
  };
}

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
const NO_PSQL = `psql is not installed, and the embedded PostgreSQL brings none. Install it, or give another client what \`npm run db -- url\` prints:
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
