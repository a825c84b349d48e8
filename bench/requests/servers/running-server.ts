/** A server of the bench in a process of its own, as the bench sees it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../compile.ts';
import type { ServerEntry } from './servers.ts';
import type { Answer, Answers, Command, Started } from './server-process.ts';

export interface RunningServer {
  readonly entry: ServerEntry;
  readonly port: number;
  /** The version of Node that it runs on. */
  readonly node: string;
  /** @throws Error if the server has not answered as it should. */
  ask<K extends Command['kind']>(command: Extract<Command, { kind: K }>): Promise<Answers[K]>;
  stop(): Promise<void>;
}

/** @param node the path of a Node executable. @throws Error with what the process said, if it does not start. */
export async function startServer(entry: ServerEntry, node: string, env: NodeJS.ProcessEnv): Promise<RunningServer> {
  const child = fork(compiled('server-process'), [entry.module], {
    execPath: node,
    execArgv: [...entry.execArgv],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...entry.env, ...env },
    // The log goes to the null device: its lines are written, and nobody pays for reading them.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  child.on('error', (error) => (said += error.message));
  const failed = (what: string) => new Error(`${entry.title} ${what}${said === '' ? '' : `:\n${said.trimEnd()}`}`);
  const { port, node: version } = (await nextMessage(child, failed)) as Started;
  return {
    entry,
    port,
    node: version,
    async ask(command) {
      if (!child.connected) throw failed(endedWith(child.exitCode, child.signalCode));
      child.send(command);
      const answer = (await nextMessage(child, failed)) as Answer;
      if ('error' in answer) throw failed(answer.error);
      return answer.value as never;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const endedWith = (code: number | null, signal: string | null) => `ended with ${signal ?? `code ${code}`}`;

/** @throws what `failed` makes, if the process ends first. */
export function nextMessage(child: ChildProcess, failed: (what: string) => Error): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null, signal: string | null) => {
      child.off('message', onMessage);
      reject(failed(endedWith(code, signal)));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}

/** Starts servers, hands them to `use`, and stops them whatever happens. */
export async function withServers<T>(
  entries: readonly ServerEntry[],
  { node, env }: { node: string; env: NodeJS.ProcessEnv },
  use: (servers: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const servers: RunningServer[] = [];
  try {
    // One after the other: together they would be slow to start, and the first to fail would leave the rest behind.
    for (const entry of entries) servers.push(await startServer(entry, node, env));
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
