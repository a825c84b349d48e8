/** The server of a development loop: one at a time, restarted when everything is good, left running when it is not. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { nodeArguments, siblingModule } from '../node-arguments.ts';

export interface DevServer {
  /** Stops the running server and starts another. Resolves when it listens, or has ended. */
  restart(version: string): Promise<void>;
  /** `http://localhost:3000 serves what was saved at 12:00:00` */
  formatState(): string;
  /** Whether a server runs or is being started. */
  alive(): boolean;
  stop(): Promise<void>;
}

export interface DevServerOptions {
  /** The folder of the project, and the module that it is started by. */
  readonly root: string;
  readonly main: string;
  /** Gets the output of the server. */
  readonly write: (text: string) => void;
  /** Is called when a server ends that was not stopped. */
  readonly onCrash: (message: string) => void;
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

export function createDevServer({ root, main, write, onCrash }: DevServerOptions): DevServer {
  let running: Running | undefined;
  let stopped = 'no server has been started';
  // Of several restarts only the last one starts a server, after the one before has released the port.
  let latest = 0;
  let stopping = Promise.resolve();

  function start(version: string): Promise<void> {
    const stopWithParent = siblingModule('stop-with-parent', import.meta.url).href;
    // A group of its own, so that Ctrl-C reaches it once, from the loop; a channel, so that it notices the loop's end.
    const child = spawn(process.execPath, [...nodeArguments(), '--import', stopWithParent, main], {
      cwd: root,
      env: { ...process.env, SHUTDOWN_TIMEOUT: process.env['SHUTDOWN_TIMEOUT'] ?? SHUTDOWN_TIMEOUT_MS, DRAIN_DELAY: '0' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
    });
    const current: Running = { child, version };
    running = current;
    return new Promise((resolve) => {
      const onOutput = (text: string) => {
        write(text);
        current.url ??= /listens on (http\S+)/.exec(text)?.[1];
        if (current.url !== undefined) resolve();
      };
      child.stdout?.setEncoding('utf8').on('data', onOutput);
      child.stderr?.setEncoding('utf8').on('data', write);
      child.once('close', (code, signal) => {
        if (running === current) {
          running = undefined;
          stopped = `none runs: the last one ended with ${String(signal ?? code)}, see its output above; the next save starts another`;
          // Before it listens, the caller of restart reports the state.
          if (current.url !== undefined) onCrash(stopped);
        }
        resolve();
      });
    });
  }

  function stop(): Promise<void> {
    const child = running?.child;
    running = undefined;
    latest++;
    stopping = stopping.then(() => end(child));
    return stopping;
  }

  return {
    async restart(version) {
      const released = stop();
      const mine = latest;
      await released;
      if (mine === latest) await start(version);
    },
    formatState() {
      if (running === undefined) return stopped;
      return running.url === undefined ? 'is being started' : `${running.url} serves what was saved at ${running.version}`;
    },
    alive: () => running !== undefined,
    stop,
  };
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_TIMEOUT_MS);
  await ended;
  clearTimeout(kill);
}
