/**
 * Commands of `specwright` for tests, without a process for each: to start one takes more time than most of them need.
 * That they run as processes is tested by the gates of `.ci/run`, which are these commands, and by the tests of new projects.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll } from '@jest/globals';

export interface CommandResult {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Runs a command in a folder: `lint`, with its arguments. One at a time. */
export type RunCommand = (cwd: string, ...args: string[]) => Promise<CommandResult>;

/**
 * One process for the commands of a test file, which starts with the first of them. What it imports of a project it imports once:
 * a command that needs a migration or a configuration that the test has changed since is to be started as a process.
 */
export function withCommands(): RunCommand {
  let child: ChildProcess | undefined;
  // Not killed: it says at its end what it has run, to those who want to know that of tests.
  afterAll(async () => {
    if (child?.connected !== true) return;
    child.disconnect();
    await once(child, 'exit');
  });
  return async (cwd, ...args) => {
    const runner = (child ??= fork(resolve('test/support/projects/command-runner.mjs'), [resolve('packages/specwright/src/program.ts')], {
      execArgv: ['--conditions=@specwright/source', '--import', new URL('../runner/hooks.mjs', import.meta.url).href],
      env: { ...process.env, NODE_OPTIONS: '' },
    }));
    const ended = new AbortController();
    const ends = once(runner, 'exit', ended).then(([code]) => {
      throw new Error(`the process ended with ${String(code)} while it ran specwright ${args.join(' ')}`);
    });
    ends.catch(() => undefined);
    runner.send({ cwd, args });
    const [result] = (await Promise.race([once(runner, 'message', ended), ends])) as [CommandResult];
    ended.abort();
    return result;
  };
}
