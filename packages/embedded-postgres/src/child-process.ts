/** Runs PostgreSQL's programs: as which user, with which environment, and why one could not be started. */
import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedError, toEmbeddedError } from './embedded-error.ts';

/** The system's user that a child process runs as; where it is undefined, the child runs as this process does. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * How to spawn `program`. The child gets none of this process's environment: PGDATA, PGPORT or PGOPTIONS would change what
 * the programs do, and a translated message could not be recognised. Node adds what Windows needs. The working directory is
 * the program's own, as `user` may be unable to enter ours.
 */
export function spawnOptions(program: string, user: SystemUser | undefined): SpawnOptions {
  return { cwd: dirname(program), env: { LC_ALL: 'C' }, windowsHide: true, ...user };
}

/** Runs `program` to its end, whatever its exit code. @throws EmbeddedError if it cannot be started. */
export function run(program: string, args: string[], user: SystemUser | undefined): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Ctrl-C ends all that is in the group of this process: it must not end the program that stops the server.
    const child = spawn(program, args, { ...spawnOptions(program, user), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', (error) => reject(toSpawnError(program, error)));
    child.once('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** Why `program` could not be started. ENOENT for a file that exists means that its loader does not: a glibc binary on musl. */
export function toSpawnError(program: string, error: NodeJS.ErrnoException): EmbeddedError {
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
      'Check that its file system is not mounted with noexec, and that a copy kept its execute permission.',
      error,
    );
  }
  if (error.code === 'EPERM') {
    return new EmbeddedError(
      `not allowed to start ${program} as another user, and PostgreSQL refuses to run as root`,
      'This root lacks CAP_SETUID: run as an ordinary user.',
      error,
    );
  }
  return toEmbeddedError(error, `start ${program}`);
}

/** Whether a process with this id exists, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
