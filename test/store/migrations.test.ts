/** The migrations of this service and of its queue; the machinery is tested in packages/postgres. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect, dumpSchema, migrate, schemaProblem } from '@specwright/postgres';
import { createDatabase, withDatabase, type TestDatabase } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';

const fresh = withDatabase();
let empty: TestDatabase;
beforeEach(async () => {
  empty = await createDatabase({ schema: 'empty' });
});
afterEach(() => empty.drop());

test('twenty concurrent processes migrate a database once, the queue included', async () => {
  const pools = Array.from({ length: 20 }, () => connect({ url: empty.url, pool: 2 }));
  const ran = await Promise.all(pools.map((db) => migrate(db, schema)));
  await Promise.all(pools.map((db) => db.destroy()));
  expect(ran.filter((names) => names.length > 0)).toEqual([schema.migrations.map(({ name }) => name)]);
  expect(await dumpSchema(empty.db)).toBe(await dumpSchema(fresh.db));
  expect(await schemaProblem(empty.db, schema)).toBeUndefined();
});

test('a queue whose schema is behind or missing is reported, and the next migration fixes it', async () => {
  const { db } = empty;
  await migrate(db, schema);
  await db('graphile_worker.migrations').where({ id: 18 }).delete();
  expect(await schemaProblem(db, schema)).toMatch(/lacks the schema of the queue: run `npm run migrate`/);
  await db.raw('DROP SCHEMA graphile_worker CASCADE');
  expect(await schemaProblem(db, schema)).toMatch(/lacks the schema of the queue/);
  expect(await migrate(db, schema)).toEqual([]);
  expect(await schemaProblem(db, schema)).toBeUndefined();
});
