/** Makes the databases of tests on a cluster of Citus, distributed by docs/citus.sql (`TEST_DATABASE_MODULE`). */
import { randomBytes } from 'node:crypto';
import { connect, migrate } from '@specwright/postgres';
import { scaleTimeout, type TestDatabase, type TestDatabaseOptions } from 'specwright/testing';
import { schema } from '../../../src/db/migrations/index.ts';
import { readDistribution } from './distribution.ts';

const TIMEOUT_MS = 30_000;
const UNBOUNDED = { pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 };

/** Without workers the coordinator has the shards itself. @param workers `host:port` of each. */
async function setUp(url: string, workers: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  for (const worker of workers) await run(Object.assign(new URL(url), { host: worker }).href, ['CREATE EXTENSION citus']);
  await run(url, [
    'CREATE EXTENSION citus',
    `SELECT citus_set_coordinator_host('${hostname}', ${port || '5432'})`,
    ...workers.map((worker) => `SELECT citus_add_node('${worker.replace(':', "', ")})`),
    ...(workers.length === 0 ? [`SELECT citus_set_node_property('${hostname}', ${port || '5432'}, 'shouldhaveshards', true)`] : []),
  ]);
  const db = connect({ url, ...UNBOUNDED });
  await migrate(db, schema);
  await db.destroy();
  // One after the other, as psql does: Citus refuses several in one message.
  await run(url, ['SET citus.shard_count = 4', ...readDistribution().split(/;\n/)]);
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const db = connect({ url, ...UNBOUNDED });
  try {
    for (const statement of statements) if (statement.trim() !== '') await db.raw(statement);
  } finally {
    await db.destroy();
  }
}

/** `TEST_CITUS_URL` is the coordinator, `TEST_CITUS_WORKERS` the workers: `127.0.0.1:7433,127.0.0.1:7434`. */
export async function createDatabase({ pool = 10 }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_CITUS_URL: server = '', TEST_CITUS_WORKERS: list = '' } = process.env;
  const workers = list.split(',').filter((worker) => worker !== '');
  const name = `test_citus_${randomBytes(4).toString('hex')}`;
  const servers = [...workers.map((host) => Object.assign(new URL(server), { host }).href), server];
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  for (const each of servers) await run(each, [`SET citus.enable_create_database_propagation = off`, `CREATE DATABASE ${name}`]);
  await setUp(url, workers);
  const timeoutMs = scaleTimeout(TIMEOUT_MS);
  const db = connect({ url, pool, acquireTimeoutMs: timeoutMs, statementTimeoutMs: timeoutMs, lockTimeoutMs: timeoutMs });
  return {
    url,
    db,
    async drop() {
      await db.destroy();
      for (const each of servers.reverse())
        await run(each, [`SET citus.enable_create_database_propagation = off`, `DROP DATABASE ${name} WITH (FORCE)`]);
    },
  };
}
