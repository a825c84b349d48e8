/** Orders under load, counted for one interval after the other, with the CPU that they took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../support/tools/load-client.ts';
import { startCpuClock, type CpuUse } from './cpu.ts';
import { openDatabase, openShop, startServer } from './pet-store.ts';
import { openRawClient, type RawAnswer, type RawClient } from './raw-client.ts';
import type { ScenarioContext } from './scenario.ts';

/** One interval. */
export interface Interval {
  readonly cpu: CpuUse;
  /** Orders in a second, and in a second of the server's CPU. */
  readonly served: number;
  readonly servedByCpu: number;
  readonly refused: number;
  /** Answers that are neither 201 nor a 503 with `Retry-After`. */
  readonly others: number;
  /** Percentiles, in ms. */
  readonly servedP99: number;
  readonly refusedP50: number;
  readonly refusedP99: number;
}

export interface OrderLoad {
  readonly url: string;
  readonly pid: number;
  /** Opens connections that send orders. */
  connect(count: number): Promise<RawClient>;
  /** Counts an answer in the interval of its moment. */
  count(answer: RawAnswer): void;
  /** @returns what has been counted in the next `ms`. */
  measure(ms: number): Promise<Interval>;
  /** Clients that send an order when the one before was answered, whatever the answer was. */
  loop(client: RawClient, clients: number): Loop;
  /** Clients that keep to `Retry-After`, each on a separate connection. They are not counted. @returns them, and their refusals. */
  loopPatiently(clients: number): Promise<Loop & { readonly refusals: readonly RawAnswer[] }>;
}

export interface Loop {
  stop(): Promise<void>;
}

/** How long a loop waits that had no answer, in ms. */
const LOST_MS = 10;

/** A server with a separate database, whose commits are durable. */
export async function startOrderLoad(context: ScenarioContext): Promise<OrderLoad> {
  const database = await openDatabase(context, { fsync: 'on', synchronous_commit: 'on' });
  const { key, petId } = await openShop(database, 100_000_000);
  const server = await startServer(context, database.url, { WORKER: 'off' });
  const clock = await startCpuClock(server, database);
  const request = { method: 'POST', path: '/store/orders', key, body: { petId, quantity: 1 } };
  let answers: RawAnswer[] = [];
  const count = (answer: RawAnswer) => void answers.push(answer);
  const connect = async (connections: number) => {
    const client = await openRawClient(server.url, request, connections);
    context.defer(() => client.close());
    return client;
  };

  return {
    url: server.url,
    pid: server.process.child.pid ?? 0,
    connect,
    count,
    async measure(ms) {
      answers = [];
      await clock();
      await sleep(ms);
      return summarize(answers, await clock());
    },
    loop: (client, clients) =>
      runLoops(
        Array.from({ length: clients }, () => client),
        (answer) => {
          count(answer);
          return answer.status === 0 ? LOST_MS : 0;
        },
      ),
    async loopPatiently(clients) {
      const refusals: RawAnswer[] = [];
      const connections = await Promise.all(Array.from({ length: clients }, () => connect(1)));
      const loop = runLoops(connections, (answer) => {
        if (!isRefusal(answer)) return answer.status === 0 ? LOST_MS : 0;
        refusals.push(answer);
        return answer.retryAfter * 1000;
      });
      return { ...loop, refusals };
    },
  };
}

/** @param onAnswer tells how long to wait before the next one is sent, in ms. */
function runLoops(clients: readonly RawClient[], onAnswer: (answer: RawAnswer) => number): Loop {
  let isStopped = false;
  const run = async (client: RawClient) => {
    while (!isStopped) {
      const ms = onAnswer((await client.send()) ?? NO_CONNECTION);
      if (ms > 0) await sleep(ms);
    }
  };
  const loops = clients.map(run);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

const NO_CONNECTION: RawAnswer = { status: 0, ms: 0, retryAfter: NaN };

export const isRefusal = ({ status, retryAfter }: RawAnswer): boolean => status === 503 && retryAfter >= 1;

function summarize(answers: readonly RawAnswer[], cpu: CpuUse): Interval {
  const served = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(isRefusal);
  const msOf = (some: readonly RawAnswer[], share: number) =>
    percentile(
      some.map(({ ms }) => ms),
      share,
    );
  return {
    cpu,
    served: served.length / cpu.elapsed,
    servedByCpu: served.length / cpu.server,
    refused: refused.length / cpu.elapsed,
    others: answers.length - served.length - refused.length,
    servedP99: msOf(served, 0.99),
    refusedP50: msOf(refused, 0.5),
    refusedP99: msOf(refused, 0.99),
  };
}
