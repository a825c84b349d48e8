/** Another process that uses the embedded database, a client of it, and the process id of its server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import type { EmbeddedDatabase } from '@specwright/embedded-postgres';
import { isPostmaster, readPidFile } from '../../src/postmaster.ts';

const SOURCE = new URL('../../src/embedded.ts', import.meta.url).href;

/** Another process that starts the database of `dataDir` and uses it until it gets SIGTERM. The caller has to kill it. */
export async function startElsewhere(dataDir: string): Promise<ChildProcess> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(SOURCE)};
    const database = await startEmbedded({ database: 'service', dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } });
    const timer = setInterval(() => {}, 1000);
    process.once('SIGTERM', () => database.stop().then(() => clearInterval(timer)));
    console.log('ready');`;
  const child = spawn(process.execPath, ['--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`the process ended with exit code ${child.exitCode}`);
  return child;
}

/** Sends the signal and waits for the end of the process. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

/** The rows, each as an array of its values. */
export async function query(database: EmbeddedDatabase, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: database.url, ssl: false });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' }).finally(() => client.end());
  return rows;
}

/** The process id of the server of `dataDir`, 0 if it is not running. */
export async function postmaster(dataDir: string): Promise<number> {
  const cluster = join(dataDir, 'postgres');
  const file = await readPidFile(cluster);
  return file && (await isPostmaster(file.pid, cluster)) ? file.pid : 0;
}
