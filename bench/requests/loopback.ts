/** CPU of the server's process for a request over loopback, with the load from another process; each server in turn. */
import { fork } from 'node:child_process';
import { compiled } from './compile.ts';
import { figureOf, keyOf, push, type Rounds } from './in-memory.ts';
import type { Load, Loaded } from './load-generator.ts';
import { exchangeOf, type Operation, type Target } from './operations.ts';
import type { Figure } from './report/results.ts';
import { nextMessage, type RunningServer } from './servers/running-server.ts';

export const CONNECTIONS = 32;
/** How long each server is kept busy in a round, in ms. */
const ROUND_MS = 1500;

export interface LoopbackOptions extends Rounds {
  readonly operations: readonly Operation[];
  readonly target: Target;
}

/** A server that refuses more than this share of the requests of a round, because the machine has no time for it, does other work than was meant. */
const MAX_REFUSED = 0.01;

/**
 * The first round warms up and does not count, nor does one with refused requests.
 *
 * @throws Error if a server has refused requests in every round.
 */
export async function measureOverLoopback(
  servers: readonly RunningServer[],
  { operations, target, rounds, onRound }: LoopbackOptions,
): Promise<Figure[]> {
  const cpus = new Map<string, number[]>();
  const rates = new Map<string, number[]>();
  const generator = fork(compiled('load-generator'), [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  const failed = (what: string) => new Error(`the load generator: ${what}`);
  try {
    for (let round = -1; round < rounds; round++) {
      onRound?.(round);
      for (const operation of operations) {
        const exchange = exchangeOf(operation, target);
        for (const server of servers) {
          const before = await server.ask({ kind: 'cpu' });
          generator.send({ port: server.port, exchange, connections: CONNECTIONS, ms: ROUND_MS } satisfies Load);
          const loaded = (await nextMessage(generator, failed)) as Loaded;
          if ('error' in loaded) throw new Error(`${server.entry.title}: ${loaded.error}`);
          const cpu = (await server.ask({ kind: 'cpu' })) - before;
          if (round < 0 || loaded.refused > MAX_REFUSED * loaded.requests) continue;
          push(cpus, keyOf(server, operation), cpu / loaded.requests);
          push(rates, keyOf(server, operation), (loaded.requests / loaded.ms) * 1000);
        }
      }
    }
  } finally {
    generator.kill();
  }
  return servers.flatMap((server) =>
    operations.map((operation) => {
      const key = keyOf(server, operation);
      if (!cpus.has(key)) throw new Error(`${server.entry.title}: requests were refused in every round, the machine is too busy`);
      return { ...figureOf(server.entry.id, operation, cpus.get(key) ?? []), perSecond: Math.round(Math.max(...(rates.get(key) ?? []))) };
    }),
  );
}
