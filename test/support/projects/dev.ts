/** `npm run dev` as a process without a terminal: tests save files and wait for its output. */
import type { TestProcess } from 'specwright/testing';
import { startProcess } from '../service/process.ts';
import type { Project } from './project.ts';

export interface DevLoop {
  /** Runs `save`. @returns the output from then on, as soon as it matches the pattern. */
  after(save: () => Promise<unknown>, pattern: RegExp): Promise<string>;
  /** Its base URL, as soon as its first server listens. */
  url(): Promise<string>;
  /** All output. */
  output(): string;
  /** Ends it as Ctrl-C does, pressed once or several times. @returns its exit code. */
  interrupt(times?: number): Promise<number | null>;
}

/** The last line of every save. */
export const DONE = /^next .*\n/m;

export function startDev({ folder }: Pick<Project, 'folder'>, args: readonly string[] = [], env: Record<string, string> = {}): DevLoop {
  return followDev(startProcess({ cwd: folder, program: 'packages/specwright/src/main.ts', args: ['dev', ...args], env }));
}

/** @param server a process of `specwright dev`. */
export function followDev(server: TestProcess): DevLoop {
  const { child, output, exited } = server;
  return {
    async after(save, pattern) {
      const from = output.stdout.length;
      await save();
      return new Promise((resolve, reject) => {
        const look = () => {
          const text = output.stdout.slice(from);
          if (pattern.test(text)) {
            child.stdout?.off('data', look);
            resolve(text);
          }
        };
        child.stdout?.on('data', look);
        look();
        void exited.then(() =>
          reject(new Error(`ended before its output matched ${String(pattern)}:\n${output.stdout}\n${output.stderr}`)),
        );
      });
    },
    url: () => server.url(),
    output: () => `${output.stdout}${output.stderr}`,
    async interrupt(times = 1) {
      for (let i = 0; i < times; i++) {
        child.kill('SIGINT');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return (await exited).code;
    },
  };
}
