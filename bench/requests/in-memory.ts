/** CPU of a request without system calls: batches over connections in memory, of each server in turn. */
import type { RunningServer } from '../support/running-server.ts';
import { figureOf, type Figure, type Rounds } from './figures.ts';
import { CONSTANT_TARGET, exchangeOf, OPERATIONS } from './operations.ts';

/** Requests in a batch. */
const BATCH = 2000;
/** Batches before the first that counts: the code has been compiled by then. */
const WARM_UP = 3;

export async function measureInMemory(servers: readonly RunningServer[], { rounds, onRound }: Rounds): Promise<Figure[]> {
  const measured = servers.flatMap((server) => OPERATIONS.map((operation) => ({ server, operation, cpus: [] as number[] })));
  for (let round = -WARM_UP; round < rounds; round++) {
    onRound(round);
    for (const operation of OPERATIONS)
      for (const { server, cpus } of measured.filter((one) => one.operation === operation)) {
        const cpu = await server.ask({ kind: 'batch', exchange: exchangeOf(operation, CONSTANT_TARGET), count: BATCH });
        if (round >= 0) cpus.push(cpu);
      }
  }
  return measured.map(({ server, operation, cpus }) => figureOf(server.entry.id, operation, cpus));
}
