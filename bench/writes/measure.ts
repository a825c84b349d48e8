/** What a write costs: each server in turn under the same load, with the CPU of its process and of PostgreSQL's. */
import { fork } from 'node:child_process';
import { percentile } from 'specwright/testing';
import { compiled } from '../requests/compile.ts';
import { nextMessage, type RunningServer } from '../requests/servers/running-server.ts';
import type { WriteDatabase } from './database.ts';
import type { WriteLoad, WriteLoaded } from './generator.ts';
import type { Write } from './operations.ts';
import { OWN_WRITES } from './servers.ts';

export interface WriteFigure {
  readonly server: string;
  readonly write: Write;
  readonly accounts: 'one' | 'many';
  /** CPU for a request, in ms: the median of all rounds. */
  readonly cpu: number;
  readonly databaseCpu: number;
  readonly perSecond: number;
  /** In ms. */
  readonly p50: number;
  readonly p99: number;
}

export interface WriteOptions {
  readonly database: WriteDatabase;
  readonly writes: readonly Write[];
  readonly accounts: readonly ('one' | 'many')[];
  readonly connections: number;
  readonly rounds: number;
  /** How long each server is kept busy in a round, in ms. */
  readonly ms: number;
  readonly onRound?: (round: number) => void;
}

/** More than any server deletes in a round. */
const ORDERS_PER_MS = 8;

/** The peers know no Idempotency-Key. */
const canMeasure = (server: string, write: Write): boolean => server === OWN_WRITES || !write.endsWith('-key');

/** The first round warms up and does not count. */
export async function measureWrites(servers: readonly RunningServer[], options: WriteOptions): Promise<WriteFigure[]> {
  const { database, writes, accounts, connections, rounds, onRound } = options;
  const samples = new Map<string, Omit<WriteFigure, 'server' | 'write' | 'accounts'>[]>();
  const generator = fork(compiled('writes-generator'), [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  const failed = (what: string) => new Error(`the load generator: ${what}`);

  async function sample(server: RunningServer, write: Write, whose: 'one' | 'many', ms: number) {
    const subjects = database.subjects[whose];
    const orderIds = write === 'delete' ? await database.makeOrders(subjects, ms * ORDERS_PER_MS) : [];
    const [cpuBefore, databaseBefore] = [await server.ask({ kind: 'cpu' }), database.cpu()];
    generator.send({ port: server.port, requests: { write, subjects, orderIds }, connections, ms } satisfies WriteLoad);
    const loaded = (await nextMessage(generator, failed)) as WriteLoaded;
    if ('error' in loaded) throw new Error(`${server.entry.title}: ${loaded.error}`);
    const { times } = loaded;
    return {
      cpu: ((await server.ask({ kind: 'cpu' })) - cpuBefore) / 1000 / times.length,
      databaseCpu: (database.cpu() - databaseBefore) / times.length,
      perSecond: (times.length / loaded.ms) * 1000,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    };
  }

  try {
    for (let round = -1; round < rounds; round++) {
      onRound?.(round);
      for (const write of writes)
        for (const whose of accounts)
          for (const server of servers.filter(({ entry }) => canMeasure(entry.id, write))) {
            const one = await sample(server, write, whose, round < 0 ? Math.ceil(options.ms / 3) : options.ms);
            const key = `${server.entry.id} ${write} ${whose}`;
            if (round >= 0) samples.set(key, [...(samples.get(key) ?? []), one]);
          }
    }
  } finally {
    generator.kill();
  }
  const figure = (server: string, write: Write, whose: 'one' | 'many'): WriteFigure => {
    const all = samples.get(`${server} ${write} ${whose}`) ?? [];
    const of = (name: 'cpu' | 'databaseCpu' | 'perSecond' | 'p50' | 'p99') =>
      percentile(
        all.map((one) => one[name]),
        0.5,
      );
    return {
      server,
      write,
      accounts: whose,
      cpu: of('cpu'),
      databaseCpu: of('databaseCpu'),
      perSecond: of('perSecond'),
      p50: of('p50'),
      p99: of('p99'),
    };
  };
  return writes.flatMap((write) =>
    accounts.flatMap((whose) =>
      servers.filter(({ entry }) => canMeasure(entry.id, write)).map(({ entry }) => figure(entry.id, write, whose)),
    ),
  );
}
