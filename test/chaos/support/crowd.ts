/** A crowd in a separate process: each client opens a connection, sends one request, and closes the connection when it is answered. */
import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { RawAnswer } from './raw-client.ts';
import type { ScenarioContext } from './scenario.ts';

interface CrowdRequest {
  readonly port: number;
  /** Texts of requests; clients take them in turn. */
  readonly requests: readonly string[];
  readonly count: number;
  /** After which clients give up. */
  readonly timeoutMs: number;
  /** Whether all are connected before the first one sends. */
  readonly isConnected: boolean;
}

/** Sends. @returns an answer for each client, with status 0 for none; `ms` since all were told to connect, or to send if they are connected. */
type SendAll = () => Promise<readonly RawAnswer[]>;

export interface Crowd {
  prepare(request: CrowdRequest): Promise<SendAll>;
}

type Answer = readonly [status: number, ms: number, retryAfter: number | null];

/** How many connections a process opens at a time. */
const PORTION = 100;

/** @param processes a process has no more files than clients, so that a crowd needs several. */
export async function startCrowd(context: ScenarioContext, processes: number): Promise<Crowd> {
  const children = Array.from({ length: processes }, () => fork(fileURLToPath(import.meta.url)));
  context.defer(() => children.forEach((child) => child.kill('SIGKILL')));
  await Promise.all(children.map((child) => once(child, 'message')));
  const tellAll = async <T>(message: object): Promise<T[]> =>
    Promise.all(
      children.map(async (child) => {
        child.send(message);
        return ((await once(child, 'message')) as [T])[0];
      }),
    );
  return {
    async prepare(request) {
      await tellAll({ ...request, count: Math.ceil(request.count / processes) });
      return async () => {
        const answers = await tellAll<readonly Answer[]>({});
        return answers.flat().map(([status, ms, retryAfter]) => ({ status, ms, retryAfter: retryAfter ?? NaN }));
      };
    },
  };
}

// What follows runs in the processes of the crowd.

/** In portions, so that none has to try again. */
async function openAll({ port, count }: CrowdRequest): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const portion = Array.from({ length: Math.min(PORTION, count - sockets.length) }, () => connect(port, '127.0.0.1'));
    await Promise.all(
      portion.map((socket) =>
        once(
          socket.on('error', () => undefined),
          'connect',
        ),
      ),
    );
    sockets.push(...portion);
  }
  return sockets;
}

function send(socket: Socket, text: string, startedAt: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (status: number, retryAfter = NaN) => {
      resolve([status, performance.now() - startedAt, retryAfter]);
      socket.destroy();
    };
    socket.write(text);
    socket.once('data', (bytes) => {
      const head = bytes.toString('latin1');
      end(Number(head.slice(9, 12)), Number(/^retry-after: (\d+)/im.exec(head)?.[1] ?? NaN));
    });
    socket.once('close', () => end(0));
    signal.addEventListener('abort', () => end(0));
  });
}

async function run(request: CrowdRequest): Promise<void> {
  const { requests, count, timeoutMs } = request;
  const opened = request.isConnected ? await openAll(request) : undefined;
  process.send?.('ready');
  await once(process, 'message');
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  setMaxListeners(0, signal);
  const sockets = opened ?? Array.from({ length: count }, () => connect(request.port, '127.0.0.1').on('error', () => undefined));
  const answers = sockets.map((socket, i) => send(socket, requests[i % requests.length] as string, startedAt, signal));
  process.send?.(await Promise.all(answers));
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send('ready');
  for (;;) await run(((await once(process, 'message')) as [CrowdRequest])[0]);
}
