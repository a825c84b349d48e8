/** How this program starts others: Node on TypeScript (the project's, and its own where it runs from source). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** With it the packages resolve to their sources: in the checkout that they are developed in. */
export const SOURCE_CONDITION = '--conditions=@specwright/source';

/** The arguments of Node before the module. */
export const nodeArguments = (): string[] => [
  ...process.execArgv.filter((argument) => argument === SOURCE_CONDITION),
  '--import',
  import.meta.resolve('tsx'),
];

/** The URL of a module beside another one of this package, which is TypeScript in a checkout and JavaScript when built. */
export const siblingModule = (name: string, from: string): URL => new URL(name + (from.endsWith('.ts') ? '.ts' : '.js'), from);

/** Waits until a process has ended. @param timeoutMs after which it is killed. */
export async function waitForEnd(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(kill);
}

/**
 * Starts a module beside another one of this package as a process with a channel. It is in a group of its own: the Ctrl-C of a terminal
 * is for the development loop, which ends it.
 *
 * @param stderr where its errors go.
 */
export const forkSibling = (name: string, from: string, stderr: 'inherit' | 'ignore', cwd = process.cwd()): ChildProcess =>
  fork(siblingModule(name, from), {
    cwd,
    execArgv: nodeArguments(),
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    detached: process.platform !== 'win32',
  });
