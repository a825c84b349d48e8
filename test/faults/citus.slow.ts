/** The whole contract on Citus, distributed as docs/how-to/scaling.md says; only where `TEST_CITUS_URL` names a server that has it. */
import { describe, expect, test } from '@jest/globals';
import { openCallerCache, openCounterStore, suspendAccount } from '@specwright/accounts';
import { connect } from '@specwright/postgres';
import { scaleTimeout, until, walkContract, withApp, withFixture } from 'specwright/testing';
import { createOrder } from '../../src/db/orders.ts';
import { startConditions } from '../contract/conditions.ts';
import { OUTGOING } from '../contract/outgoing.ts';
import { scenarioFor } from '../contract/scenario-for.ts';
import { spec } from '../contract/spec.ts';
import { createWorld } from '../contract/world.ts';
import { newAccount } from '../support/service/app.ts';
import { createDatabase } from '../support/service/citus-database.ts';
import { openShop } from '../support/service/shop.ts';

const isRun = process.env['TEST_CITUS_URL'] !== undefined;
// In no registry of packages: nothing can be installed here.
if (!isRun) console.warn('SKIPPED: TEST_CITUS_URL is not set, so nothing is tested on Citus: bash test/support/citus.sh');

(isRun ? describe : describe.skip)('the contract on Citus', () => {
  const database = withFixture(
    () => createDatabase(),
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

  test('servers that record the use of the same keys at once do not deadlock', async () => {
    const problems: unknown[] = [];
    const accounts = await Promise.all(Array.from({ length: 30 }, () => newAccount(database.db)));
    const keys = accounts.map(({ key }) => key);
    const accountIds = accounts.map(({ accountId }) => accountId);
    for (let round = 0; round < 5; round++) {
      await database.db('api_keys').update({ last_used_at: null });
      const log = { info: () => undefined, warn: (fields: object) => problems.push(fields) };
      const caches = Array.from({ length: 6 }, () => openCallerCache(database.db, { writeDelayMs: 5, log }));
      await Promise.all(
        caches.map(async (cache, i) => {
          for (const key of [...keys.slice(i * 5), ...keys.slice(0, i * 5)]) await cache.find(key);
        }),
      );
      // As a revocation does.
      const changes = keys.map((_, i) => database.db('api_keys').where({ account_id: accountIds[i] }).increment('version'));
      await Promise.all([...changes, ...caches.map((cache) => cache.close())]);
      expect(problems).toEqual([]);
    }
  });

  test(
    'requests go on while a shard is moved to another worker',
    async () => {
      const { db } = database;
      const shops = await Promise.all(Array.from({ length: 8 }, () => openShop(db, 100)));
      const { rows: nodes } = await db.raw<{ rows: { name: string; port: number }[] }>(
        'SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeport',
      );
      const [from, to] = nodes;
      if (from === undefined || to === undefined) return console.warn('SKIPPED: no shard can be moved, because there is one node');
      let isMoving = true;
      let orders = 0;
      const buyers = shops.map(async ({ accountId, petIds }) => {
        for (let i = 0; i < 90 && (isMoving || i < 5); i++, orders++) await createOrder(db, accountId, { petId: petIds[0], quantity: 1 });
      });
      const { rows: shards } = await db.raw<{ rows: { id: string }[] }>(
        "SELECT shardid AS id FROM citus_shards WHERE table_name = 'orders'::regclass AND nodeport = ?",
        [from.port],
      );
      const admin = connect({ url: database.url, pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 });
      try {
        expect(shards.length).toBeGreaterThan(0);
        for (const { id } of shards)
          await admin.raw('SELECT citus_move_shard_placement(?::bigint, ?, ?, ?, ?, ?)', [
            id,
            from.name,
            from.port,
            to.name,
            to.port,
            'force_logical',
          ]);
      } finally {
        isMoving = false;
        await admin.destroy();
      }
      await Promise.all(buyers);
      const counted = await db('orders')
        .whereIn(
          'account_id',
          shops.map(({ accountId }) => accountId),
        )
        .count<{ count: string }[]>();
      expect(Number(counted[0]?.count)).toBe(orders);
    },
    scaleTimeout(120_000),
  );
});
