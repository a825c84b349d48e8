/** Workers are killed with SIGKILL, then lose their first process, under load: only what was under way fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until, type TestProcess } from 'specwright/testing';
import { createLoadClient, type LoadClient } from '../support/tools/load-client.ts';
import { openDatabase, openShop, startServer } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 10;
const WORKERS = 3;
/** Clients of each kind: those that keep their connection, and those that open one for each request. */
const CLIENTS = 8;
/** Between the answer to a client and its next request, in ms. */
const PAUSE_MS = 10;
/** A request that has no answer after this time hangs, in ms. */
const CLIENT_TIMEOUT_MS = 5000;
const ROUND_MS = 1000;
/** What clients and servers on busy processors may take to see an event, in ms. */
const NOTICE_MS = 250;

interface Sent {
  readonly status: number;
  readonly error?: string | undefined;
  readonly sentAt: number;
  readonly endedAt: number;
}

export const scenario: Scenario = {
  summary: 'SIGKILL of workers under load, 10 times',
  timeoutMs: 300_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const database = await openDatabase(context);
    const { key } = await openShop(database);
    const env = { WORKERS: String(WORKERS), WORKER: 'off', DATABASE_POOL: '4', LOG_LEVEL: 'info', LOG_REQUESTS: 'off' };
    const { url, process: server } = await startServer(context, database.url, env);
    // From the first 200 on: workers that have not started yet must not be noticed.
    const clients = (['kept', 'fresh'] as const).map((connections) =>
      createLoadClient(url, { connections, headers: { Authorization: `Bearer ${key}` }, timeoutMs: CLIENT_TIMEOUT_MS }),
    );
    context.defer(() => clients.forEach((client) => client.close()));
    await until(async () => (await clients[0]?.send('GET', '/readyz'))?.status === 200, 30_000);
    const load = startClients(clients);
    await until(() => linesOf(server, 'the worker serves').length === WORKERS, 60_000);
    const started = load.take();
    const refusals = (sent: readonly Sent[]) => sent.filter(({ status }) => status !== 200 && status !== 0).length;
    const unanswered = (sent: readonly Sent[]) => sent.filter(({ status }) => status === 0);
    measure({ measured: 'requests from the first 200 of /readyz until all serve', value: started.length, min: 1 });
    measure({ measured: 'of them failed', value: refusals(started) + unanswered(started).length, max: 0 });

    const kills: number[] = [];
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      progress(`SIGKILL ${round + 1} of ${rounds}`);
      await sleep(ROUND_MS * Math.random());
      const pid = livingWorkers(server)[round % WORKERS] as number;
      kills.push(performance.now());
      process.kill(pid, 'SIGKILL');
      await until(() => linesOf(server, 'the worker serves').length === WORKERS + round + 1, 60_000);
    }
    const killed = await load.takeEnded();
    const failed = unanswered(killed);
    const lateBy = ({ sentAt, endedAt }: Sent) => {
      const at = kills.findLast((kill) => kill < endedAt) ?? NaN;
      return { sent: sentAt - at, ended: endedAt - at };
    };
    measure({ measured: 'SIGKILL: requests', value: killed.length, min: 1 });
    measure({ measured: 'of them answered with an error', value: refusals(killed), max: 0 });
    measure({ measured: 'without an answer', value: failed.length, max: rounds * 2 * CLIENTS });
    // A connection that was handed to a worker which has not taken it: node:cluster hands over the next one after that.
    const hanging = failed.filter(({ error }) => error === 'timeout');
    measure({ measured: 'of them not reset, but hanging', value: hanging.length, max: rounds });
    measure({ measured: 'sent after the kill', value: failed.filter((one) => lateBy(one).sent > NOTICE_MS).length, max: 0 });
    const slowest = Math.max(0, ...failed.filter((one) => !hanging.includes(one)).map((one) => lateBy(one).ended));
    measure({ measured: 'the last of the others failed after the kill', value: slowest, unit: 'ms', max: NOTICE_MS });

    const endedAt = performance.now();
    server.child.kill('SIGKILL');
    // The output is closed when the last process that writes to it has ended.
    await server.exited;
    measure({
      measured: 'SIGKILL of the first process: the last worker ends after',
      value: performance.now() - endedAt,
      unit: 'ms',
      max: 1000,
    });
    load.stop();
  },
};

/** Each sends its next request when the one before it has ended. */
function startClients(clients: readonly LoadClient[]) {
  let all: Sent[] = [];
  let isOver = false;
  const send = async (client: LoadClient) => {
    while (!isOver) {
      const sentAt = performance.now();
      const { status, error } = await client.send('GET', '/categories');
      all.push({ status, error, sentAt, endedAt: performance.now() });
      await sleep(PAUSE_MS);
    }
  };
  for (const client of clients) for (let i = 0; i < CLIENTS; i++) void send(client);
  const take = () => all.splice(0);
  return {
    /** @returns those that have ended since the last call. */
    take,
    /** The same, when those that are under way have ended, or hang no longer. */
    async takeEnded() {
      await sleep(CLIENT_TIMEOUT_MS + NOTICE_MS);
      return take();
    },
    stop() {
      isOver = true;
      all = [];
    },
  };
}

const linesOf = (server: TestProcess, message: string): { readonly pid: number }[] =>
  server.output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"${message}"`))
    .map((line) => JSON.parse(line) as { pid: number });

const livingWorkers = (server: TestProcess): number[] =>
  linesOf(server, 'the worker serves')
    .map(({ pid }) => pid)
    .filter(isAlive);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
