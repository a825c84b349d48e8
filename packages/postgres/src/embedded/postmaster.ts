// Starts and stops the PostgreSQL server process of a data directory.
import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, remedyIn } from './error.ts';
import { isPostmaster, readPidFile } from './pidfile.ts';
import { explainSpawn, run, spawnOptions, type Account } from './run.ts';

/** For the server to start or stop; recovery after a crash is part of a start. */
const PATIENCE_MS = 60_000;
const LOG_BYTES = 1024 * 1024;

/** For a developer's machine: small, as near to a server's defaults as that allows, and with as few processes. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  log_checkpoints: 'off',
};

/** The file that the server's messages go to. */
export function logFile(cluster: string): string {
  return join(cluster, 'embedded.log');
}

/** The last lines of the server's log, and where the rest is, to be put into an error. */
export async function logTail(cluster: string, from = 0): Promise<string> {
  const log = await readFile(logFile(cluster)).catch(() => Buffer.alloc(0));
  const lines = log.subarray(from).toString().trim().split('\n').slice(-10);
  return `The end of ${logFile(cluster)}:\n${lines.join('\n')}`;
}

export interface LaunchOptions {
  cluster: string;
  binaries: Binaries;
  account: Account | undefined;
  /** Server settings besides ours, as in postgresql.conf. */
  settings: Record<string, string>;
  /** The id in a postmaster.pid that is known to be another program's process. */
  stalePid: number | undefined;
}

/**
 * Starts the server and waits until it accepts connections: `ready`. `busy` if the data is still in use, by another server
 * or by what is left of one. Rejects with EmbeddedError if it does not start.
 */
export async function launch(options: LaunchOptions): Promise<'ready' | 'busy'> {
  // The port of last time, so that it stays the same for a database tool and for whoever lost the connection in a crash.
  const opts = await readFile(join(options.cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  let wanted = Number(/"port=(\d+)"/.exec(opts)?.[1] ?? 0);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await launchOn(await freePort(wanted), options);
    if (outcome !== 'port taken') return outcome;
    if (attempt === 5) throw new EmbeddedError('found no free port on 127.0.0.1', await logTail(options.cluster));
    wanted = 0; // somebody took it between our look and the server's
  }
}

async function launchOn(port: number, options: LaunchOptions): Promise<'ready' | 'busy' | 'port taken'> {
  const { cluster, binaries, account, settings, stalePid } = options;
  const flags = Object.entries({ ...SETTINGS, ...settings, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const log = await openLog(cluster, account);
  let child: ChildProcess;
  let exited: string | undefined;
  try {
    const base = spawnOptions(binaries.postgres, account);
    child = spawn(binaries.postgres, ['-D', cluster, ...flags], {
      ...base,
      // PostgreSQL takes a postmaster.pid that names its own grandparent for stale. That is the one safe way to get past
      // such a file: removed by us, it might be the new one of a server that started between our look and the removal.
      env: { ...base.env, ...(stalePid && { PG_GRANDPARENT_PID: String(stalePid) }) },
      detached: true, // a session of its own: the terminal's Ctrl-C is ours, and we stop the server when we have drained
      stdio: ['ignore', log.handle.fd, log.handle.fd],
    });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(explainSpawn(binaries.postgres, error)));
    });
    child.once('exit', (code, signal) => (exited = signal ?? `exit code ${code}`));
    child.unref();
    await Promise.race([failed, new Promise((resolve) => child.once('spawn', resolve))]);
  } finally {
    await log.handle.close();
  }

  for (const end = Date.now() + PATIENCE_MS; exited === undefined; await sleep(10)) {
    const running = await readPidFile(cluster);
    if (running?.pid === child.pid && running?.ready) return 'ready';
    if (Date.now() > end) {
      child.kill('SIGINT');
      throw new EmbeddedError(`the server was not ready after ${PATIENCE_MS / 1000} s`, await logTail(cluster, log.start));
    }
  }
  const tail = await logTail(cluster, log.start);
  if (/lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/.test(tail)) return 'busy';
  if (/could not create any TCP\/IP sockets/.test(tail)) return 'port taken';
  throw new EmbeddedError(`the server did not start (${exited}). ${tail}`, remedyIn(tail));
}

/** Stops the server of a data directory: sessions are ended, the data is written out. Returns once it is gone. */
export async function shutDown(cluster: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  const running = await readPidFile(cluster);
  if (!running) return;
  // Waited for by process id, not by pg_ctl: that waits for the file to go, which the next server may have made by then.
  const { output } = await run(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-W'], account);
  for (const end = Date.now() + PATIENCE_MS; (await isPostmaster(running.pid, cluster)) !== false; await sleep(10)) {
    if (Date.now() > end) throw new EmbeddedError(`the server did not stop: ${output}`, await logTail(cluster));
  }
}

/** The log, open for appending, and where this start's messages begin. One that has grown too long starts anew. */
async function openLog(
  cluster: string,
  account: Account | undefined,
): Promise<{ handle: Awaited<ReturnType<typeof open>>; start: number }> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  // The folder is the account's, who must not be able to make root write elsewhere by means of a link.
  const handle = await open(logFile(cluster), O_APPEND | O_CREAT | O_WRONLY | (process.platform === 'win32' ? 0 : O_NOFOLLOW), 0o600);
  if (account) await handle.chown(account.uid, account.gid);
  const { size } = await handle.stat();
  if (size > LOG_BYTES) await handle.truncate(0);
  return { handle, start: size > LOG_BYTES ? 0 : size };
}

/** `wanted` if it is free on 127.0.0.1, else one that the system picks. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (wanted ? resolve(freePort(0)) : reject(error)));
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
