/** The migrations of this service; the machinery is tested in packages/postgres. */
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

test('twenty concurrent processes migrate a database once', async () => {
  const pools = Array.from({ length: 20 }, () => connect({ url: empty.url, pool: 2 }));
  const ran = await Promise.all(pools.map((db) => migrate(db, schema)));
  await Promise.all(pools.map((db) => db.destroy()));
  expect(ran.filter((names) => names.length > 0)).toEqual([schema.migrations.map(({ name }) => name)]);
  expect(await dumpSchema(empty.db)).toBe(await dumpSchema(fresh.db));
  expect(await schemaProblem(empty.db, schema)).toBeUndefined();
});
