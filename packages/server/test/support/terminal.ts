/** Programs in a terminal: what they write there differs from what they write to a pipe. */
import { spawn, spawnSync } from 'node:child_process';

interface TerminalExit {
  readonly code: number | null;
  /** What the terminal was sent: standard output and standard error, in their order, with `\n` as the end of a line. */
  readonly output: string;
}

interface TerminalOptions {
  readonly cwd?: string;
  /** Its whole environment, beside `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether there is `script` of util-linux, which makes a pseudo-terminal. */
export const hasTerminal = (): boolean => String(spawnSync('script', ['--version']).stdout).includes('util-linux');

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs Node.js in a terminal of 100 columns until it ends. @param args of Node.js. @throws Error unless `hasTerminal()`. */
export async function runInTerminal(args: readonly string[], { cwd, env = {} }: TerminalOptions = {}): Promise<TerminalExit> {
  const { PATH = '', HOME = '' } = process.env;
  const command = `stty cols 100 rows 40; exec ${[process.execPath, ...args].map(quote).join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH, HOME, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: output.replaceAll('\r\n', '\n') };
}
