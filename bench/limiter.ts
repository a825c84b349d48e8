/** Decisions about rate limits: ours beside rate-limiter-flexible's limiters in PostgreSQL and in memory, in one run on one database. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { openCounterStore } from '@specwright/accounts';
import { migrate, openDatabase } from '@specwright/postgres';
import { createLimiter } from '@specwright/server';
import { schema } from '../src/db/migrations/index.ts';
import { measure } from './measure.ts';

const IN_FLIGHT = [1, 32, 128];
/** All for one key, and spread over as many as a busy server sees. */
const KEYS = [1, 1000];
const DURATION = 3000;
const MANY = 1_000_000_000;

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
    const peer = await new Promise<RateLimiterPostgres>((resolve, reject) => {
      const made: RateLimiterPostgres = new RateLimiterPostgres(
        { storeClient: pool, storeType: 'pool', points: MANY, duration: 60, tableName: 'peer', keyPrefix: '' },
        (error?: Error) => (error === undefined ? resolve(made) : reject(error)),
      );
    });
    const memory = new RateLimiterMemory({ points: MANY, duration: 60 });
    const limiters: [name: string, take: Take][] = [
      ['ours: PostgreSQL, exact, minute and day', async (key) => limiter.take({ bucket: key, cost: 1, quota: { minute: MANY, day: MANY } })],
      ['rate-limiter-flexible: PostgreSQL, one window', (key) => peer.consume(key)],
      ['rate-limiter-flexible: memory, one window', (key) => memory.consume(key)],
    ];
    console.log(`Node ${process.version}, ${cpus().length} processors shared with the database, ${DURATION / 1000} s each\n`);
    console.log(
      `${'limiter'.padEnd(48)}${'keys'.padStart(6)}${'in flight'.padStart(11)}${'per second'.padStart(12)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
    );
    for (const keys of KEYS) {
      for (const inFlight of IN_FLIGHT) {
        for (const [name, take] of limiters) {
          const { perSecond, p50, p99 } = await measure((i) => take(`key ${i % keys}`), inFlight, DURATION);
          console.log(
            `${name.padEnd(48)}${String(keys).padStart(6)}${String(inFlight).padStart(11)}${perSecond.toFixed(0).padStart(12)}${p50.toFixed(2).padStart(9)}${p99.toFixed(2).padStart(9)}`,
          );
        }
      }
    }
    const { shared, local } = limiter.counts;
    console.log(`\nours: ${shared} decided by PostgreSQL, ${local} by this process alone`);
    limiter.close();
  } finally {
    await store.close();
    await pool.end();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
