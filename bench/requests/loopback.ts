/** CPU of the server's process for a request over loopback, with the load from another process; each server in turn. */
import { withLoadGenerator } from '../support/load.ts';
import type { RunningServer } from '../support/running-server.ts';
import { figureOf, type Figure, type Rounds } from './figures.ts';
import { exchangeOf, type Operation, type Target } from './operations.ts';

const CONNECTIONS = 32;
/** How long each server is kept busy in a round, in ms. */
const ROUND_MS = 1500;
/** A server that refuses more than this share of the requests of a round, because the machine has no time for it, does other work than was meant. */
const MAX_REFUSED = 0.01;

interface LoopbackOptions extends Rounds {
  readonly operations: readonly Operation[];
  readonly target: Target;
}

/**
 * The first round warms up and does not count, nor does one with refused requests.
 *
 * @throws Error if a server has refused requests in every round.
 */
export function measureOverLoopback(
  servers: readonly RunningServer[],
  { operations, target, rounds, onRound }: LoopbackOptions,
): Promise<Figure[]> {
  const measured = servers.flatMap((server) =>
    operations.map((operation) => ({ server, operation, cpus: [] as number[], rates: [] as number[] })),
  );
  return withLoadGenerator(async (load) => {
    for (let round = -1; round < rounds; round++) {
      onRound(round);
      for (const operation of operations)
        for (const { server, cpus, rates } of measured.filter((one) => one.operation === operation)) {
          const requests = exchangeOf(operation, target);
          const { answered, refused, cpu, perSecond } = await load(server, { requests, connections: CONNECTIONS, ms: ROUND_MS });
          if (round < 0 || refused > MAX_REFUSED * answered) continue;
          cpus.push(cpu);
          rates.push(perSecond);
        }
    }
    return measured.map(({ server, operation, cpus, rates }) => {
      if (cpus.length === 0) throw new Error(`${server.entry.title}: requests were refused in every round, the machine is too busy`);
      return { ...figureOf(server.entry.id, operation, cpus), perSecond: Math.max(...rates) };
    });
  });
}
