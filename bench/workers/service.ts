/** The pet store, built, as a service of so many workers in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const TIMEOUT_MS = 60_000;

export interface RunningService {
  readonly workers: number;
  /** Of the process that the workers are children of; with one worker, of the service itself. */
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** @param node the path of the executable. @throws Error if it does not start. */
export async function startService(node: string, program: string, workers: number, env: NodeJS.ProcessEnv): Promise<RunningService> {
  const port = await freePort();
  const child = spawn(node, [program], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      LOG_FORMAT: 'json',
      ...env,
      WORKERS: String(workers),
      PORT: String(port),
    },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const serves = workers === 1 ? ' listens on http' : '"all workers serve"';
  await new Promise<void>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`the pet store with ${workers} workers ${what}:\n${said.slice(-4000)}`));
    setTimeout(() => fail(`did not start in ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS).unref();
    child.once('exit', (code) => fail(`ended with code ${code}`));
    child.stdout.on('data', function read(chunk: Buffer) {
      said += chunk.toString();
      if (!said.includes(serves)) return;
      resolve();
      // Its log is read, so that it never waits for a full pipe, and forgotten.
      child.stdout.off('data', read);
      child.stdout.resume();
    });
  });
  return {
    workers,
    port,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
