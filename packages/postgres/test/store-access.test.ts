/** A transaction is retried by whoever began it, and what follows it happens once, after the commit. */
import { expect, test } from '@jest/globals';
import { afterCommit, createStoreAccess, type Database } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw('CREATE TABLE notes (id integer PRIMARY KEY)');
    return created;
  },
  (created) => created.drop(),
);
const { read, transaction } = createStoreAccess();

const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });
const ids = async (db: Database) => (await db('notes').orderBy('id').select<{ id: number }[]>('id')).map(({ id }) => id);

test('a deadlock in a savepoint runs the outermost transaction again, and the savepoint only with it', async () => {
  const runs: string[] = [];
  await transaction(database.db, async (outer) => {
    runs.push('outer');
    await outer('notes').insert({ id: 1 });
    await transaction(outer, async (inner) => {
      runs.push('inner');
      await inner('notes').insert({ id: 2 });
      if (runs.length < 4) throw deadlock();
    });
  });
  expect(runs).toEqual(['outer', 'inner', 'outer', 'inner']);
  expect(await ids(database.db)).toEqual([1, 2]);
});

test('a deadlock of a read in a transaction runs the transaction again', async () => {
  let runs = 0;
  await transaction(database.db, async () => {
    if (++runs === 1) await read(Promise.reject(deadlock()));
  });
  expect(runs).toBe(2);
});

test('a stale statement of a read in a transaction runs the transaction again', async () => {
  const outcomes: string[] = [];
  await transaction(database.db, async (trx) => {
    const stale = trx.raw(`DO $$BEGIN RAISE EXCEPTION 'cached plan must not change result type' USING ERRCODE = '0A000'; END$$`);
    if (outcomes.length === 0)
      await read(stale.then(undefined, (error: unknown) => (outcomes.push('stale'), Promise.reject(error as Error))));
    outcomes.push('done');
  });
  expect(outcomes).toEqual(['stale', 'done']);
});

test('what follows a commit is done after the outermost one, once, on the pool', async () => {
  const events: string[] = [];
  let attempts = 0;
  await transaction(database.db, async (outer) => {
    await transaction(outer, async (inner) => {
      afterCommit(inner, async (db) => void events.push(`follow-up, in a transaction: ${String(db.isTransaction ?? false)}`));
    });
    events.push('outer ends');
    if (++attempts === 1) throw deadlock();
  });
  expect(events).toEqual(['outer ends', 'outer ends', 'follow-up, in a transaction: false']);
});

test('what follows a commit is not done after a rollback', async () => {
  const events: string[] = [];
  const failed = transaction(database.db, async (outer) => {
    afterCommit(outer, async () => void events.push('outer'));
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  await transaction(database.db, async (outer) => {
    const inner = transaction(outer, async (trx) => {
      afterCommit(trx, async () => void events.push('inner'));
      throw new Error('refused');
    });
    await expect(inner).rejects.toThrow('refused');
  });
  expect(events).toEqual([]);
});
