/** The last statement of a transaction of `recordTable` goes out with COMMIT: whatever fails, all of it is committed or nothing, and the connection is clean or gone. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect, createStoreAccess, type Database, type Transaction } from '@specwright/postgres';
import { commitWithNext } from '../src/statements/built-statement.ts';
import { createDatabase, until, withFixture } from 'specwright/testing';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw('CREATE TABLE notes (id integer PRIMARY KEY, other integer REFERENCES notes DEFERRABLE INITIALLY DEFERRED)');
    return created;
  },
  (created) => created.drop(),
);
/** With one connection, one that is not clean is the next one's. */
const pool = withFixture(
  async () => ({ db: connect({ url: database.url, name: 'commit', pool: 1 }) }),
  ({ db }) => db.destroy(),
);

const { read, transaction } = createStoreAccess({ onWrite: { notes_pkey: ['invalid_request', 'there is such a note'] } });
const add = (db: Database, id: unknown) => read(db('notes').insert({ id }).returning<object[]>('id'));

const ids = () => database.db('notes').orderBy('id').pluck<number[]>('id');

const backendOf = async (db: Database) => (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
const endBackend = (pid: number) => database.db.raw('SELECT pg_terminate_backend(?)', [pid]);

let before = 0;
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);
beforeEach(async () => {
  await database.db.raw('TRUNCATE notes');
  before = await backendOf(pool.db);
  process.on('unhandledRejection', onUnhandled);
});
afterEach(async () => {
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
  // What comes next on the connection is in no transaction, and waits for no answer of another.
  const { rows } = await pool.db.raw<{ rows: unknown[] }>('SELECT now() = statement_timestamp() AS "isAlone"');
  expect(rows).toEqual([{ isAlone: true }]);
});

const unsendable = {
  toPostgres() {
    throw new Error('cannot be sent');
  },
};

test('the last statement is committed, and has its result', async () => {
  const result = await transaction(pool.db, async (trx) => {
    await add(trx, 1);
    await commitWithNext(trx);
    return add(trx, 2);
  });
  expect(result).toEqual([{ id: 2 }]);
  await transaction(pool.db, async (trx) => {
    await commitWithNext(trx);
    await add(trx, 3);
  });
  expect(await ids()).toEqual([1, 2, 3]);
});

type Failure = [what: string, error: object, fail: (trx: Transaction) => PromiseLike<unknown>];
const FAILURES: Failure[] = [
  ['breaks a constraint', { code: 'invalid_request' }, (trx) => add(trx, 1)],
  [
    'has a value that cannot be sent',
    { message: expect.stringContaining('cannot be sent') },
    (trx) => trx.raw('INSERT INTO notes VALUES (?)', [unsendable as never]),
  ],
  ['has a value of another type', { code: '22P02' }, (trx) => add(trx, 'x')],
  ['breaks a constraint at COMMIT', { code: '23503' }, (trx) => trx('notes').insert({ id: 9, other: 10 })],
  ['is never begun, because its code rejects', { message: 'rejected' }, () => Promise.reject(new Error('rejected'))],
];

test.each(FAILURES)('one that %s: the caller gets its error, nothing is committed, and the connection is clean', async (_, error, fail) => {
  await add(pool.db, 1);
  for (const isFirst of [true, false]) {
    const work = transaction(pool.db, async (trx) => {
      if (!isFirst) await add(trx, 2);
      await commitWithNext(trx);
      await fail(trx);
    });
    await expect(work).rejects.toMatchObject(error);
    expect(await ids()).toEqual([1]);
  }
  expect(await backendOf(pool.db)).toBe(before);
});

test('a connection that ends before the last statements, or under them, has committed nothing, and is gone', async () => {
  await expect(
    transaction(pool.db, async (trx) => {
      await add(trx, 1);
      await endBackend(before);
      await commitWithNext(trx);
      await add(trx, 2);
    }),
  ).rejects.toMatchObject({ code: 'service_unavailable' });
  const next = await backendOf(pool.db);
  await database.db.transaction(async (trx) => {
    await trx('notes').insert({ id: 3 });
    const work = transaction(pool.db, async (inner) => {
      await add(inner, 1);
      await commitWithNext(inner);
      await add(inner, 3);
    });
    // Not what COMMIT has failed with.
    const refused = expect(work).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: '57P01' } });
    await until(async () => {
      const { rows } = await database.db.raw<{ rows: unknown[] }>('SELECT FROM pg_locks WHERE pid = ? AND NOT granted', [next]);
      return rows.length > 0;
    });
    await endBackend(next);
    await refused;
  });
  expect(await ids()).toEqual([3]);
  expect([before, next]).not.toContain(await backendOf(pool.db));
});

test('a statement after it is refused: it says that the transaction is committed', async () => {
  const work = transaction(pool.db, async (trx) => {
    await add(trx, 1);
    await commitWithNext(trx);
    await add(trx, 2);
    await add(trx, 3);
  });
  await expect(work).rejects.toThrow('a statement was run after the last one of its transaction, with which it is committed');
  expect(await ids()).toEqual([1, 2]);
});

test('in a savepoint nothing is committed before the outer transaction is', async () => {
  const nested = (isDone: boolean) =>
    transaction(pool.db, async (trx) => {
      await transaction(trx, async (savepoint) => {
        await commitWithNext(savepoint);
        await add(savepoint, 1);
      });
      expect(await ids()).toEqual([]);
      if (!isDone) throw new Error('changed its mind');
      await commitWithNext(trx);
      await add(trx, 3);
    });
  await expect(nested(false)).rejects.toThrow('changed its mind');
  await nested(true);
  expect(await ids()).toEqual([1, 3]);
});

test('an error of a savepoint is that of what failed the transaction before it', async () => {
  const work = pool.db.transaction(async (trx) => {
    const failed = trx('notes').insert({ id: 'x' });
    await Promise.all([failed, trx.transaction((inner) => inner('notes').insert({ id: 1 }))]);
  });
  await expect(work).rejects.toMatchObject({ code: '22P02' });
  expect(await ids()).toEqual([]);
});
