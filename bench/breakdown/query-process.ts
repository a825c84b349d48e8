/** A process without HTTP that measures what queries cost it: by `pg`, by Knex and by the stores, each in turn, 32 in flight. */
import { findCaller, openCounterStore } from '@specwright/accounts';
import { openDatabase } from '@specwright/postgres';
import { createLimiter } from '@specwright/server';
import knex from 'knex';
import pg from 'pg';
import { NAME, readConfig } from '../../src/config.ts';
import { FIND_PET } from './find-pet.ts';

export interface QueryFigure {
  readonly title: string;
  /** CPU of this process for one call, in µs: the least of all rounds, and their median. */
  readonly cpu: number;
  readonly median: number;
}

/** The message that it waits for. */
export interface QueryOptions {
  readonly rounds: number;
  readonly petId: number;
  readonly accountId: number;
  readonly categoryId: number;
  readonly apiKey: string;
}

/** The message that it sends. */
export type QueryResult = { readonly figures: readonly QueryFigure[] } | { readonly error: string };

const IN_FLIGHT = 32;
const CALLS = 4000;
const WARM_UP = 3;
const UNREACHABLE_QUOTA = { minute: 1_000_000_000, day: 1_000_000_000 };

type Call = () => unknown;
const ignore = () => undefined;

async function openCalls({ petId, accountId, categoryId, apiKey }: QueryOptions) {
  const { db, url } = await openDatabase({ ...readConfig(), name: NAME });
  const options = { db, url, accountId, categoryId };
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const builder = knex({ client: 'pg' });
  const [byPg, byKnex, byStore] = [FIND_PET.pg(options), FIND_PET.knex(options), FIND_PET.store(options)];
  const limiter = createLimiter({ store: openCounterStore({ url }), log: { info: ignore, warn: ignore, error: ignore } });
  const calls: Record<string, Call> = {
    'a round trip: `SELECT 1`, prepared, by pg': () => pool.query({ name: 'one', text: 'SELECT 1' }),
    'one row by its key, prepared, by pg': () => byPg(petId),
    'the same through Knex': () => byKnex(petId),
    "the same by the pet store's function": () => byStore(petId),
    "Knex's query, built and not sent": () =>
      builder('pets').where({ account_id: accountId, id: petId }).first('id', 'name').toSQL().toNative(),
    'a key that is not cached, looked up': () => findCaller(db, apiKey),
    'an exact decision about a limit': () => limiter.take({ bucket: 'bench', cost: 1, quota: UNREACHABLE_QUOTA }),
  };
  return { calls, limiter };
}

/** @returns CPU of this process for one call, in µs. */
async function measure(call: Call): Promise<number> {
  let left = CALLS;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function measureAll(options: QueryOptions): Promise<QueryFigure[]> {
  const { calls: byTitle, limiter } = await openCalls(options);
  const calls = Object.entries(byTitle).map(([title, call]) => ({ title, call, samples: [] as number[] }));
  for (let round = -WARM_UP; round < options.rounds; round++) {
    for (const { call, samples } of calls) {
      const cpu = await measure(call);
      if (round >= 0) samples.push(cpu);
    }
  }
  const { shared, local } = limiter.counts;
  if (local > shared / 100)
    throw new Error(`${local} limits were decided without PostgreSQL, which did not answer in time: the machine is too busy`);
  return calls.map(({ title, samples }) => {
    const sorted = samples.sort((a, b) => a - b);
    return { title, cpu: sorted[0] ?? NaN, median: sorted[Math.floor(sorted.length / 2)] ?? NaN };
  });
}

process.once('message', (options: QueryOptions) => {
  measureAll(options).then(
    (figures) => process.send?.({ figures } satisfies QueryResult),
    (error: unknown) => process.send?.({ error: String(error) } satisfies QueryResult),
  );
});
process.on('disconnect', () => process.exit());
