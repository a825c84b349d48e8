/** Rate-limit decisions per second: this limiter beside those of rate-limiter-flexible, in PostgreSQL and in memory, on one database. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { openCounterStore } from '@specwright/accounts';
import { migrate, openDatabase } from '@specwright/postgres';
import { createLimiter } from '@specwright/server';
import { schema } from '../src/db/migrations/index.ts';
import { measureLatency } from './support/measure-latency.ts';

const IN_FLIGHT = [1, 32, 128];
/** One key, and as many as a busy server sees. */
const KEY_COUNTS = [1, 1000];
const DURATION_MS = 3000;
const UNREACHABLE_LIMIT = 1_000_000_000;

type Take = (key: string) => Promise<unknown>;

export async function run(): Promise<void> {
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
    console.log(`Node ${process.version}, ${cpus().length} processors shared with the database, ${DURATION_MS / 1000} s each\n`);
    console.log(
      `${'limiter'.padEnd(48)}${'keys'.padStart(6)}${'in flight'.padStart(11)}${'per second'.padStart(12)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
    );
    for (const keys of KEY_COUNTS) {
      for (const inFlight of IN_FLIGHT) {
        for (const [name, take] of limiters) {
          const { perSecond, p50, p99 } = await measureLatency((i) => take(`key ${i % keys}`), inFlight, DURATION_MS);
          console.log(
            `${name.padEnd(48)}${String(keys).padStart(6)}${String(inFlight).padStart(11)}${perSecond.toFixed(0).padStart(12)}${p50.toFixed(2).padStart(9)}${p99.toFixed(2).padStart(9)}`,
          );
        }
      }
    }
    const { shared, local } = limiter.counts;
    console.log(`\nthis limiter: ${shared} decided by PostgreSQL, ${local} by this process alone`);
    limiter.close();
  } finally {
    await store.close();
    await pool.end();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
