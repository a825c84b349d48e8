/** The server of a development loop: one at a time, started again when what it runs is good, left alone when it is not. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface DevServer {
  /** Stops the one that runs and starts another. Resolves when it listens, or has ended. */
  restart(version: string): Promise<void>;
  /** The state in words. */
  state(): string;
  /** Whether one runs, or is being started. */
  alive(): boolean;
  stop(): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly version: string;
  url?: string;
}

/** @param onCrash is called when a server ends that nobody stopped. */
export function createServer(root: string, write: (text: string) => void, onCrash: (message: string) => void): DevServer {
  let running: Running | undefined;
  let crashed = 'none runs yet';
  // Only the last one asked for is started, and only when the one before has let go of the port.
  let turn = 0;
  let stopping = Promise.resolve();

  function start(version: string): Promise<void> {
    // A group of its own, so that Ctrl-C reaches it once, from us; a channel, so that it notices if we are gone.
    const child = spawn(process.execPath, ['--conditions=@specwright/source', '--import', 'tsx', '--import', './scripts/dev/orphan.ts', 'src/main.ts'], {
      cwd: root,
      env: { ...process.env, SHUTDOWN_TIMEOUT: process.env['SHUTDOWN_TIMEOUT'] ?? '1000' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
    });
    const current: Running = { child, version };
    running = current;
    return new Promise((settle) => {
      const show = (text: string) => {
        write(text);
        current.url ??= /listens on (http\S+)/.exec(text)?.[1];
        if (current.url !== undefined) settle();
      };
      child.stdout?.setEncoding('utf8').on('data', show);
      child.stderr?.setEncoding('utf8').on('data', write);
      child.once('close', (code, signal) => {
        if (running === current) {
          running = undefined;
          crashed = `none runs: the last one ended with ${String(signal ?? code)}, its words are above; the next save starts another`;
          // One that has not listened yet is being waited for, and whoever waits tells.
          if (current.url !== undefined) onCrash(crashed);
        }
        settle();
      });
    });
  }

  function stop(): Promise<void> {
    const child = running?.child;
    running = undefined;
    turn++;
    stopping = stopping.then(() => end(child));
    return stopping;
  }

  return {
    async restart(version) {
      const stopped = stop();
      const mine = turn;
      await stopped;
      if (mine === turn) await start(version);
    },
    state() {
      if (running === undefined) return crashed;
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
  const impatience = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(impatience);
}
