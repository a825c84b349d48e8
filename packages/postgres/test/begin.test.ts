/** BEGIN goes with the first statement of a transaction: it costs no round trip, and a statement is never run without it. */
import { expect, test } from '@jest/globals';
import { type Database } from '@specwright/postgres';
import { createDatabase, withFixture } from 'specwright/testing';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BoundedClient } from '../src/connection/bounded-client.ts';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw('CREATE TABLE notes (id integer PRIMARY KEY)');
    return created;
  },
  (created) => created.drop(),
);

interface Client {
  acquireConnection(): Promise<BoundedClient>;
  releaseConnection(connection: BoundedClient): Promise<void>;
}

async function withConnection<T>(work: (connection: BoundedClient) => Promise<T>): Promise<T> {
  const client = database.db.client as Client;
  const connection = await client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}

const count = async (db: Database) => Number((await db('notes').count<{ count: number }[]>('*'))[0]?.count);

test.each<[string, (connection: BoundedClient) => unknown]>([
  ['a simple query', (connection) => connection.query('INSERT INTO notes VALUES (1)')],
  ['an extended one', (connection) => connection.query('INSERT INTO notes VALUES ($1)', [1])],
  ['a prepared one', (connection) => connection.query({ name: 'add', text: 'INSERT INTO notes VALUES ($1)', values: [1] })],
  [
    'one that submits itself',
    (connection) =>
      new Promise((resolve, reject) => {
        connection.query(
          new pg.Query('INSERT INTO notes VALUES (1)', [], (error?: Error | null) => (error ? reject(error) : resolve(undefined))),
        );
      }),
  ],
])('%s is not run if BEGIN fails', async (_, insert) => {
  await withConnection(async (connection) => {
    connection.beginWithNext('BEGIN ISOLATION LEVEL NONSENSE');
    await expect(Promise.resolve(insert(connection))).rejects.toThrow();
  });
  expect(await count(database.db)).toBe(0);
});

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

test('a first statement that is a stream is in the transaction, and gives its rows', async () => {
  await withConnection(async (connection) => {
    connection.beginWithNext('BEGIN ISOLATION LEVEL SERIALIZABLE');
    const rows = connection.query(copyTo(`COPY (SELECT current_setting('transaction_isolation')) TO STDOUT`)) as AsyncIterable<Buffer>;
    const chunks: Buffer[] = [];
    for await (const chunk of rows) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('serializable\n');
    await connection.query('ROLLBACK');
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
  await withConnection(async (connection) => {
    const { rows } = (await connection.query('SELECT now() = statement_timestamp() AS "isAlone"')) as { rows: unknown[] };
    expect(rows).toEqual([{ isAlone: true }]);
    expect(connection.forgetBegin()).toBe(false);
  });
});

test('a statement that was run outside of its transaction fails, and its connection is given up', async () => {
  await withConnection(async (connection) => {
    connection.beginWithNext('RESET work_mem');
    await expect(Promise.resolve(connection.query('INSERT INTO notes VALUES ($1)', [5]))).rejects.toThrow(
      'a statement was run outside of its transaction: RESET work_mem has not begun one',
    );
    expect(connection.__knex__disposed).toBeInstanceOf(Error);
  });
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
  await withConnection(async (connection) => {
    const { rows } = (await connection.query('SELECT now() = statement_timestamp() AS "isAlone"')) as { rows: unknown[] };
    expect(rows).toEqual([{ isAlone: true }]);
  });
});
