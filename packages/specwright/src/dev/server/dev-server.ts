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

export interface DevServerOptions {
  /** The folder of the project, and the module that it is started by. */
  readonly root: string;
  readonly main: string;
  readonly args?: readonly string[];
  /** Where it will listen; 0 for any port. */
  readonly port: number;
  readonly host: string | undefined;
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

/** Servers of a development loop, one after another: a process that runs, one that is prepared, one that is being stopped. */
export class DevServer {
  readonly #options: DevServerOptions;
  #running: Running | undefined;
  /** Whether it waits for its port. */
  #waiting = false;
  #ending: ChildProcess | undefined;
  #standby: ChildProcess | undefined;
  #stopped: ServerState = { summary: 'no server has been started' };
  /** Of several restarts only the last one starts a server, after the one before has released the port. */
  #latest = 0;
  #stopping = Promise.resolve();
  #ended = false;

  constructor(options: DevServerOptions) {
    this.#options = options;
  }

  /** Stops the running server and starts another. Resolves when it listens, has ended, or waits for its port. */
  async restart(version: string): Promise<void> {
    const released = this.#stopRunning();
    const mine = this.#latest;
    await released;
    if (mine === this.#latest) await this.#startWhenFree(version, mine);
  }

  state(): ServerState {
    if (this.#running === undefined) return this.#stopped;
    const { url, version } = this.#running;
    return { summary: url === undefined ? 'is being started' : `${url} serves what was saved at ${version}` };
  }

  /** Prepares the next start: a process that has imported the packages already. */
  prepare(): void {
    if (this.#standby?.connected !== true && !this.#ended) this.#standby = spawnServer(this.#options);
  }

  /** Whether a server runs, is being started, or waits for its port. */
  alive(): boolean {
    return this.#running !== undefined || this.#waiting;
  }

  stop(): Promise<void> {
    this.#ended = true;
    this.#standby?.kill('SIGKILL');
    return this.#stopRunning();
  }

  /** Ends it at once, while it is stopping too. */
  kill(): void {
    for (const child of [this.#running?.child, this.#ending]) child?.kill('SIGKILL');
  }

  #start(version: string): Promise<void> {
    const { main, args = [], write } = this.#options;
    const child = this.#standby?.connected === true ? this.#standby : spawnServer(this.#options);
    this.#standby = undefined;
    child.send({ main, args } satisfies StartMessage);
    const current: Running = { child, version };
    this.#running = current;
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
        if (this.#running === current) this.#onEnd(current, String(signal ?? code), tail);
        resolve();
      });
    });
  }

  /** Records why the running server has ended, though nobody stopped it. */
  #onEnd({ version, url }: Running, result: string, output: string): void {
    this.#running = undefined;
    const location = locationIn(output, this.#options.root);
    const fix = location === undefined ? 'fix that (`npx specwright doctor` checks the environment) and save' : `fix ${location} and save`;
    this.#stopped = {
      summary: `none runs: the one of ${version} ended with ${result}${reasonIn(output)}`,
      fix: `${fix}: each save starts another`,
    };
    // Before it listens, the caller of restart reports the state.
    if (url !== undefined) this.#options.onChange(this.#stopped);
  }

  /** Starts the server as soon as its port is free; resolves when it listens, or has to wait. */
  async #startWhenFree(version: string, mine: number): Promise<void> {
    const { port, host } = this.#options;
    if (port === 0 || (await isPortFree(port, host))) return mine === this.#latest ? this.#start(version) : undefined;
    const listener = await describeListener(port);
    if (mine !== this.#latest) return;
    this.#waiting = true;
    this.#stopped = { summary: `waits for port ${port}`, fix: `${listener}, or start with another: PORT=${port + 1}` };
    inBackground(this.#startLater(version, mine));
  }

  async #startLater(version: string, mine: number): Promise<void> {
    const { port, host, onChange } = this.#options;
    while (mine === this.#latest && !(await isPortFree(port, host))) await sleep(PORT_POLL_INTERVAL_MS, undefined, { ref: false });
    if (mine !== this.#latest) return;
    this.#waiting = false;
    await this.#start(version);
    if (mine === this.#latest) onChange(this.state());
  }

  #stopRunning(): Promise<void> {
    const child = this.#running?.child;
    this.#running = undefined;
    this.#waiting = false;
    this.#latest++;
    this.#stopping = this.#stopping.then(async () => {
      this.#ending = child;
      child?.kill('SIGTERM');
      if (child !== undefined) await waitForEnd(child, KILL_TIMEOUT_MS);
    });
    return this.#stopping;
  }
}

/** The server has a process group, so that Ctrl-C reaches it once, from the loop, and a channel, so that it notices the loop's end. */
const spawnServer = ({ root, main }: DevServerOptions): ChildProcess =>
  spawn(process.execPath, [...nodeArguments(), fileURLToPath(siblingModule('standby-server', import.meta.url)), dirname(main)], {
    cwd: root,
    env: {
      ...logEnvironment(),
      ...process.env,
      SHUTDOWN_TIMEOUT: process.env['SHUTDOWN_TIMEOUT'] ?? SHUTDOWN_TIMEOUT_MS,
      DRAIN_DELAY: '0',
      DOCS_RELOAD: process.env['DOCS_RELOAD'] ?? 'on',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });

/** The log of the server is shown where that of the loop is: as it would be there, though it passes through a pipe. */
const logEnvironment = (): NodeJS.ProcessEnv =>
  process.stdout.isTTY ? { LOG_FORMAT: 'pretty', ...(showsColors(process.stdout) && { FORCE_COLOR: '1' }) } : {};

/** `: Error: it cannot start`, if its output says so: in the last line of its log, or in a text. */
function reasonIn(output: string): string {
  const text =
    output
      .split('\n')
      .map(fatalMessage)
      .findLast((message) => message !== undefined) ?? output;
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(\{|at |Node\.js v)/.test(line));
  const reason = said.findLast((line) => /^(\[?\w*Error\b|error:)/i.test(line)) ?? said.at(-1);
  return reason === undefined ? '' : `: ${reason.slice(0, 150)}`;
}

/** What a line of the log says, if it is one of level `fatal`: of the error, or without one of the line itself. */
function fatalMessage(line: string): string | undefined {
  if (!line.startsWith('{"level":"fatal"')) return undefined;
  try {
    const { err, msg } = JSON.parse(line) as { readonly err?: { readonly message?: unknown } | null; readonly msg?: unknown };
    const message = err?.message ?? msg;
    return typeof message === 'string' ? message : undefined;
  } catch {
    // The program ended within the line.
    return undefined;
  }
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
