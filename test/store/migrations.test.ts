/** Migrations: whoever starts them, however often, at once or after a crash, the schema is made once and whole. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect, dumpSchema, migrate, schemaProblem } from '@specwright/postgres';
import { createDatabase, type TestDatabase } from '@specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';

const MIGRATION_NAMES = schema.migrations.map(({ name }) => name);

let empty: TestDatabase;
beforeEach(async () => {
  empty = await createDatabase({ schema: 'empty' });
});
afterEach(() => empty.drop());

/** The schema that a migration by one, undisturbed, makes. */
async function expectWholeSchema(): Promise<void> {
  const template = await createDatabase();
  expect(await dumpSchema(empty.db)).toBe(await dumpSchema(template.db));
  await template.drop();
  expect(await schemaProblem(empty.db, schema)).toBeUndefined();
}

test('of twenty at once, one migrates and the others find it done', async () => {
  const pools = Array.from({ length: 20 }, () => connect({ url: empty.url, pool: 2 }));
  const ran = await Promise.all(pools.map((db) => migrate(db, schema)));
  await Promise.all(pools.map((db) => db.destroy()));
  expect(ran.filter((names) => names.length > 0)).toEqual([MIGRATION_NAMES]);
  await expectWholeSchema();
});

test('a pool of one connection is enough, and a second time does nothing', async () => {
  const one = connect({ url: empty.url, pool: 1, acquireTimeoutMs: 1000 });
  try {
    expect(await migrate(one, schema)).toEqual(MIGRATION_NAMES);
    const text = await dumpSchema(one);
    expect(await migrate(one, schema)).toEqual([]);
    expect(await dumpSchema(one)).toBe(text);
  } finally {
    await one.destroy();
  }
});

test('after one was killed in the middle, the next one succeeds', async () => {
  // A table of that name, held by somebody else, stops the migration half-way.
  const blocker = await empty.db.transaction();
  await blocker.raw('CREATE TABLE orders ()');
  const victim = connect({ url: empty.url, pool: 4 });
  const killed = migrate(victim, schema).catch((error: unknown) => error);
  const waits = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (;;) {
    const { rows } = await empty.db.raw<{ rows: { n: number }[] }>(waits);
    if (rows[0]?.n === 1) break;
  }
  await empty.db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), ?)`,
    [await pidOf(blocker)],
  );
  expect(await killed).toBeInstanceOf(Object);
  await victim.destroy();
  await blocker.rollback();

  expect(await migrate(empty.db, schema)).toEqual(MIGRATION_NAMES);
  await expectWholeSchema();
});

const pidOf = async (trx: { raw: typeof empty.db.raw }) =>
  (await trx.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;

test('the lock row that a killed migrator left behind stops nobody', async () => {
  await migrate(empty.db, schema);
  await empty.db('migrations').delete();
  await empty.db('migrations_lock').update({ is_locked: 1 });
  const tables = await empty.db('pg_catalog.pg_tables').where({ schemaname: 'public' }).pluck<string[]>('tablename');
  await empty.db.raw(`DROP TABLE ${tables.filter((table) => !table.startsWith('migrations')).join(', ')}`);
  expect(await migrate(empty.db, schema)).toEqual(MIGRATION_NAMES);
  await expectWholeSchema();
});

test('what is wrong with a schema is told: nothing there, behind, ahead of this program', async () => {
  const { db } = empty;
  const lacks = `lacks migrations (${MIGRATION_NAMES.join(', ')}): run \`npm run migrate\``;
  expect(await schemaProblem(db, schema)).toMatch(lacks);
  await migrate(db, schema);
  expect(await schemaProblem(db, schema)).toBeUndefined();
  await db('migrations').insert({ name: '9999_from_the_future', batch: 2, migration_time: new Date() });
  expect(await schemaProblem(db, schema)).toMatch(/does not know \(9999_from_the_future\): deploy/);
  await db('migrations').delete();
  expect(await schemaProblem(db, schema)).toMatch(lacks);
});

test('a queue whose schema is behind, or not there, is told too, and the next migration mends it', async () => {
  const { db } = empty;
  await migrate(db, schema);
  await db('graphile_worker.migrations').where({ id: 18 }).delete();
  expect(await schemaProblem(db, schema)).toMatch(/lacks the schema of the queue: run `npm run migrate`/);
  await db.raw('DROP SCHEMA graphile_worker CASCADE');
  expect(await schemaProblem(db, schema)).toMatch(/lacks the schema of the queue/);
  expect(await migrate(db, schema)).toEqual([]);
  expect(await schemaProblem(db, schema)).toBeUndefined();
});
