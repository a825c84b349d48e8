/** CPU of a request without system calls: batches over connections in memory, of each server in turn. */
import { CONSTANT_TARGET, exchangeOf, OPERATIONS, type Operation } from './operations.ts';
import type { Figure } from './report/results.ts';
import type { RunningServer } from './servers/running-server.ts';

export interface Rounds {
  readonly rounds: number;
  readonly onRound?: (round: number) => void;
}

/** Requests in a batch. */
export const BATCH = 2000;
/** Batches before the first that counts: the code has been compiled by then. */
const WARM_UP = 3;

/** The least of all rounds: what else the machine does can only add to it. */
export async function measureInMemory(servers: readonly RunningServer[], { rounds, onRound }: Rounds): Promise<Figure[]> {
  const samples = new Map<string, number[]>();
  for (let round = -WARM_UP; round < rounds; round++) {
    onRound?.(round);
    for (const operation of OPERATIONS) {
      for (const server of servers) {
        const exchange = exchangeOf(operation, { ...CONSTANT_TARGET, base: server.entry.base });
        const cpu = await server.ask({ kind: 'batch', exchange, count: BATCH });
        if (round >= 0) push(samples, keyOf(server, operation), cpu);
      }
    }
  }
  return servers.flatMap((server) =>
    OPERATIONS.map((operation) => figureOf(server.entry.id, operation, samples.get(keyOf(server, operation)) ?? [])),
  );
}

export const keyOf = (server: RunningServer, operation: Operation) => `${server.entry.id} ${operation}`;

export function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

export function figureOf(server: string, operation: Operation, samples: readonly number[]): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  return { server, operation, cpu: round(sorted[0] ?? NaN), median: round(sorted[Math.floor(sorted.length / 2)] ?? NaN) };
}

const round = (value: number) => Math.round(value * 100) / 100;
