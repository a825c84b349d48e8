/** The server as a process of its own: started as a person starts it, listened to, and ended whatever happens. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string };
  /** Its base URL, as soon as it says that it listens. @throws Error with its output if it ends before. */
  url(): Promise<string>;
  /** Until its standard output has what the pattern matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** A copy of the project; this one if it is not given. */
  readonly cwd?: string;
  readonly program?: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();

/** Starts `src/main.ts` on a free port. Nothing of the environment's own configuration reaches it. */
export function startProcess({ env = {}, args = [], cwd = ROOT, program = 'src/main.ts' }: StartOptions): ServerProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--conditions=@specwright/source', '--import', 'tsx', program, ...args], {
    cwd,
    env: { PATH, HOME, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });

  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output.stdout);
        if (found !== null) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      void ended.then(({ code, signal }) => {
        reject(new Error(`ended with ${String(code ?? signal)} before it said ${String(pattern)}:\n${output.stdout}\n${output.stderr}`));
      });
    });

  const url = async () => (await says(/listens on (http:\/\/\S+)/))[1]?.replace('localhost', '127.0.0.1') ?? '';
  return { child, output, url, says, ended };
}

/** Ends what a test that failed has left behind. */
export async function endProcesses(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'close')));
}
