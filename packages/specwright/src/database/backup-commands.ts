/** `db dump`, `db restore`, `db move`: copies of the database of a project. */
import { resolve } from 'node:path';
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
import { type Project, loadSchema } from '../project-config.ts';

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
          const restored = await restore(project, targetDb, backup, progress);
          console.log(`moved ${describe(backup.contents, restored)}`);
          console.log('set DATABASE_URL to that of the copy for every server and command; the former database is unchanged');
        });
      }),
    ),
  );
}

async function restore(project: Project, db: Database, backup: Backup, { onProgress, end }: BackupProgress): Promise<Restored> {
  const restored = await restoreBackup({ db, schema: await loadSchema(project), backup, onProgress });
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

/** Says how far a backup is: in a terminal in one line, else in a line now and then. */
const INTERVAL_MS = 5000;

interface BackupProgress {
  readonly onProgress: OnProgress;
  /** Before anything else is printed. */
  readonly end: () => void;
}

function reportProgress(write: (line: string) => void = (line) => console.error(line)): BackupProgress {
  const progress = createProgress();
  let saidAt = performance.now();
  return {
    onProgress(action, table, rows, isDone) {
      const now = performance.now();
      const text = `${action} ${table.name}: ${rows.toLocaleString('en')} rows`;
      if (isDone || now - saidAt >= INTERVAL_MS / 25) progress.show(text);
      if (process.stderr.isTTY || now - saidAt < INTERVAL_MS || rows === 0) return;
      write(text);
      saidAt = now;
    },
    end: () => progress.clear(),
  };
}
