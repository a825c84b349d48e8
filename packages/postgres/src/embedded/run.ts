// Runs PostgreSQL's programs: as which user, with which environment, and what it means when one does not even start.
import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedError, explain } from './error.ts';

/** The user that a child process runs as. Undefined in a signature means: as ourselves. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * How to spawn `program`. The child sees nothing of our environment: PGDATA, PGPORT or PGOPTIONS would change what the
 * programs do, and a translated message could not be recognised. Node adds what Windows cannot do without. The working
 * directory is the program's own, which the account can reach, as it may be unable to enter ours.
 */
export function spawnOptions(program: string, account: Account | undefined): SpawnOptions {
  return { cwd: dirname(program), env: { LC_ALL: 'C' }, windowsHide: true, ...account };
}

/** Runs to the end. Rejects with EmbeddedError when the program cannot be started; an exit code is only reported. */
export function run(program: string, args: string[], account: Account | undefined): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(program, account), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => reject(explainSpawn(program, error)));
    child.once('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** Why `program` did not start. ENOENT for a file that is there means that its loader is not: a glibc binary on musl. */
export function explainSpawn(program: string, error: NodeJS.ErrnoException): EmbeddedError {
  if (error.code === 'ENOENT' && existsSync(program)) {
    return new EmbeddedError(
      `${program} cannot be executed on this system`,
      'The binaries need glibc, which musl systems such as Alpine do not have: use a Debian based image.',
      error,
    );
  }
  if (error.code === 'EACCES') {
    return new EmbeddedError(
      `not allowed to execute ${program}`,
      'Is its file system mounted with noexec, or its execute permission lost in a copy?',
      error,
    );
  }
  if (error.code === 'EPERM') {
    return new EmbeddedError(
      `not allowed to start ${program} as another user, and PostgreSQL refuses to run as root`,
      'This root lacks the right to become someone else (CAP_SETUID): run as an ordinary user.',
      error,
    );
  }
  return explain(error, `start ${program}`);
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
