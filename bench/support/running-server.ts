/** A server of the bench in a process of its own, as the bench sees it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from './compile.ts';
import type { Answer, Answers, Command, Started } from './server-process.ts';

export interface ServerEntry {
  readonly id: string;
  readonly title: string;
  /** The module that makes it. */
  readonly module: string;
  /** That of the same server in another tree, compiled there: it runs in the same process, and is compared with the first. */
  readonly base?: string;
  /** Peers are plain JavaScript without a loader; this server is measured both with the loader of `npm start` and built. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The npm packages whose versions matter, in `bench/peers`. */
  readonly packages?: readonly string[];
}

export interface RunningServer {
  readonly entry: ServerEntry;
  readonly port: number;
  /** Of the server of `base`. */
  readonly basePort: number;
  /** The version of Node that it runs on. */
  readonly node: string;
  /** @throws Error if the server has not answered as it should. */
  ask<K extends Command['kind']>(command: Extract<Command, { kind: K }>): Promise<Answers[K]>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** The path of a Node executable. */
  readonly node: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A folder for a CPU profile of each server. */
  readonly profile?: string | undefined;
}

const STOP_TIMEOUT_MS = 20_000;

/** @throws Error with what the process said, if it does not start. */
async function startServer(entry: ServerEntry, { node, env, profile }: StartOptions): Promise<RunningServer> {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${entry.id}.cpuprofile`];
  const child = fork(compiled('server-process'), entry.base === undefined ? [entry.module] : [entry.module, entry.base], {
    execPath: node,
    execArgv: [...(entry.execArgv ?? []), ...profiling],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...entry.env, ...env },
    // The log goes to the null device: its lines are written, and nobody pays for reading them.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  child.on('error', (error) => (said += error.message));
  const failed = (what: string) => new Error(`${entry.title} ${what}${said === '' ? '' : `:\n${said.trimEnd()}`}`);
  const { ports, node: version } = await nextMessage<Started>(child, failed);
  return {
    entry,
    port: ports[0] ?? 0,
    basePort: ports[1] ?? 0,
    node: version,
    async ask(command) {
      if (!child.connected) throw failed(endedWith(child.exitCode, child.signalCode));
      child.send(command);
      const answer = await nextMessage<Answer>(child, failed);
      if ('error' in answer) throw failed(answer.error);
      return answer.value as never;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS).unref();
      await exited;
    },
  };
}

const endedWith = (code: number | null, signal: string | null) => `ended with ${signal ?? `code ${code}`}`;

/** @throws what `failed` makes, if the process ends first. */
export function nextMessage<T>(child: ChildProcess, failed: (what: string) => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      child.off('exit', onExit);
      resolve(message as T);
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
  options: StartOptions,
  use: (servers: readonly RunningServer[]) => Promise<T>,
): Promise<T> {
  const servers: RunningServer[] = [];
  try {
    // One after the other: together they would be slow to start, and the first to fail would leave the rest behind.
    for (const entry of entries) servers.push(await startServer(entry, options));
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
