/** Measures one server: each operation's first request, one at a time, and all first requests with a body at once. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { askReport, withContractServer, type ContractProgram } from '../support/contract-program.ts';
import { nextMessage } from '../support/running-server.ts';
import type { BenchRequest } from './requests.ts';

const POLLER = fileURLToPath(new URL('poll-livez.ts', import.meta.url));
const IN_FLIGHT = 16;
const IDLE_POLL_MS = 500;
/** An idle server used less CPU in `IDLE_POLL_MS`, in ms. */
const IDLE_CPU_MS = 15;
const MAX_IDLE_POLLS = 240;
const FAILED = new Set([0, 500, 503]);

export interface FirstRequests {
  /** CPU until it listens, and then until it is idle, in ms. */
  readonly listening: number;
  readonly idle: number;
  /** CPU of the first request of each operation, in ms. */
  readonly first: readonly number[];
  /** CPU of the second request of all of them, in ms. */
  readonly second: number;
  /** What all of them added to the heap since it listened, in bytes. */
  readonly heap: number;
  /** How many were answered 500 or 503, or not at all. */
  readonly failed: number;
}

/** One request after the other, once the server is idle. */
export function measureFirstRequests(program: ContractProgram, requests: readonly BenchRequest[]): Promise<FirstRequests> {
  return withContractServer(program, async (server, { port, cpu: listening }) => {
    const { heap: heapBefore } = await askReport(server, 'heap');
    let idle = 0;
    for (let i = 0, last = listening; i < MAX_IDLE_POLLS; i++) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
      const { cpu } = await askReport(server);
      idle = cpu - listening;
      if (cpu - last < IDLE_CPU_MS) break;
      last = cpu;
    }
    const first: number[] = [];
    let failed = 0;
    for (const request of requests) {
      const { cpu: before } = await askReport(server);
      if (FAILED.has(await send(port, request))) failed++;
      first.push((await askReport(server)).cpu - before);
    }
    const { cpu: before, heap } = await askReport(server, 'heap');
    for (const request of requests) await send(port, request);
    const second = (await askReport(server)).cpu - before;
    return { listening, idle, first, second, heap: heap - heapBefore, failed };
  });
}

export interface Storm {
  /** The longest turn of the event loop, in ms. */
  readonly slice: number;
  /** The longest wait of `/livez`, in ms. */
  readonly livez: number;
  readonly failed: number;
}

/** The first requests of all operations that have a body, as soon as the server listens. */
export function measureStorm(program: ContractProgram, requests: readonly BenchRequest[]): Promise<Storm> {
  return withContractServer(program, async (server, { port }) => {
    const ended = (what: string) => new Error(`the process that polls /livez ${what}`);
    const poller = fork(POLLER, [String(port)], { execArgv: process.execArgv });
    try {
      await nextMessage(poller, ended);
      const left = requests.filter(({ hasBody }) => hasBody);
      let failed = 0;
      const worker = async () => {
        for (let request = left.shift(); request !== undefined; request = left.shift()) if (FAILED.has(await send(port, request))) failed++;
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      poller.send('report');
      const livez = await nextMessage<number>(poller, ended);
      const { slice } = await askReport(server);
      return { slice, livez, failed };
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
