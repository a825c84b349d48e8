/** A newer version migrates the database while this one serves: what only adds stops nothing, what does more stops this one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { databaseProbe, migrate, type Migration } from '@specwright/postgres';
import { createReadiness, type WatchedReadiness } from '@specwright/server';
import { createDatabase, createTestLog, until, type TestDatabase } from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

let database: TestDatabase;
let readiness: WatchedReadiness;
let app: TestApp;
let shop: Shop;
beforeEach(async () => {
  database = await createDatabase();
  readiness = createReadiness({ log: createTestLog(), ...databaseProbe({ url: database.url, schema }) });
  expect(await readiness.start()).toBeUndefined();
  app = await startApp(database.db, { readiness });
  shop = await openShop(database.db, 1_000_000);
});
afterEach(async () => {
  readiness.stop();
  await app.close();
  await database.drop();
});

const migrateFurther = (migration: Migration['migration']) =>
  migrate(database.db, { ...schema, migrations: [...schema.migrations, { name: '9999_next', migration }] });

// One table: a migration that locks two of them in another order than requests do is a deadlock.
const ADD = `ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT '';
  CREATE TABLE nicknames (account_id bigint PRIMARY KEY)`;
const up: Migration['migration']['up'] = async (knex) => {
  await knex.raw(ADD);
};

test('under load, a migration that only adds fails no request, and probes find the server ready', async () => {
  const call = clientWithKey(app.url, shop.key);
  const answers: { status: number }[] = [];
  let isOver = false;
  const clients = Array.from({ length: 6 }, async (_, i) => {
    while (!isOver) {
      const order = i % 2 === 0 ? call('POST', '/store/orders', { petId: shop.petIds[0] }) : call('GET', `/store/pets/${shop.petIds[0]}`);
      answers.push(await order, await call('GET', '/readyz'));
    }
  });
  await until(() => answers.length > 50);
  await migrateFurther({ up, compatible: true });
  const migrated = answers.length;
  // Long enough for the next look at the schema.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await until(() => answers.length > migrated + 50);
  isOver = true;
  await Promise.all(clients);
  expect(Object.keys(countStatuses(answers))).toEqual(['200', '201']);
});

test('without that mark the server is not ready, and serves nothing on a schema that it does not know', async () => {
  await migrateFurther({ up });
  await until(async () => (await readiness.check()) !== undefined);
  expect((await clientWithKey(app.url, shop.key)('GET', '/pets')).status).toBe(503);
});
