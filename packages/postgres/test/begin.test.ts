/** BEGIN goes with the first statement of a transaction: it costs no round trip, and a statement is never run without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { type Database } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';
import { to as copyTo } from 'pg-copy-streams';
import { poolOf } from '../src/statements/database-pool.ts';
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
  const client = await poolOf(database.db).acquire();
  const send = client.send.bind(client);
  jest.spyOn(client, 'send').mockImplementation((statement, done, begin) => send(statement, done, begin && 'RESET work_mem'));
  const acquire = jest.spyOn(poolOf(database.db), 'acquire').mockResolvedValue(client);
  await withSession(async (session) => {
    await run(session, 'BEGIN;');
    await expect(run(session, { text: 'INSERT INTO notes VALUES ($1)', values: [5] })).rejects.toThrow(
      'a statement was run outside of its transaction: BEGIN has not begun one',
    );
  });
  acquire.mockRestore();
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

const withSyntaxError = (text: string) => `${text} nothing`;
const insert = (id: number) => ({ text: 'INSERT INTO notes VALUES ($1)', values: [id] });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );

// As one that is cancelled before it has done anything.
test('where BEGIN fails nothing is run: what was sent with the first statement has its error, and what comes later says so', async () => {
  await withSession(async (session) => {
    await run(session, 'BEGIN TRANSACTION nothing;');
    const results = await Promise.all([1, 2, 3].map((id) => codeOf(run(session, insert(id)))));
    expect(results).toEqual(['42601', '42601', '42601']);
    expect(await codeOf(run(session, insert(4)))).toBe('25P02');
    expect(await codeOf(run(session, 'COMMIT;'))).toBe('25P02');
  });
  expect(await count(database.db)).toBe(0);
});

test('a first statement whose value cannot be sent leaves BEGIN to the next one', async () => {
  const rolledBack = new Error('rolled back');
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const work = database.db.transaction(async (trx) => {
    await Promise.allSettled([trx.raw('SELECT ?::text', [circular as never]), trx('notes').insert({ id: 1 })]);
    expect(await count(trx)).toBe(1);
    throw rolledBack;
  });
  await expect(work).rejects.toBe(rolledBack);
  expect(await count(database.db)).toBe(0);
});

test('a value that the session cannot send, too, leaves BEGIN to the next statement', async () => {
  const value = {
    toPostgres: () => {
      throw new Error('no text');
    },
  };
  await withSession(async (session) => {
    await run(session, 'BEGIN;');
    const sent = [run(session, { text: 'SELECT $1::text', values: [value] }), run(session, insert(1))];
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await run(session, 'ROLLBACK');
  });
  expect(await count(database.db)).toBe(0);
});

test.each([
  ['behind the last statement', true],
  ['by itself', false],
])('a COMMIT that fails %s leaves no failed transaction to the next one', async (_, isWithLast) => {
  const pool = poolOf(database.db);
  const client = await pool.acquire();
  const send = client.send.bind(client);
  const failing = jest.spyOn(client, 'send').mockImplementation((statement, ...rest) => {
    const { text } = statement;
    return send(text === 'COMMIT' ? { text: withSyntaxError(text) } : statement, ...rest);
  });
  const acquire = jest.spyOn(pool, 'acquire').mockResolvedValue(client);
  try {
    await withSession(async (session) => {
      await run(session, 'BEGIN;');
      if (isWithLast) session.commitWithNext();
      await run(session, insert(1));
      expect(await codeOf(run(session, 'COMMIT;'))).toBe('42601');
      expect(client.getTransactionStatus()).toBe('I');
    });
  } finally {
    acquire.mockRestore();
    failing.mockRestore();
  }
  expect(client.failure).toBeUndefined();
  expect(await count(database.db)).toBe(0);
});

test.each([0, 1, 2].flatMap((failing) => [true, false].map((isFirst) => [failing, isFirst] as const)))(
  'statements that are sent together have the error of the one that fails: of number %i, with BEGIN %s',
  async (failing, isFirst) => {
    await withSession(async (session) => {
      await run(session, 'BEGIN;');
      if (!isFirst) await run(session, { text: 'SELECT 1' });
      const work = [0, 1, 2].map((n) => codeOf(run(session, { text: 'SELECT 1 / $1::int', values: [n === failing ? 0 : 1] })));
      expect(await Promise.all(work)).toEqual([0, 1, 2].map((n) => (n < failing ? 'done' : '22012')));
      await run(session, 'ROLLBACK');
    });
  },
);

test('a savepoint that fails gives its error to what comes later', async () => {
  await withSession(async (session) => {
    await run(session, 'BEGIN;');
    await run(session, { text: 'SELECT 1' });
    await run(session, 'RELEASE SAVEPOINT nothing');
    // Its answer comes before what is run next.
    await sleep(50);
    const later = () => codeOf(run(session, { text: 'SELECT 1' }));
    expect(await Promise.all([later(), later()])).toEqual(['3B001', '3B001']);
    expect(await later()).toBe('25P02');
    await run(session, 'ROLLBACK');
  });
});
