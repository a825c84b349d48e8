/** What a write costs: each server in turn under the same load, with the CPU of its process and of PostgreSQL's. */
import { percentile } from '../../test/support/tools/load-client.ts';
import { withLoadGenerator } from '../support/load.ts';
import type { RunningServer } from '../support/running-server.ts';
import type { WriteDatabase } from './database.ts';
import type { Write } from './operations.ts';
import { OWN_WRITES } from './servers.ts';

/** The accounts that write: one with 200 pets, or 200 with one each. */
export const WRITERS = ['one', 'many'] as const;
export type Writers = (typeof WRITERS)[number];

interface Sample {
  /** CPU for a request, in ms. */
  readonly cpu: number;
  readonly databaseCpu: number;
  readonly perSecond: number;
  /** In ms. */
  readonly p50: number;
  readonly p99: number;
}

/** The median of all rounds. */
export interface WriteFigure extends Sample {
  readonly server: string;
  readonly write: Write;
  readonly accounts: Writers;
}

interface WriteOptions {
  readonly database: WriteDatabase;
  readonly writes: readonly Write[];
  readonly accounts: readonly Writers[];
  readonly connections: number;
  readonly rounds: number;
  /** How long each server is kept busy in a round, in ms. */
  readonly ms: number;
  readonly onRound: (round: number) => void;
}

/** More than any server deletes in a round. */
const ORDERS_PER_MS = 8;

/** The peers know no Idempotency-Key. */
const canMeasure = ({ entry }: RunningServer, write: Write): boolean => entry.id === OWN_WRITES || !write.endsWith('-key');

/** The first round warms up and does not count. */
export function measureWrites(servers: readonly RunningServer[], options: WriteOptions): Promise<WriteFigure[]> {
  const { database, connections, rounds, onRound } = options;
  const measured = options.writes.flatMap((write) =>
    options.accounts.flatMap((accounts) =>
      servers.filter((server) => canMeasure(server, write)).map((server) => ({ server, write, accounts, samples: [] as Sample[] })),
    ),
  );
  return withLoadGenerator(async (load) => {
    for (let round = -1; round < rounds; round++) {
      onRound(round);
      for (const { server, write, accounts, samples } of measured) {
        const ms = round < 0 ? Math.ceil(options.ms / 3) : options.ms;
        const subjects = database.subjects[accounts];
        const orderIds = write === 'delete' ? await database.makeOrders(subjects, ms * ORDERS_PER_MS) : [];
        const before = database.cpu();
        const { answered, cpu, perSecond, p50, p99 } = await load(server, { requests: { write, subjects, orderIds }, connections, ms });
        if (round >= 0) samples.push({ cpu: cpu / 1000, databaseCpu: (database.cpu() - before) / answered, perSecond, p50, p99 });
      }
    }
    return measured.map(({ server, write, accounts, samples }) => {
      const median = (of: keyof Sample) =>
        percentile(
          samples.map((sample) => sample[of]),
          0.5,
        );
      return {
        server: server.entry.id,
        write,
        accounts,
        cpu: median('cpu'),
        databaseCpu: median('databaseCpu'),
        perSecond: median('perSecond'),
        p50: median('p50'),
        p99: median('p99'),
      };
    });
  });
}
