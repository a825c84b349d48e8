/** The server of a development loop: one at a time, restarted when everything is good, left running when it is not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, isAbsolute, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inBackground, showsColors } from '@specwright/server';
import { nodeArguments, siblingModule, waitForEnd } from '../../node-arguments.ts';
import { describeListener, isPortFree } from '../../port.ts';
import type { StartMessage } from './standby-server.ts';

/** What is served, and what to do if it is nothing. */
export interface ServerState {
  /** `http://localhost:3000 serves what was saved at 12:00:00` */
  readonly summary: string;
  readonly fix?: string | undefined;
}

export interface DevServer {
  /** Stops the running server and starts another. Resolves when it listens, has ended, or waits for its port. */
  restart(version: string): Promise<void>;
  state(): ServerState;
  /** Prepares the next start: a process that has imported the packages already. */
  prepare(): void;
  /** Whether a server runs, is being started, or waits for its port. */
  alive(): boolean;
  /** Stops it for good. */
  stop(): Promise<void>;
  /** Ends it at once, while it is stopping too. */
  kill(): void;
}

export interface DevServerOptions {
  /** The folder of the project, and the module that it is started by. */
  readonly root: string;
  readonly main: string;
  /** The arguments of the program. */
  readonly args?: readonly string[];
  /** Where it will listen; 0 for any port. */
  readonly port: number;
  readonly host: string | undefined;
  /** Variables that it has beside those of this process, or in place of them. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Gets the output of the server. */
  readonly write: (text: string) => void;
  /** Is called when a server ends that was not stopped, and when one starts that had to wait for its port. */
  readonly onChange: (state: ServerState) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly version: string;
  url?: string;
}

/** The default of SHUTDOWN_TIMEOUT here, in ms: requests under way rarely matter in development, but an embedded database has to be stopped. */
const SHUTDOWN_TIMEOUT_MS = '5000';
/** The time after which a server that does not stop is killed, in ms. */
const KILL_TIMEOUT_MS = 15_000;
const PORT_POLL_INTERVAL_MS = 250;
/** How much of a server's output is searched for the reason of its end. */
const MAX_TAIL = 10_000;

export function createDevServer({ root, main, args = [], port, host, environment, write, onChange }: DevServerOptions): DevServer {
  let running: Running | undefined;
  let waiting = false;
  let ending: ChildProcess | undefined;
  let standby: ChildProcess | undefined;
  let stopped: ServerState = { summary: 'no server has been started' };
  // Of several restarts only the last one starts a server, after the one before has released the port.
  let latest = 0;
  let stopping = Promise.resolve();
  let ended = false;

  // A group of its own, so that Ctrl-C reaches it once, from the loop; a channel, so that it notices the loop's end.
  const spawnServer = () =>
    spawn(process.execPath, [...nodeArguments(), fileURLToPath(siblingModule('standby-server', import.meta.url)), dirname(main)], {
      cwd: root,
      env: {
        ...logEnvironment(),
        ...process.env,
        SHUTDOWN_TIMEOUT: process.env['SHUTDOWN_TIMEOUT'] ?? SHUTDOWN_TIMEOUT_MS,
        DRAIN_DELAY: '0',
        DOCS_RELOAD: process.env['DOCS_RELOAD'] ?? 'on',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
    });

  function start(version: string): Promise<void> {
    const child = standby?.connected === true ? standby : spawnServer();
    standby = undefined;
    child.send({ main, args } satisfies StartMessage);
    const current: Running = { child, version };
    running = current;
    let tail = '';
    return new Promise((resolve) => {
      const onOutput = (text: string) => {
        write(text);
        tail = (tail + text).slice(-MAX_TAIL);
      };
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        onOutput(text);
        current.url ??= /listens on (http\S+)/.exec(text)?.[1];
        if (current.url !== undefined) resolve();
      });
      child.stderr?.setEncoding('utf8').on('data', onOutput);
      child.once('close', (code, signal) => {
        if (running === current) {
          running = undefined;
          const summary = `none runs: the one of ${version} ended with ${String(signal ?? code)}${reasonIn(tail)}`;
          const location = locationIn(tail, root);
          const fix = location === undefined ? 'fix that (`npm run doctor` checks the environment) and save' : `fix ${location} and save`;
          stopped = { summary, fix: `${fix}: each save starts another` };
          // Before it listens, the caller of restart reports the state.
          if (current.url !== undefined) onChange(stopped);
        }
        resolve();
      });
    });
  }

  /** Starts the server as soon as its port is free; resolves when it listens, or has to wait. */
  async function startWhenFree(version: string, mine: number): Promise<void> {
    if (port === 0 || (await isPortFree(port, host))) return mine === latest ? start(version) : undefined;
    const listener = await describeListener(port);
    if (mine !== latest) return;
    waiting = true;
    stopped = { summary: `waits for port ${port}`, fix: `${listener}, or start with another: PORT=${port + 1}` };
    const startLater = async () => {
      while (mine === latest && !(await isPortFree(port, host))) await sleep(PORT_POLL_INTERVAL_MS, undefined, { ref: false });
      if (mine !== latest) return;
      waiting = false;
      await start(version);
      if (mine === latest) onChange(state());
    };
    inBackground(startLater());
  }

  const state = (): ServerState => {
    if (running === undefined) return stopped;
    return { summary: running.url === undefined ? 'is being started' : `${running.url} serves what was saved at ${running.version}` };
  };

  function stop(): Promise<void> {
    const child = running?.child;
    running = undefined;
    waiting = false;
    latest++;
    stopping = stopping.then(async () => {
      ending = child;
      await end(child);
    });
    return stopping;
  }

  return {
    async restart(version) {
      const released = stop();
      const mine = latest;
      await released;
      if (mine === latest) await startWhenFree(version, mine);
    },
    state,
    prepare() {
      if (standby?.connected !== true && !ended) standby = spawnServer();
    },
    alive: () => running !== undefined || waiting,
    stop() {
      ended = true;
      standby?.kill('SIGKILL');
      return stop();
    },
    kill() {
      for (const child of [running?.child, ending]) child?.kill('SIGKILL');
    },
  };
}

/** The log of the server is shown where that of the loop is: as it would be there, though it passes through a pipe. */
const logEnvironment = (): NodeJS.ProcessEnv =>
  process.stdout.isTTY ? { LOG_FORMAT: 'pretty', ...(showsColors(process.stdout) && { FORCE_COLOR: '1' }) } : {};

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined) return;
  child.kill('SIGTERM');
  await waitForEnd(child, KILL_TIMEOUT_MS);
}

/** `: Error: it cannot start`, if its output says so: in the last line of its log, or in a text. */
function reasonIn(output: string): string {
  const fatal = output
    .split('\n')
    .filter((line) => line.startsWith('{"level":"fatal"'))
    .at(-1);
  const text = fatal === undefined ? output : (JSON.parse(fatal) as { err: { message: string } }).err.message;
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(\{|at |Node\.js v)/.test(line));
  const reason = said.filter((line) => /^(\[?\w*Error\b|error:)/i.test(line)).at(-1) ?? said.at(-1);
  return reason === undefined ? '' : `: ${reason.slice(0, 150)}`;
}

/** `src/handlers/pets.ts:8:7`: the first line of the project that its output names, as a stack trace does. */
function locationIn(output: string, root: string): string | undefined {
  // eslint-disable-next-line specwright/linear-expression -- the end of what the developer's own server has written
  const places = output.matchAll(/([^\s()'"]+\.[cm]?[jt]s):(\d+)(?::(\d+))?/g);
  for (const [, path = '', line = '1', column = '1'] of places) {
    const file = relative(root, path.startsWith('file:') ? fileURLToPath(path) : path);
    if (isAbsolute(path.replace(/^file:\/\//, '')) && !/^\.\.|node_modules|^packages/.test(file))
      return `${file.replaceAll('\\', '/')}:${line}:${column}`;
  }
  return undefined;
}
