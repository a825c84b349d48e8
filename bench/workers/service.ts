/** The pet store, built, as a service of so many workers in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

export interface RunningService {
  readonly workers: number;
  /** Of the process that the workers are children of; with one worker, of the service itself. */
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** @param logFile gets its log, as a file costs nobody anything to read. @throws Error if it does not start. */
export async function startService(
  { node, program, logFile }: { node: string; program: string; logFile: string },
  workers: number,
  env: NodeJS.ProcessEnv,
): Promise<RunningService> {
  const port = await freePort();
  const log = openSync(logFile, 'a');
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
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const serves = workers === 1 ? ' listens on http' : '"all workers serve"';
  const deadline = performance.now() + TIMEOUT_MS;
  while (!readFileSync(logFile, 'utf8').includes(serves)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the pet store with ${workers} workers did not start:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
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
