/** What a request costs beside its cost in another tree: both servers in one process, in turns, so that whatever the machine does hits both. */
import { CONSTANT_TARGET, exchangeOf, OPERATION_TITLES, RATCHET_OPERATIONS, type Operation } from '../requests/operations.ts';
import type { Subject } from '../support/database.ts';
import { withLoadGenerator } from '../support/load.ts';
import { withServers, type RunningServer, type ServerEntry } from '../support/running-server.ts';

/** Requests in a batch in memory; batches of a process, and those before the first that counts. */
const BATCH = 1000;
const MEMORY_ROUNDS = 30;
const MEMORY_WARM_UP = 6;
const LOOPBACK_MS = 120;
const LOOPBACK_ROUNDS = 12;
const LOOPBACK_WARM_UP = 6;
const CONNECTIONS = 16;
/** As V8 compiles in threads, at moments that differ, two processes differ by 4 %; with these options of V8 by 1 %. */
const V8_OPTIONS = ['--predictable', '--predictable-gc-schedule'];

/** @returns µs of CPU of a request; of the base, if `isBase`. */
type Measure = (isBase: boolean) => Promise<number>;

/** The cost of this tree divided by that of the base, by the operation's title, in one process; NaN for what the base cannot be asked. */
export type Ratios = ReadonlyMap<string, number>;

/** The module of a server in this tree and in the other one, and the environment of both. */
export type Compared = Required<Pick<ServerEntry, 'module' | 'base' | 'env'>>;

const withBoth = <T>(compared: Compared, use: (server: RunningServer) => Promise<T>): Promise<T> => {
  const entry = { id: 'ratchet', title: 'this tree and its base', execArgv: V8_OPTIONS, ...compared };
  return withServers([entry], { node: process.execPath }, ([server]) => use(server as RunningServer));
};

export const compareInMemory = (compared: Compared, operations: readonly Operation[] = RATCHET_OPERATIONS): Promise<Ratios> =>
  withBoth(compared, async (server) => {
    const ratios = new Map<string, number>();
    for (const operation of operations) {
      const exchange = exchangeOf(operation, CONSTANT_TARGET);
      const measure: Measure = (isBase) => server.ask({ kind: 'batch', server: isBase ? 1 : 0, exchange, count: BATCH });
      const isInBase = await server.ask({ kind: 'batch', server: 1, exchange, count: 1 }).then(
        () => true,
        () => false,
      );
      const ratio = isInBase ? await compareInTurns(measure, MEMORY_ROUNDS, MEMORY_WARM_UP) : NaN;
      ratios.set(`${OPERATION_TITLES[operation]}, in memory`, ratio);
    }
    return ratios;
  });

/** With PostgreSQL, over loopback. */
export const compareOverLoopback = (compared: Compared, subject: Subject): Promise<Ratios> =>
  withBoth(compared, (server) =>
    withLoadGenerator(async (load) => {
      const ratios = new Map<string, number>();
      const requests = {
        'GET of a row': exchangeOf('getPet', subject),
        'POST of an order': { write: 'order', subjects: [subject], orderIds: [] } as const,
      };
      for (const [title, exchange] of Object.entries(requests)) {
        const measure: Measure = async (isBase) => {
          const measured = isBase ? { ...server, port: server.basePort } : server;
          return (await load(measured, { requests: exchange, connections: CONNECTIONS, ms: LOOPBACK_MS })).cpu;
        };
        ratios.set(`${title}, with PostgreSQL`, await compareInTurns(measure, LOOPBACK_ROUNDS, LOOPBACK_WARM_UP));
      }
      return ratios;
    }),
  );

async function compareInTurns(measure: Measure, rounds: number, warmUp: number): Promise<number> {
  const costs = { own: [] as number[], base: [] as number[] };
  for (let round = -warmUp; round < rounds; round++)
    for (const isBase of round % 2 === 0 ? [true, false] : [false, true]) {
      const cost = await measure(isBase);
      if (round >= 0) costs[isBase ? 'base' : 'own'].push(cost);
    }
  return lowerHalf(costs.own) / lowerHalf(costs.base);
}

/** The mean of the cheaper half: what else the machine does can only add to a cost. */
export function lowerHalf(costs: readonly number[]): number {
  const half = [...costs].sort((a, b) => a - b).slice(0, Math.ceil(costs.length / 2));
  return half.reduce((sum, cost) => sum + cost, 0) / half.length;
}
