/** Starts and stops the PostgreSQL server process of a data directory. */
import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, fixFor, codeOf } from './embedded-error.ts';
import { toSpawnError, run, spawnOptions, type SystemUser, isAlive } from './child-process.ts';
import { promisify } from 'node:util';

/** How long the server may take to start or to stop. Recovery after a crash is part of a start. */
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 10;
const MAX_PORT_ATTEMPTS = 5;
const MAX_LOG_BYTES = 1024 * 1024;

/** For a developer's machine: little memory, few processes, and otherwise PostgreSQL's defaults. */
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

function logFile(cluster: string): string {
  return join(cluster, 'embedded.log');
}

/** The last lines of the server's log and its path, for an error message. @param from the offset in bytes to read from. */
export async function logTail(cluster: string, from = 0): Promise<string> {
  const log = await readFile(logFile(cluster)).catch(() => Buffer.alloc(0));
  const lines = log.subarray(from).toString().trim().split('\n').slice(-10);
  return `The end of ${logFile(cluster)}:\n${lines.join('\n')}`;
}

export interface StartOptions {
  cluster: string;
  binaries: Binaries;
  user: SystemUser | undefined;
  settings: Record<string, string>;
  /** The id in a postmaster.pid that is known to be another program's process. */
  stalePid: number | undefined;
}

/**
 * Starts the server and waits until it accepts connections.
 *
 * @returns `busy` if the data is still in use, by another server or by a process that is left of one.
 * @throws EmbeddedError if it does not start.
 */
export async function startPostmaster(options: StartOptions): Promise<'ready' | 'busy'> {
  // The port of the last start, so that database tools and processes that lost their connection in a crash find it again.
  const opts = await readFile(join(options.cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  let preferred = Number(/"port=(\d+)"/.exec(opts)?.[1] ?? 0);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await startOnPort(await freePort(preferred), options);
    if (outcome !== 'port taken') return outcome;
    if (attempt === MAX_PORT_ATTEMPTS) throw new EmbeddedError('found no free port on 127.0.0.1', await logTail(options.cluster));
    preferred = 0; // another process took it between the check and the server's start
  }
}

async function startOnPort(port: number, options: StartOptions): Promise<'ready' | 'busy' | 'port taken'> {
  const { cluster, binaries, user, settings, stalePid } = options;
  const flags = Object.entries({ ...SETTINGS, ...settings, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const log = await openLog(cluster, user);
  let child: ChildProcess;
  let exited: string | undefined;
  try {
    const base = spawnOptions(binaries.postgres, user);
    child = spawn(binaries.postgres, ['-D', cluster, ...flags], {
      ...base,
      // PostgreSQL treats a postmaster.pid that names its own grandparent as stale. That is the only safe way past such a
      // file: one that we removed could be that of a server which started between our check and the removal.
      env: { ...base.env, ...(stalePid && { PG_GRANDPARENT_PID: String(stalePid) }) },
      detached: true, // in a separate session Ctrl-C does not reach it: it has to outlive the draining of requests
      stdio: ['ignore', log.handle.fd, log.handle.fd],
    });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(toSpawnError(binaries.postgres, error)));
    });
    child.once('exit', (code, signal) => (exited = signal ?? `exit code ${code}`));
    child.unref();
    await Promise.race([failed, new Promise((resolve) => child.once('spawn', resolve))]);
  } finally {
    await log.handle.close();
  }

  for (const end = Date.now() + TIMEOUT_MS; exited === undefined; await sleep(POLL_INTERVAL_MS)) {
    const running = await readPidFile(cluster);
    if (running?.pid === child.pid && running?.ready) return 'ready';
    if (Date.now() > end) {
      child.kill('SIGINT');
      throw new EmbeddedError(`the server was not ready after ${TIMEOUT_MS / 1000} s`, await logTail(cluster, log.start));
    }
  }
  const tail = await logTail(cluster, log.start);
  if (/lock file "postmaster.pid" (already exists|is empty)|pre-existing shared memory block/.test(tail)) return 'busy';
  if (/could not create any TCP\/IP sockets/.test(tail)) return 'port taken';
  throw new EmbeddedError(`the server did not start (${exited}). ${tail}`, fixFor(tail));
}

/** Stops the server of a data directory: ends its sessions, writes out the data, and returns once the process has ended. */
export async function stopPostmaster(cluster: string, binaries: Binaries, user: SystemUser | undefined): Promise<void> {
  const running = await readPidFile(cluster);
  if (!running) return;
  // Waited for by process id, not by pg_ctl: that waits until the file is gone, and the next server may have written its own.
  const { output } = await run(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-W'], user);
  for (const end = Date.now() + TIMEOUT_MS; (await isPostmaster(running.pid, cluster)) !== false; await sleep(POLL_INTERVAL_MS)) {
    if (Date.now() > end) throw new EmbeddedError(`the server did not stop: ${output}`, await logTail(cluster));
  }
}

/** The log, open for appending, and the offset at which this start's messages begin. It is emptied when it is too long. */
async function openLog(
  cluster: string,
  user: SystemUser | undefined,
): Promise<{ handle: Awaited<ReturnType<typeof open>>; start: number }> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  // The folder belongs to `user`, who must not be able to make root write elsewhere by means of a link.
  const handle = await open(logFile(cluster), O_APPEND | O_CREAT | O_WRONLY | (process.platform === 'win32' ? 0 : O_NOFOLLOW), 0o600);
  if (user) await handle.chown(user.uid, user.gid);
  const { size } = await handle.stat();
  if (size > MAX_LOG_BYTES) await handle.truncate(0);
  return { handle, start: size > MAX_LOG_BYTES ? 0 : size };
}

/** `preferred` if it is free on 127.0.0.1, else one that the system picks. */
function freePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (preferred ? resolve(freePort(0)) : reject(error)));
    server.listen({ host: '127.0.0.1', port: preferred, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

// postmaster.pid, in which a running PostgreSQL says where it listens, and whether the file is stale.

/** Lines of postmaster.pid; see src/include/utils/pidfile.h of PostgreSQL. */
interface PidFile {
  pid: number;
  port: number;
  /** It accepts connections. False while it starts, recovers or stops. */
  ready: boolean;
}

/** The postmaster.pid of a data directory, undefined if there is none (yet). */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === '') await removeEmpty(file);
  if (!text) return undefined;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** A power failure can leave the file empty. PostgreSQL then refuses to start until someone removes it. */
async function removeEmpty(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const isBeingWritten = found && Date.now() - found.mtimeMs < 2000;
  if (found && !isBeingWritten) await rm(file, { force: true });
}

/**
 * Whether process `pid` is the postmaster of this data directory; undefined if that is unknown. After a crash or in a
 * restarted container the id in a stale file may belong to any other process.
 */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean | undefined> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    try {
      // The working directory of a postmaster is its data directory. Compared by inode: the checkout may have been moved.
      const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`, { bigint: true }), stat(cluster, { bigint: true })]);
      return theirs.dev === ours.dev && theirs.ino === ours.ino;
    } catch (error) {
      // EACCES: another user's process, whereas the postmaster runs as the owner of the data, which this process is.
      // ENOENT: it has just ended, or it has ended and its exit status has not been collected.
      return ['EACCES', 'ENOENT', 'ESRCH'].includes(codeOf(error) ?? '') ? false : undefined;
    }
  }
  if (process.platform === 'win32') return undefined;
  const ps = promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
  return ps.then(
    ({ stdout }) => (stdout.includes('postgres') ? undefined : false),
    () => undefined,
  );
}
