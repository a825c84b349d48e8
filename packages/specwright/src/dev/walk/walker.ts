/** Runs the contract walk of some operations, each time in a new process, which is prepared before it is needed. */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments, siblingModule } from '../../node-arguments.ts';
import type { ProjectConfig } from '../../project-config.ts';
import type { WalkRequest, WalkResponse } from './walk-process.ts';

export interface Walker {
  /** @param file of the walk. @returns what the tests of these operations have said; `undefined` once the signal is aborted. */
  walk(file: string, operations: readonly string[], signal: AbortSignal): Promise<WalkResponse | undefined>;
  /** Prepares the next run. */
  prepare(): void;
  close(): void;
}

/** The time after which a walk is ended, in ms. */
const TIMEOUT_MS = 60_000;
/** The names that the file of the walk has in projects, and what it calls. */
const FILES = ['walk.test.ts', 'operations.test.ts'];
const IS_WALK = /\b(walkContract|testOperations)\s*\(/;

/** The file with the walk of a project, from its root, if it has one. */
export function findWalk({ root, contractTests }: ProjectConfig): string | undefined {
  return FILES.map((name) => `${contractTests}/${name}`).find((file) => {
    const path = join(root, file);
    return existsSync(path) && IS_WALK.test(readFileSync(path, 'utf8'));
  });
}

/** @param url of a PostgreSQL server in which databases may be created. */
export function createWalker(root: string, url: string): Walker {
  const program = siblingModule('walk-process', import.meta.url);
  let standby: ChildProcess | undefined;
  let running: ChildProcess | undefined;
  let closed = false;
  // What it logs is told by its failures.
  const start = () =>
    fork(program, {
      cwd: root,
      execArgv: nodeArguments(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: process.platform !== 'win32',
    });
  return {
    walk(file, operations, signal) {
      const child = standby?.connected === true ? standby : start();
      standby = undefined;
      running = child;
      return new Promise((resolve) => {
        const end = (response: WalkResponse | undefined) => {
          clearTimeout(timer);
          resolve(response);
        };
        const timer = setTimeout(() => {
          end({ results: [], failure: `it did not end within ${TIMEOUT_MS / 1000} s` });
          child.kill('SIGKILL');
        }, TIMEOUT_MS);
        // It goes on and removes its databases, and nobody listens.
        signal.addEventListener('abort', () => end(undefined), { once: true });
        child.once('message', (response: WalkResponse) => end(response));
        child.once('exit', (code, killedBy) => end({ results: [], failure: `its process ended with ${String(killedBy ?? code)}` }));
        child.send({ file, operations, url } satisfies WalkRequest);
      });
    },
    prepare() {
      if (standby?.connected !== true && !closed) standby = start();
    },
    close() {
      closed = true;
      for (const child of [standby, running]) child?.kill('SIGKILL');
    },
  };
}
