/** `npm run dev` as a process, without a terminal: saves are made in its project, and what it says after each is waited for. */
import { startProcess } from './process.ts';
import type { Project } from './project.ts';

export interface DevLoop {
  /** Runs what saves something. @returns what is said from then on, until the pattern is in it. */
  after(save: () => Promise<unknown>, pattern: RegExp): Promise<string>;
  /** Its base URL, as soon as its first server listens. */
  url(): Promise<string>;
  /** All that it has said. */
  output(): string;
  /** Ends it as Ctrl-C does. @returns its exit code. */
  interrupt(): Promise<number | null>;
}

/** The last line of every save. */
export const DONE = /^server .*\n/m;

export function startDev({ folder }: Pick<Project, 'folder'>, args: readonly string[] = [], env: Record<string, string> = {}): DevLoop {
  const server = startProcess({ cwd: folder, program: 'packages/cli/src/dev.ts', args, env });
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
        void exited.then(() => reject(new Error(`ended before it said ${String(pattern)}:\n${output.stdout}\n${output.stderr}`)));
      });
    },
    url: () => server.url(),
    output: () => `${output.stdout}${output.stderr}`,
    async interrupt() {
      child.kill('SIGINT');
      return (await exited).code;
    },
  };
}
