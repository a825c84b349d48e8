/** postmaster.pid, in which a running PostgreSQL says where it listens, and whether the file is stale. */
import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from './embedded-error.ts';
import { isAlive } from './child-process.ts';

/** Lines of postmaster.pid; see src/include/utils/pidfile.h of PostgreSQL. */
export interface PidFile {
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
