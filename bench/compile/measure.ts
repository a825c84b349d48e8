/** Measures one server: each operation's first request, one at a time, and all first requests with a body at once. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchRequest } from './requests.ts';
import type { ServerReport } from './server.ts';

const POLLER = fileURLToPath(new URL('poll-livez.ts', import.meta.url));
const IN_FLIGHT = 16;
const IDLE_POLL_MS = 500;
/** An idle server used less CPU in `IDLE_POLL_MS`, in ms. */
const IDLE_CPU_MS = 15;
const MAX_IDLE_POLLS = 240;
const FAILED = new Set([0, 500, 503]);

export interface ServerProgram {
  readonly node: string;
  readonly module: string;
  readonly args: readonly string[];
}

export interface FirstRequests {
  /** CPU until it listens, and then until it is idle, in ms. */
  readonly listening: number;
  readonly idle: number;
  /** The longest slice in that time, in ms of CPU. */
  readonly idleSlice: number;
  /** CPU of the first request of each operation, in ms. */
  readonly first: readonly number[];
  /** CPU of the second request of all of them, in ms. */
  readonly second: number;
  /** What all of them added to the heap since it listened, in bytes. */
  readonly heap: number;
  /** How many were answered 500 or 503, or not at all. */
  readonly failed: number;
}

/** @param warm whether it waits until the server is idle before the first request. */
export async function measureFirstRequests(
  program: ServerProgram,
  requests: readonly BenchRequest[],
  warm: boolean,
): Promise<FirstRequests> {
  return withServer(program, async (server, { port, cpu: listening }) => {
    const { heap: heapBefore } = await ask<ServerReport>(server, 'heap');
    let idle = 0;
    let idleSlice = 0;
    for (let i = 0, last = listening; warm && i < MAX_IDLE_POLLS; i++) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
      const { cpu, sliceCpu } = await ask<ServerReport>(server);
      [idle, idleSlice] = [cpu - listening, Math.max(idleSlice, sliceCpu)];
      if (cpu - last < IDLE_CPU_MS) break;
      last = cpu;
    }
    const first: number[] = [];
    let failed = 0;
    for (const request of requests) {
      const { cpu: before } = await ask<ServerReport>(server);
      if (FAILED.has(await send(port, request))) failed++;
      first.push((await ask<ServerReport>(server)).cpu - before);
    }
    const { cpu: before, heap } = await ask<ServerReport>(server, 'heap');
    for (const request of requests) await send(port, request);
    const second = (await ask<ServerReport>(server)).cpu - before;
    return { listening, idle, idleSlice, first, second, heap: heap - heapBefore, failed };
  });
}

export interface Storm {
  /** The longest slice of the event loop, in ms, and the CPU that it used. */
  readonly slice: number;
  readonly sliceCpu: number;
  /** The longest wait of `/livez`, in ms. */
  readonly livez: number;
  readonly failed: number;
}

/** The first requests of all operations that have a body, as soon as the server listens. */
export async function measureStorm(program: ServerProgram, requests: readonly BenchRequest[]): Promise<Storm> {
  return withServer(program, async (server, { port }) => {
    const poller = fork(POLLER, [String(port)], { execArgv: process.execArgv });
    try {
      await once(poller, 'message');
      const left = requests.filter(({ hasBody }) => hasBody);
      let failed = 0;
      const worker = async () => {
        for (let request = left.shift(); request !== undefined; request = left.shift()) if (FAILED.has(await send(port, request))) failed++;
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      const livez = await ask<number>(poller);
      const { slice, sliceCpu } = await ask<ServerReport>(server);
      return { slice, sliceCpu, livez, failed };
    } finally {
      poller.kill();
    }
  });
}

/** @returns the status; 0 if the connection was closed instead, as that of a client that waited for too long is. */
async function send(port: number, { path, init }: BenchRequest): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function ask<T>(child: ChildProcess, message = 'report'): Promise<T> {
  child.send(message);
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}

async function withServer<T>(
  { node, module, args }: ServerProgram,
  use: (server: ChildProcess, started: ServerReport) => Promise<T>,
): Promise<T> {
  const server = fork(module, args, { execPath: node, execArgv: ['--expose-gc'] });
  try {
    const [started] = (await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
    ])) as [ServerReport];
    return await use(server, started);
  } finally {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  }
}
