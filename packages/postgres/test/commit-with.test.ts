/** The last statements of a transaction go out with COMMIT: whatever fails, all of it is committed or nothing, and the connection is clean or gone. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { afterCommit, commitWith, connect, createStoreAccess, type Database, type Transaction } from '@specwright/postgres';
import { createDatabase, until, withFixture } from 'specwright/testing';
import type { BoundedClient } from '../src/connection/bounded-client.ts';

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

const { prepareWrite, transaction } = createStoreAccess({ onWrite: { notes_pkey: ['invalid_request', 'there is such a note'] } });
const add = prepareWrite((db, id: number) => db.raw<{ rows: object[] }>('INSERT INTO notes VALUES (?) RETURNING id', [id]));
const addAny = prepareWrite((db, id: unknown) => db.raw<{ rows: object[] }>('INSERT INTO notes VALUES (?)', [id as never]));
const addBehind = prepareWrite((db, id: number, other: number) =>
  db.raw<{ rows: object[] }>('INSERT INTO notes VALUES (?, ?)', [id, other]),
);

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
  const client = pool.db.client as { acquireConnection(): Promise<BoundedClient>; releaseConnection(one: BoundedClient): Promise<void> };
  const connection = await client.acquireConnection();
  const { pipeline, isInTransaction } = connection;
  await client.releaseConnection(connection);
  expect({ pipeline, isInTransaction }).toEqual({ pipeline: false, isInTransaction: false });
});

const unsendable = {
  toPostgres() {
    throw new Error('cannot be sent');
  },
};

test('the statements are committed, and their results make that of the transaction', async () => {
  const result = await transaction(pool.db, async (trx) => {
    await add(trx, 1);
    return commitWith([() => add(trx, 2), false, () => add(trx, 3)], ([second, none, third]) => [second, none, third]);
  });
  expect(result).toEqual([[{ id: 2 }], undefined, [{ id: 3 }]]);
  expect(await ids()).toEqual([1, 2, 3]);
  expect(await transaction(pool.db, async (trx) => commitWith([() => add(trx, 4)]))).toBeUndefined();
  expect(await transaction(pool.db, async () => commitWith([false], () => 'none'))).toBe('none');
  expect(await ids()).toEqual([1, 2, 3, 4]);
});

type Failure = [what: string, error: object, fail: (trx: Transaction) => PromiseLike<unknown>];
const FAILURES: Failure[] = [
  ['breaks a constraint', { code: 'invalid_request' }, (trx) => add(trx, 1)],
  ['has a value that cannot be sent', { message: 'cannot be sent' }, (trx) => addAny(trx, unsendable)],
  [
    'has such a value, by Knex',
    { message: expect.stringContaining('cannot be sent') },
    (trx) => trx.raw('INSERT INTO notes VALUES (?)', [unsendable as never]),
  ],
  ['has a value of another type', { code: '22P02' }, (trx) => addAny(trx, 'x')],
  ['breaks a constraint at COMMIT', { code: '23503' }, (trx) => addBehind(trx, 9, 10)],
  [
    'is never begun, because its code throws',
    { message: 'thrown' },
    () => {
      throw new Error('thrown');
    },
  ],
  ['is never begun, because its code rejects', { message: 'rejected' }, () => Promise.reject(new Error('rejected'))],
];

describe.each(FAILURES)('one of them %s', (_, error, fail) => {
  test.each([0, 1, 2])(
    'as the one with index %i: the caller gets its error, nothing is committed, and the connection is clean',
    async (index) => {
      await add(pool.db, 1);
      for (const isFirst of [true, false]) {
        const work = transaction(pool.db, async (trx) => {
          if (!isFirst) await add(trx, 2);
          const good = [() => add(trx, 3), () => add(trx, 4)];
          return commitWith(good.toSpliced(index, 0, async () => fail(trx) as never));
        });
        await expect(work).rejects.toMatchObject(error);
        expect(await ids()).toEqual([1]);
      }
      expect(await backendOf(pool.db)).toBe(before);
    },
  );
});

test('a connection that ends before the last statements, or under them, has committed nothing, and is gone', async () => {
  await expect(
    transaction(pool.db, async (trx) => {
      await add(trx, 1);
      await endBackend(before);
      return commitWith([() => add(trx, 2)]);
    }),
  ).rejects.toMatchObject({ code: 'service_unavailable' });
  const next = await backendOf(pool.db);
  await database.db.transaction(async (trx) => {
    await trx('notes').insert({ id: 3 });
    const work = transaction(pool.db, async (inner) => {
      await add(inner, 1);
      return commitWith([() => add(inner, 2), () => add(inner, 3)]);
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

test('a statement after COMMIT is refused, as the second one of a step is: it says that the transaction is committed', async () => {
  const refusal = 'a statement was run after the last one of its transaction, with which it is committed';
  const step = async (trx: Transaction) => {
    await add(trx, 2);
    await add(trx, 3);
  };
  const work = transaction(pool.db, async (trx) => {
    await add(trx, 1);
    return commitWith([() => step(trx)]);
  });
  await expect(work).rejects.toThrow(refusal);
  expect(await ids()).toEqual([1, 2]);
});

test('what makes the result is called after the commit: if it throws, the transaction is not run again, and its follow-ups are done', async () => {
  let attempts = 0;
  const done: string[] = [];
  const work = transaction(pool.db, async (trx) => {
    attempts += 1;
    await add(trx, 1);
    afterCommit(trx, async () => void done.push('follow-up'));
    return commitWith([() => add(trx, 2)], () => {
      throw Object.assign(new Error('a defect'), { code: '40P01' });
    });
  });
  await expect(work).rejects.toThrow('a defect');
  expect({ attempts, done, ids: await ids() }).toEqual({ attempts: 1, done: ['follow-up'], ids: [1, 2] });
});

test('in a savepoint nothing is committed before the outer transaction is', async () => {
  const nested = (isDone: boolean) =>
    transaction(pool.db, async (trx) => {
      const inner = await transaction(trx, async (savepoint) =>
        commitWith([() => add(savepoint, 1), () => add(savepoint, 2)], () => 'inner'),
      );
      expect(await ids()).toEqual([]);
      if (!isDone) throw new Error('changed its mind');
      return commitWith([() => add(trx, 3)], () => inner);
    });
  await expect(nested(false)).rejects.toThrow('changed its mind');
  expect(await nested(true)).toBe('inner');
  expect(await ids()).toEqual([1, 2, 3]);
});
