/** BEGIN goes with the first statement of a transaction: it costs no round trip, and a statement is never run without it. */
import { expect, jest, test } from '@jest/globals';
import { type Database } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';
import { to as copyTo } from 'pg-copy-streams';
import { poolOf } from '../src/connection/connect.ts';
import { Session } from '../src/statements/session.ts';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw('CREATE TABLE notes (id integer PRIMARY KEY)');
    return created;
  },
  (created) => created.drop(),
);

async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const session = new Session(poolOf(database.db));
  try {
    return await work(session);
  } finally {
    session.release();
  }
}

const run = (session: Session, statement: Parameters<Session['query']>[0]) =>
  new Promise<{ rows: unknown[] }>((resolve, reject) => {
    session.query(statement, (error, result) => (error === null ? resolve(result) : reject(error)));
  });

const count = async (db: Database) => Number((await db('notes').count<{ count: number }[]>('*'))[0]?.count);

test('the first statement is in the transaction, whatever it is', async () => {
  const rolledBack = new Error('rolled back');
  const firsts: ((trx: Database) => PromiseLike<unknown>)[] = [
    (trx) => trx('notes').insert({ id: 1 }),
    (trx) => trx.raw('INSERT INTO notes VALUES (1)'),
    (trx) => trx.raw('INSERT INTO notes VALUES (1); INSERT INTO notes VALUES (2)'),
    (trx) => trx.transaction((inner) => inner('notes').insert({ id: 1 })),
  ];
  for (const first of firsts) {
    const work = database.db.transaction(async (trx) => {
      await first(trx);
      expect(await count(trx)).toBeGreaterThan(0);
      throw rolledBack;
    });
    await expect(work).rejects.toBe(rolledBack);
    expect(await count(database.db)).toBe(0);
  }
});

test.each([
  ['the first', []],
  ['a later', [{ text: 'SELECT 1' }]],
])('%s statement of a transaction may be a stream, and what follows is sent as ever', async (_, before) => {
  await withSession(async (session) => {
    await run(session, 'BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE;');
    for (const statement of before) await run(session, statement);
    const rows = session.query(copyTo(`COPY (SELECT current_setting('transaction_isolation')) TO STDOUT`)) as AsyncIterable<Buffer>;
    const chunks: Buffer[] = [];
    for await (const chunk of rows) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('serializable\n');
    const results = await Promise.all([1, 2].map((n) => run(session, { text: 'SELECT $1::int AS n', values: [n] })));
    expect(results.map(({ rows: [row] }) => row)).toEqual([{ n: 1 }, { n: 2 }]);
    await run(session, 'ROLLBACK');
  });
});

test('the result of the first statement is its own', async () => {
  await database.db.transaction(async (trx) => {
    const results = await trx.raw<{ rows: unknown[] }[]>('SELECT 1 AS a; SELECT 2 AS b');
    expect(results.map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 2 }]]);
  });
  const { rows } = await database.db.transaction((trx) => trx.raw<{ rows: unknown[] }>('SELECT ?::int AS a', [1]));
  expect(rows).toEqual([{ a: 1 }]);
});

test('the mode of a transaction is kept', async () => {
  const modes = await database.db.transaction(
    async (trx) => {
      const { rows } = await trx.raw<{ rows: unknown[] }>(
        `SELECT current_setting('transaction_isolation') AS level, current_setting('transaction_read_only') AS "readOnly"`,
      );
      return rows;
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  expect(modes).toEqual([{ level: 'repeatable read', readOnly: 'on' }]);
});

test('a transaction without a statement leaves nothing behind', async () => {
  await database.db.transaction(async () => undefined);
  await expect(database.db.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const { rows } = await database.db.raw<{ rows: unknown[] }>('SELECT now() = statement_timestamp() AS "isAlone"');
  expect(rows).toEqual([{ isAlone: true }]);
});

test('a statement that was run outside of its transaction fails, and its connection is given up', async () => {
  const pid = async () => (await database.db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  const before = await pid();
  const end = await database.db.transaction();
  await withSession(async (session) => {
    await run(session, 'BEGIN;');
    const begin = jest.spyOn(poolOf(database.db), 'beginOn').mockReturnValue(['RESET work_mem']);
    await expect(run(session, { text: 'INSERT INTO notes VALUES ($1)', values: [5] })).rejects.toThrow(
      'a statement was run outside of its transaction: BEGIN has not begun one',
    );
    begin.mockRestore();
  });
  await end.rollback();
  expect(await pid()).not.toBe(before);
  await database.db('notes').where({ id: 5 }).delete();
});

test('a first statement whose value cannot be sent begins nothing', async () => {
  const unsendable = {
    toPostgres() {
      throw new Error('cannot be sent');
    },
  };
  const work = database.db.transaction((trx) => trx.raw('SELECT ?::text', [unsendable as never]));
  await expect(work).rejects.toThrow('cannot be sent');
  const { rows } = await database.db.raw<{ rows: unknown[] }>('SELECT now() = statement_timestamp() AS "isAlone"');
  expect(rows).toEqual([{ isAlone: true }]);
});
