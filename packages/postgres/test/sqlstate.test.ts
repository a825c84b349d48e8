/** What the database says becomes an error that the client can act on, and a connection that is spoilt is not used again. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@specwright/contract/runtime';
import { connect, createStoreAccess, type Database } from '@specwright/postgres';
import { createDatabase, withDatabase, withFixture } from 'specwright/testing';

const database = withDatabase();
const pool = withFixture(
  () => ({ db: connect({ url: database.url, pool: 3, lockTimeoutMs: 100 }) }),
  ({ db }) => db.destroy(),
);
const { read, transaction } = createStoreAccess({ onWrite: { books_isbn: ['isbn_taken', 'there is a book with this ISBN'] } });

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? [error.code, error.headers['Retry-After']] : error),
  );
const UNAVAILABLE = ['service_unavailable', '1'];
const pid = async (db: Database) => (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

test.each([
  ['22021', String.raw`SELECT convert_from('\x00', 'UTF8')`, 'U+0000'],
  ['22007', `SELECT 'soon'::timestamptz`, 'years 0001 to 9999'],
  ['22008', `SELECT '10000000-01-01'::timestamptz`, 'years 0001 to 9999'],
  ['22009', `SELECT '2026-01-01T00:00:00+24:00'::timestamptz`, 'years 0001 to 9999'],
])('%s, of a value that cannot be stored, is invalid_request', async (code, statement, message) => {
  await expect(pool.db.raw(statement)).rejects.toMatchObject({ code });
  await expect(read(pool.db.raw(statement))).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
});

describe('answered 503 with Retry-After', () => {
  const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`;
  const CODES = [
    '25006',
    '25P03',
    '28000',
    '28P01',
    '3D000',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '58030',
  ];

  test.each(CODES)('%s', async (code) => {
    expect(await outcome(read(pool.db.raw(raise(code))))).toEqual(UNAVAILABLE);
    const inTransaction = transaction(pool.db, async (trx) => {
      await trx.raw(raise(code));
    });
    expect(await outcome(inTransaction)).toEqual(UNAVAILABLE);
    expect(await outcome(read(pool.db.raw('SELECT 1')))).toBe('done');
  });

  test.each([
    ['a database that does not exist', { pathname: '/nowhere' }],
    ['a user who does not exist', { username: 'nobody' }],
    ['a port where nobody listens', { port: '1' }],
    ['a host that does not exist', { hostname: 'nowhere.invalid' }],
    ['a setting that the server does not know', { search: '?options=-c%20no_such_setting=1' }],
  ])('%s', async (_, change) => {
    const db = connect({ url: Object.assign(new URL(database.url), change).href });
    expect(await outcome(read(db.raw('SELECT 1')))).toEqual(UNAVAILABLE);
    await db.destroy();
  });

  test('a row that another transaction keeps locked, and the message says so', async () => {
    await database.db.raw('CREATE TABLE locked (id int); INSERT INTO locked VALUES (1)');
    const holder = await database.db.transaction();
    await holder.raw('SELECT * FROM locked FOR UPDATE');
    const update = read(pool.db.raw('UPDATE locked SET id = 2'));
    await expect(update).rejects.toMatchObject({ code: 'service_unavailable', message: 'another request is changing the same data' });
    await holder.rollback();
  });

  test.each([
    ['accepts no connections (55000)', 'ALLOW_CONNECTIONS false', 'ALLOW_CONNECTIONS true'],
    ['has no connection left (53300)', 'CONNECTION LIMIT 0', 'CONNECTION LIMIT -1'],
  ])('sessions ended by a database that %s', async (_, close, reopen) => {
    const other = await createDatabase();
    const name = new URL(other.url).pathname.slice(1);
    const role = `guest_${name}`;
    await pool.db.raw(`CREATE ROLE ?? LOGIN PASSWORD 'guest'`, [role]);
    const url = Object.assign(new URL(other.url), { username: role, password: 'guest' }).href;
    const db = connect({ url, pool: 2 });
    expect(await outcome(read(db.raw('SELECT 1')))).toBe('done');
    await pool.db.raw(`ALTER DATABASE ?? WITH ${close}`, [name]);
    await pool.db.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?', [name]);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await outcome(read(db.raw('SELECT 1')))).toEqual(UNAVAILABLE);
      const change = transaction(db, async (trx) => {
        await trx.raw('SELECT 1');
      });
      expect(await outcome(change)).toEqual(UNAVAILABLE);
    }
    await pool.db.raw(`ALTER DATABASE ?? WITH ${reopen}`, [name]);
    expect(await outcome(read(db.raw('SELECT 1')))).toBe('done');
    await db.destroy();
    await other.drop();
    await pool.db.raw('DROP ROLE ??', [role]);
  });
});

test('a statement after one whose error was caught in the transaction is a defect, and so is a commit: nothing is done', async () => {
  await database.db.raw('CREATE TABLE kept (id int)');
  const attempt = (then: (trx: Database) => Promise<unknown>) =>
    transaction(pool.db, async (trx) => {
      await trx('kept').insert({ id: 1 });
      await trx.raw('SELECT 1 / 0').catch(() => undefined);
      await then(trx);
    });
  expect(await outcome(attempt((trx) => read(trx('kept').insert({ id: 2 }))))).toMatchObject({ code: '25P02' });
  expect(await outcome(attempt(async () => undefined))).toMatchObject({
    code: '25P02',
    message: expect.stringMatching('nothing was committed'),
  });
  expect(await outcome(read(pool.db('kept').select()))).toBe('done');
  expect(await database.db('kept').select()).toEqual([]);
});

test('an error that is not known stays an internal error', async () => {
  expect(await outcome(read(pool.db.raw('SELECT 1 FROM nothing')))).toMatchObject({ code: '42P01' });
});

test('a constraint whose name has the number of a shard is the constraint', async () => {
  await database.db.raw('CREATE TABLE books (isbn text, CONSTRAINT books_isbn_102008 UNIQUE (isbn))');
  await read(pool.db('books').insert({ isbn: '1' }));
  expect(await outcome(read(pool.db('books').insert({ isbn: '1' })))).toEqual(['isbn_taken', undefined]);
});

test('a worker of Citus names the constraint in its message alone', async () => {
  const raise = (code: string) =>
    pool.db.raw(
      `DO $$ BEGIN RAISE EXCEPTION 'duplicate key value violates unique constraint "books_isbn_102044"' USING ERRCODE = '${code}'; END $$`,
    );
  expect(await outcome(read(raise('23505')))).toEqual(['isbn_taken', undefined]);
  expect(await outcome(read(raise('P0001')))).toMatchObject({ code: 'P0001' });
});

describe('a statement that was prepared on a former schema', () => {
  const byName = (db: Database) => db('shelves').select('*').options({ name: 'shelves.all' });
  let type = 'int';
  const changeSchema = () => database.db.raw(`ALTER TABLE shelves ALTER COLUMN id TYPE ${(type = type === 'int' ? 'bigint' : 'int')}`);
  afterEach(() => database.db.raw('DROP TABLE shelves'));

  test('is run again on a new connection, in a transaction and without one, whichever connection it was prepared on', async () => {
    await database.db.raw('CREATE TABLE shelves (id int); INSERT INTO shelves VALUES (7)');
    const onAll = () => Promise.all([1, 2, 3].map(() => read(byName(pool.db))));
    await onAll();
    await changeSchema();
    expect(await onAll()).toEqual([[{ id: 7 }], [{ id: 7 }], [{ id: 7 }]]);
    await changeSchema();
    expect(await transaction(pool.db, async (trx) => [await byName(trx)])).toEqual([[{ id: 7 }]]);
    type = 'int';
  });
});

test('after a standby has answered the pool opens new connections, so that writes go on once there is a primary', async () => {
  const db = connect({ url: database.url, pool: 2 });
  const readOnly = (setting: string) => database.db.raw(`ALTER DATABASE ?? ${setting}`, [new URL(database.url).pathname.slice(1)]);
  await database.db.raw('CREATE TABLE writes (id int)');
  await readOnly('SET default_transaction_read_only = on');
  expect(await outcome(read(db('writes').insert({ id: 1 })))).toEqual(UNAVAILABLE);
  await readOnly('RESET default_transaction_read_only');
  expect(await outcome(read(db('writes').insert({ id: 1 })))).toBe('done');
  await db.destroy();
});

test('a connection that is given back in a transaction is closed, and the next statement does not meet it', async () => {
  const db = connect({ url: database.url, pool: 1 });
  const before = await pid(db);
  await db.raw('BEGIN');
  expect(await outcome(read(db.raw('SELECT 1')))).toBe('done');
  expect(await pid(db)).not.toBe(before);
  await db.destroy();
});
