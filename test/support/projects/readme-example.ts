/** Follows the README of a package as a reader does, in an empty folder: files that it names, and commands, in their order. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { until } from 'specwright/testing';

const LISTEN_TIMEOUT_MS = 120_000;

/** A file whose name is in the line before its text, or the commands of a block. */
export type ReadmeStep = { readonly file: string; readonly text: string } | { readonly commands: readonly string[] };

/** Up to the first section that tells more than how to begin. Code without a name is a part of something, and left out. */
export function readSteps(readme: string): ReadmeStep[] {
  const [start = ''] = readFileSync(readme, 'utf8').split(/^## (?!Install$|A complete example$)/m);
  return [...start.matchAll(/([^\n]*)\n\n```(\w+)\n([^]*?)```/g)].flatMap(([, before = '', language, text = '']): ReadmeStep[] => {
    if (language === 'sh') return [{ commands: text.trimEnd().split('\n') }];
    const [, file] = /`([\w./-]+\.\w+)`:$/.exec(before) ?? [];
    return file === undefined ? [] : [{ file, text }];
  });
}

export interface ReadmeRun {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

type StartCommand = (command: string) => ChildProcess;

const start =
  ({ folder, env }: ReadmeRun, port: number): StartCommand =>
  (command) =>
    spawn('sh', ['-c', command.replaceAll('localhost:3000', `127.0.0.1:${port}`)], {
      cwd: folder,
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });

/** Runs a server until `use` has ended, with all processes that it starts. @throws Error with its output if it ends or does not listen. */
export async function withBackground(command: string, run: ReadmeRun, use: (url: string, port: number) => Promise<void>): Promise<void> {
  const port = await findFreePort();
  const child = start(run, port)(command);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    await until(async () => (await isListening(port)) || child.exitCode !== null, LISTEN_TIMEOUT_MS);
    if (child.exitCode !== null) throw new Error('it ended');
    await use(`http://127.0.0.1:${port}`, port);
  } catch (error) {
    throw new Error(`${command} in the background: ${(error as Error).message}\n${output}`, { cause: error });
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
  }
}

/** Runs all steps. A command that the next ones call by `curl` goes on meanwhile. @throws Error with the output of a command that fails. */
export async function followReadme(steps: readonly ReadmeStep[], run: ReadmeRun): Promise<void> {
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1];
    const previous = steps[i - 1];
    if ('file' in step) {
      await mkdir(dirname(join(run.folder, step.file)), { recursive: true });
      await writeFile(join(run.folder, step.file), step.text);
    } else if (callsServer(next))
      await withBackground(step.commands[0] ?? '', run, async (_url, port) => {
        for (const command of next.commands) await runCommand(command, steps, start(run, port));
      });
    else if (!callsServer(step) || previous === undefined)
      for (const command of step.commands) await runCommand(command, steps, start(run, 0));
  }
}

const callsServer = (step: ReadmeStep | undefined): step is { commands: readonly string[] } =>
  step !== undefined && 'commands' in step && step.commands[0]?.startsWith('curl') === true;

async function runCommand(line: string, steps: readonly ReadmeStep[], start: StartCommand): Promise<void> {
  const [command = '', comment] = line.split(/ +# /);
  const child = start(command);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const problem = code === 0 ? unexpected(command, comment, stdout, steps) : `ended with ${String(code)}`;
  if (problem !== undefined) throw new Error(`${command} ${problem}:\n${stdout}${stderr}`);
}

/** What of a command's output is not what the README says: the status of a `curl`, and what a program prints by its comments. */
function unexpected(command: string, comment: string | undefined, stdout: string, steps: readonly ReadmeStep[]): string | undefined {
  if (command.startsWith('curl') && comment !== undefined) {
    const [, status] = /^HTTP\/\S+ (\d+)/.exec(stdout) ?? [];
    return status !== undefined && comment.startsWith(status) ? undefined : `should answer ${comment}`;
  }
  const [, program] = /^npx tsx (\S+)$/.exec(command) ?? [];
  const source = steps.find((step) => 'file' in step && step.file === program);
  const text = source !== undefined && 'text' in source ? source.text : '';
  const printed = [...text.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map(([, line]) => line);
  const lines = stdout.trimEnd().split('\n').filter((line) => !line.startsWith('{')); // prettier-ignore
  return program === undefined || lines.join('\n') === printed.join('\n') ? undefined : `should print ${printed.join(', ')}`;
}

const isListening = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );

/** A port of the loopback interface that nothing listens on. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
