/** A database behind a pooler: what needs a session goes past it, and statements have names only where it can do them. */
import { expect, test } from '@jest/globals';
import { connect, directClient, migrate, openPool, type Database } from '@specwright/postgres';
import { withApp, withDatabase, withFixture } from 'specwright/testing';
import { startTcpProxy } from '../../../test/support/tools/tcp-proxy.ts';

const database = withDatabase({ schema: 'empty' });
const refusing = withApp(async () => {
  const proxy = await startTcpProxy(database.url);
  await proxy.refuse();
  return proxy;
});
/** Whatever uses the pooler's URL fails. */
const past = withFixture(
  () => ({ db: connect({ url: refusing.url, directUrl: database.url }) }),
  ({ db }) => db.destroy(),
);

test('migrations use the direct URL', async () => {
  const migration = { up: (db: Database) => db.schema.createTable('books', (table) => table.increments('id')) };
  expect(await migrate(past.db, { migrations: [{ name: '0001_books', migration }] })).toEqual(['0001_books']);
  await expect(past.db('books')).rejects.toThrow();
});

test('a session uses the direct URL, and that of the pool if there is none', async () => {
  for (const db of [past.db, database.db]) {
    const client = directClient(db);
    const session = (await client.acquireRawConnection()) as { query: (sql: string) => Promise<{ rows: unknown[] }> };
    expect((await session.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.destroyRawConnection(session);
  }
});

test.each([
  ['names statements by default', '', ['books.count']],
  ['names none with prepared_statements=off', '&prepared_statements=off', []],
])('%s', async (_, parameter, names) => {
  const url = `${database.url}${parameter}`;
  const db = connect({ url, pool: 1 });
  const pool = openPool({ url, pool: 1 });
  const SELECT = 'SELECT name FROM pg_prepared_statements';
  await db.raw('SELECT count(*) FROM pg_class WHERE relname = ?', ['books']).options({ name: 'books.count' });
  await pool.query({ name: 'books.count', text: 'SELECT count(*) FROM pg_class WHERE relname = $1', values: ['books'] });
  const { rows } = await db.raw<{ rows: { name: string }[] }>(SELECT);
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect((await pool.query<{ name: string }>(SELECT)).rows.map(({ name }) => name)).toEqual(names);
  await db.destroy();
  await pool.end();
});
