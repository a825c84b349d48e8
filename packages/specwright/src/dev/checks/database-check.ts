/** The tables that the migrations make, kept between saves: they are run again when a migration has changed. */
import { fork, type ChildProcess } from 'node:child_process';
import { dirname, join, sep } from 'node:path';
import { nodeArguments, siblingModule, waitForEnd } from '../../node-arguments.ts';
import type { Project } from '../../project-config.ts';
import type { DatabaseRequest, DatabaseState } from './database-check-process.ts';

export type DatabaseCheck = ReturnType<typeof startDatabaseCheck>;

/** How long to wait for a check that is under way, in ms. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Runs the migrations at once, and again when `state` is asked for after one has changed. */
export function startDatabaseCheck({ root, schema }: Project, request: DatabaseRequest) {
  const program = siblingModule('database-check-process', import.meta.url);
  const folder = join(root, dirname(schema)) + sep;
  let child: ChildProcess | undefined;
  let state: Promise<DatabaseState> | undefined;

  function inspect(): Promise<DatabaseState> {
    child?.kill();
    const started = fork(program, { cwd: root, execArgv: nodeArguments(), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child = started;
    started.send(request);
    return new Promise((resolve) => {
      started.once('message', (message: DatabaseState) => resolve(message));
      started.once('exit', (code, signal) => {
        // After its message this changes nothing.
        const message = `the check of the migrations ended with ${String(signal ?? code)}`;
        resolve({ problems: [{ message, fix: 'save again' }], blocksServer: false });
      });
    });
  }

  state = inspect();
  return {
    /** Records saved files (absolute paths). */
    touch(files: Iterable<string>): void {
      if ([...files].some((file) => file.startsWith(folder))) state = undefined;
    },
    state: (): Promise<DatabaseState> => (state ??= inspect()),
    /** Resolves once it uses the database no more. */
    async close(): Promise<void> {
      // Killed, it would leave its lease of the embedded database to a session that ends later than the loop: nobody would stop PostgreSQL.
      if (child !== undefined) await waitForEnd(child, CLOSE_TIMEOUT_MS);
    },
  };
}
