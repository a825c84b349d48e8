/** Rate-limit decisions per second: this limiter beside those of rate-limiter-flexible, in PostgreSQL and in memory, on one database. */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { openCounterStore } from '@specwright/accounts';
import { migrate, openDatabase } from '@specwright/postgres';
import { createLimiter } from '@specwright/server';
import { schema } from '../src/db/migrations/index.ts';
import { fillLimiter, formatLimiter, LIMITER_RESULTS, type LimiterFigure, type LimiterRun } from './limiter/report.ts';
import { createProgress } from './requests/progress.ts';
import { RESULTS_PAGE } from './requests/report/report.ts';
import { describeRun, writeFormatted } from './requests/report/results.ts';
import { measureLatency } from './support/measure-latency.ts';

const IN_FLIGHT = [1, 32, 128];
/** One key, and as many as a busy server sees. */
const KEY_COUNTS = [1, 1000];
const DURATION_MS = 3000;
const UNREACHABLE_LIMIT = 1_000_000_000;

type Take = (key: string) => Promise<unknown>;

export const help = `npm run bench -- limiter [options]

Decisions per second and how long one takes, on one PostgreSQL, with one key and with 1000. About 1 minute.

  --save  writes bench/results/limiter.json and its section of bench/results/README.md`;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { save: { type: 'boolean', default: false } } });
  const { date, commit, machine, node } = describeRun(process.version, {}, {});
  const figures = await measureAll();
  const measured: LimiterRun = { date, commit, machine, node, load: loadavg()[1] ?? 0, figures };
  console.log(formatLimiter(measured));
  if (!values.save) return;
  await writeFormatted(LIMITER_RESULTS, JSON.stringify(measured));
  await writeFormatted(RESULTS_PAGE, fillLimiter(readFileSync(RESULTS_PAGE, 'utf8'), measured));
}

/** @throws Error if a decision was not made by PostgreSQL. */
async function measureAll(): Promise<LimiterFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  // As root the database runs as another user, who must be able to reach it.
  await chmod(folder, 0o755);
  const database = await openDatabase({ name: 'bench', databaseUrl: undefined, databasePool: 2, dataDir: folder });
  const store = openCounterStore({ url: database.url });
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  try {
    await migrate(database.db, schema);
    const ignore = () => undefined;
    const limiter = createLimiter({ store, log: { info: ignore, warn: ignore, error: ignore } });
    const flexible = await new Promise<RateLimiterPostgres>((resolve, reject) => {
      const created: RateLimiterPostgres = new RateLimiterPostgres(
        { storeClient: pool, storeType: 'pool', points: UNREACHABLE_LIMIT, duration: 60, tableName: 'flexible', keyPrefix: '' },
        (error?: Error) => (error === undefined ? resolve(created) : reject(error)),
      );
    });
    const flexibleMemory = new RateLimiterMemory({ points: UNREACHABLE_LIMIT, duration: 60 });
    const limiters: [name: string, take: Take][] = [
      [
        'this limiter: PostgreSQL, exact, minute and day',
        async (key) => limiter.take({ bucket: key, cost: 1, quota: { minute: UNREACHABLE_LIMIT, day: UNREACHABLE_LIMIT } }),
      ],
      ['rate-limiter-flexible: PostgreSQL, one window', (key) => flexible.consume(key)],
      ['rate-limiter-flexible: memory, one window', (key) => flexibleMemory.consume(key)],
    ];
    const figures: LimiterFigure[] = [];
    const { show, clear } = createProgress();
    for (const keys of KEY_COUNTS) {
      for (const inFlight of IN_FLIGHT) {
        for (const [name, take] of limiters) {
          show(`${name}, ${keys} keys, ${inFlight} in flight`);
          const { perSecond, p50, p99 } = await measureLatency((i) => take(`key ${i % keys}`), inFlight, DURATION_MS);
          figures.push({ limiter: name, keys, inFlight, perSecond: Math.round(perSecond), p50, p99 });
        }
      }
    }
    clear();
    const { local } = limiter.counts;
    if (local > 0) throw new Error(`${local} decisions were made by this process alone: the machine is too busy for a measurement`);
    limiter.close();
    return figures;
  } finally {
    await store.close();
    await pool.end();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
