/** The whole contract on Citus, distributed as docs/scaling.md says; only where `TEST_CITUS_URL` names a server that has it. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openCallerCache, openCounterStore, suspendAccount } from '@specwright/accounts';
import { connect, migrate } from '@specwright/postgres';
import { until, walkContract, withApp, withFixture, type TestDatabase } from '@specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';
import { startConditions } from '../contract/conditions.ts';
import { OUTGOING } from '../contract/outgoing.ts';
import { scenarioFor } from '../contract/scenario-for.ts';
import { spec } from '../contract/spec.ts';
import { createWorld } from '../contract/world.ts';
import { newAccount } from '../support/service/app.ts';
import { readDistribution } from '../support/service/distribution.ts';

const server = process.env['TEST_CITUS_URL'];
// In no registry of packages: nothing can be installed here.
if (server === undefined) console.warn('SKIPPED: TEST_CITUS_URL is not set, so nothing is tested on Citus');

/** A database on one node, which has the shards itself. */
async function createDistributed(url: string): Promise<TestDatabase> {
  const unbounded = { pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 };
  const { hostname, port, pathname } = Object.assign(new URL(url), { pathname: `/test_citus_${randomBytes(4).toString('hex')}` });
  const name = pathname.slice(1);
  const database = Object.assign(new URL(url), { pathname }).href;
  const admin = connect({ url, ...unbounded });
  await admin.raw('CREATE DATABASE ??', [name]);
  const db = connect({ url: database });
  const setUp = connect({ url: database, ...unbounded });
  const node = `'${hostname}', ${port || '5432'}`;
  await setUp.raw('CREATE EXTENSION citus');
  await setUp.raw(`SELECT citus_set_coordinator_host(${node}), citus_set_node_property(${node}, 'shouldhaveshards', true)`);
  await migrate(db, schema);
  // One after the other, as psql does: Citus refuses several in one message. The pool is one session.
  for (const statement of ['SET citus.shard_count = 4', ...readDistribution().split(/;\n/)])
    if (statement.trim() !== '') await setUp.raw(statement);
  await setUp.destroy();
  return {
    url: database,
    db,
    async drop() {
      await db.destroy();
      await admin.raw('DROP DATABASE ?? WITH (FORCE)', [name]);
      await admin.destroy();
    },
  };
}

(server === undefined ? describe.skip : describe)('the contract on Citus', () => {
  const database = withFixture(
    () => createDistributed(server ?? ''),
    (created) => created.drop(),
  );
  const conditions = withApp(() => startConditions(database));
  const world = withFixture(() => createWorld(conditions.urls, database.db));
  walkContract({ spec, world, client: world, scenarioFor, outgoing: OUTGOING, scenariosFile: 'test/contract/scenarios.ts' });

  test('the use of a key is recorded, and its limits are counted', async () => {
    const { accountId, key } = await newAccount(database.db);
    const cache = openCallerCache(database.db, { writeDelayMs: 10 });
    const store = openCounterStore({ url: database.url });
    try {
      expect(await cache.find(key)).toMatchObject({ accountId });
      await until(async () => (await database.db('api_keys').where({ account_id: accountId }).pluck('last_used_at'))[0] !== null);
      const taken = await store.take({ bucket: 'citus', cost: 1, quota: { minute: 1, day: 1 } });
      expect([taken.admitted, taken.minute.used]).toEqual([true, 1]);
      await suspendAccount(database.db, accountId, new Date());
      expect(await cache.find(key)).toBeUndefined();
    } finally {
      await cache.close();
      await store.close();
    }
  });
});
