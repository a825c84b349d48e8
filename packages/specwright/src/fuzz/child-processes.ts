/** Processes of a fuzz run: each in a group of its own, so that Ctrl-C reaches them through this program, in order. */
import { spawn, type ChildProcess } from 'node:child_process';

export interface ChildProcesses {
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'pipe' | 'inherit'): ChildProcess;
  isRunning(child: ChildProcess): boolean;
  /** Stops a process; after `timeout` ms it is killed with everything that it started. */
  stop(child: ChildProcess, timeout: number): Promise<void>;
  stopAll(timeout: number): Promise<void>;
}

export function createChildProcesses(cwd: string): ChildProcesses {
  const running = new Set<ChildProcess>();
  async function stop(child: ChildProcess, timeout: number): Promise<void> {
    if (child.pid === undefined || !running.has(child)) return;
    const { pid } = child;
    const kill = setTimeout(() => process.kill(-pid, 'SIGKILL'), timeout);
    child.kill('SIGTERM');
    await exitOf(child);
    clearTimeout(kill);
  }
  return {
    start(command, args, env, stdio) {
      const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio], detached: true });
      running.add(child);
      child.once('exit', () => running.delete(child));
      return child;
    },
    isRunning: (child) => running.has(child),
    stop,
    async stopAll(timeout) {
      await Promise.all([...running].map((child) => stop(child, timeout)));
    },
  };
}

/** @returns the exit code, or the signal that ended the process. */
export const exitOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode ?? child.signalCode ?? 1);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
    child.once('error', reject);
  });
