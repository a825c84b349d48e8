/** The end of a process of the development loop. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Waits until a process has ended. @param timeoutMs after which it is killed. */
export async function waitForEnd(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(kill);
}
