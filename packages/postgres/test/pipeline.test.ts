/** Prepared reads that are asked for at once share a connection, and each has its own answer or error. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { connect, createStoreAccess, type ConnectOptions, type Database } from '@specwright/postgres';
import { createDatabase, scaleTimeout, withFixture } from 'specwright/testing';
import { poolOf } from '../src/statements/database-pool.ts';
import type { PooledClient } from '../src/connection/open-pool.ts';
import type { Result, Statement } from '../src/connection/statement.ts';
import { buildOnce } from '../src/statements/built-statement.ts';
import { classifyStatement } from '../src/statements/classify-statement.ts';

const database = withFixture(
  async () => {
    const created = await createDatabase({ schema: 'empty' });
    await created.db.raw('CREATE TABLE notes (id integer PRIMARY KEY, text text)');
    await created.db('notes').insert([1, 2, 3].map((id) => ({ id, text: `note ${id}` })));
    return created;
  },
  (created) => created.drop(),
);

const { read, transaction } = createStoreAccess();

const findNote = (db: Database, id: number) => read(db('notes').where({ id }).first<{ text: string } | undefined>('text'));
/** Shared, though it calls a function. */
const one = (db: Database, text: string, value: unknown) => {
  const share = () =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      poolOf(db).shared.run(
        { text: `SELECT ${text}`, values: [value], name: classifyStatement(`SELECT ${text}`)?.name },
        (error, result) => (error === null ? resolve(result.rows[0] ?? {}) : reject(error)),
      );
    });
  return read({ then: (onDone, onFailed) => share().then(onDone, onFailed) } satisfies PromiseLike<Record<string, unknown>>);
};
const findBackend = (db: Database, value: number) => one(db, '$1::int AS value, pg_backend_pid() AS pid', value);
const divide = (db: Database, by: number) => one(db, '6 / $1::int AS result', by);
const lock = (db: Database, id: number) => one(db, 'pg_advisory_xact_lock($1::int)::text AS locked', id);
const wait = (db: Database, seconds: number) => one(db, '$1::float8 AS seconds, pg_sleep($1::float8)::text', seconds);

async function withPool<T>(options: Partial<ConnectOptions>, work: (db: Database) => Promise<T>): Promise<T> {
  const db = connect({ url: database.url, pool: 2, ...options });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const atOnce = <T>(count: number, read: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => read(index)));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );

test('reads of one turn of the event loop share a connection, and each has its own row', async () => {
  await withPool({}, async (db) => {
    const rows = await atOnce(200, (value) => findBackend(db, value));
    expect(rows.map((row) => row['value'])).toEqual(rows.map((_, index) => index));
    // At most 64 in a write: more than the pool has connections for, so some groups use one after another.
    expect(new Set(rows.map((row) => row['pid'])).size).toBeLessThanOrEqual(2);
    expect(await atOnce(4, (id) => findNote(db, id))).toEqual([undefined, { text: 'note 1' }, { text: 'note 2' }, { text: 'note 3' }]);
  });
});

test('what pg takes with a statement reaches it, with BEGIN too', async () => {
  const query = (db: Database) =>
    db.raw<{ rows: unknown[] }>('SELECT ?::int AS id, ?::text AS text', [1, 'a']).options({ rowMode: 'array' });
  const plain = (db: Database) => db.raw<{ rows: unknown[] }>('SELECT 1 AS id').options({ rowMode: 'array' });
  for (const run of [query, plain]) {
    const rows = run === query ? [[1, 'a']] : [[1]];
    expect(await run(database.db)).toMatchObject({ rows });
    expect(await transaction(database.db, async (trx) => [await run(trx), await run(trx)])).toMatchObject([{ rows }, { rows }]);
  }
});

test('a transaction sees what it has written', async () => {
  await transaction(database.db, async (trx) => {
    await trx('notes').insert({ id: 9, text: 'new' });
    expect(await findNote(trx, 9)).toEqual({ text: 'new' });
    expect(await findNote(database.db, 9)).toBeUndefined();
    await trx('notes').where({ id: 9 }).delete();
  });
});

test('one that fails fails alone', async () => {
  await withPool({}, async (db) => {
    const results = await Promise.allSettled([1, 0, 2, 0].map((by) => divide(db, by)));
    expect(
      results.map((result) => (result.status === 'fulfilled' ? result.value['result'] : (result.reason as { code: string }).code)),
    ).toEqual([6, '22012', 3, '22012']);
    expect(await divide(db, 6)).toEqual({ result: 1 });
  });
});

const circular: Record<string, unknown> = {};
circular['self'] = circular;
const unsendable = {
  toPostgres() {
    throw new Error('cannot be sent');
  },
};

test('a value that cannot be sent fails alone, before anything is sent', async () => {
  const find = (db: Database, value: unknown) => one(db, '$1::text AS value', value);
  await withPool({ pool: 1 }, async (db) => {
    const values = Array.from({ length: 300 }, (_, index) => [circular, unsendable, `${index}`, { index }, `${index}`][index % 5]);
    const results = await Promise.allSettled(values.map((value) => find(db, value)));
    results.forEach((result, index) => {
      if (index % 5 === 0) expect(result).toMatchObject({ status: 'rejected', reason: { message: /circular/ } });
      else if (index % 5 === 1) expect(result).toMatchObject({ status: 'rejected', reason: { message: 'cannot be sent' } });
      else expect(result).toMatchObject({ value: { value: index % 5 === 3 ? JSON.stringify({ index }) : `${index}` } });
    });
    expect(await atOnce(3, (id) => findBackend(db, id))).toMatchObject([{ value: 0 }, { value: 1 }, { value: 2 }]);
  });
});

describe('a statement with a new name that fails before it is parsed', () => {
  const find = { text: 'SELECT $1::int AS id FROM drafts', values: [1], name: 'drafts.find' };
  const namesOn = async (client: PooledClient) => {
    const { rows } = await send(client, { text: 'SELECT name FROM pg_prepared_statements ORDER BY name' });
    return rows.map(({ name }) => name);
  };
  const send = (client: PooledClient, statement: Statement, begin?: string) =>
    new Promise<Result>((resolve, reject) => {
      client.send(statement, (error, result) => (error === null ? resolve(result) : reject(error)), begin);
    });

  const withClient = (work: (client: PooledClient) => Promise<void>) =>
    withPool({ pool: 1 }, async (db) => {
      const client = await poolOf(db).acquire();
      try {
        await work(client);
      } finally {
        client.release(true);
      }
    });

  test('gives its error to those sent with it, and nothing else loses its name', async () => {
    await withClient(async (client) => {
      await send(client, { text: 'SELECT $1::int', values: [1], name: 'one' });
      expect(await Promise.all([1, 2, 3].map(() => codeOf(send(client, find))))).toEqual(['42P01', '42P01', '42P01']);
      await send(client, { text: 'CREATE TEMPORARY TABLE drafts ()' });
      expect(await Promise.all([1, 2].map(() => codeOf(send(client, find))))).toEqual(['done', 'done']);
      await send(client, { text: 'SELECT $1::int + 1', values: [1], name: 'other' });
      expect([client.failure, await namesOn(client)]).toEqual([undefined, ['drafts.find', 'one', 'other']]);
    });
  });

  test('has no name on that connection if it came with BEGIN', async () => {
    await withClient(async (client) => {
      client.isInTransaction = true;
      expect(await codeOf(send(client, find, 'BEGIN'))).toBe('42P01');
      await send(client, { text: 'ROLLBACK' });
      await send(client, { text: 'CREATE TEMPORARY TABLE drafts ()' });
      expect(await codeOf(send(client, find))).toBe('done');
      await send(client, { text: 'SELECT $1::int', values: [1], name: 'one' });
      expect([client.failure, await namesOn(client)]).toEqual([undefined, ['one']]);
    });
  });
});

test('a connection whose answers are out of step is given up, and its reads have their rows from another', async () => {
  await withPool({ pool: 1 }, async (db) => {
    const before = await findBackend(db, 0);
    const connection = await poolOf(db).acquire();
    // It is answered as a statement is, by ReadyForQuery.
    connection.connection.sync();
    connection.release();
    const rows = await atOnce(5, (value) => findBackend(db, value));
    expect(rows.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4]);
    for (const { pid } of rows) expect(pid).not.toBe(before['pid']);
  });
});

test('those behind one that takes too long are run alone', async () => {
  await withPool({ statementTimeoutMs: 200 }, async (db) => {
    // Connections that are open, so that all of it is sent at once.
    await atOnce(2, () => wait(db, 0));
    const began = performance.now();
    const results = await atOnce(6, (index) => codeOf(wait(db, index === 1 || index === 2 ? 30 : 0)));
    expect(results).toEqual(['done', 'service_unavailable', 'service_unavailable', 'done', 'done', 'done']);
    expect(performance.now() - began).toBeLessThan(scaleTimeout(2000));
  });
});

test.each<[what: string, bounds: Partial<ConnectOptions>, read: (db: Database) => Promise<unknown>]>([
  ['a lock is waited for too long', { lockTimeoutMs: 200 }, (db) => lock(db, 1)],
  ['a statement takes too long', { statementTimeoutMs: 200 }, (db) => wait(db, 30)],
])('a connection on which %s is kept, and the reads behind that one have their answers', async (_, bounds, read) => {
  await database.db.transaction(async (holder) => {
    await holder.raw('SELECT pg_advisory_xact_lock(1)');
    await withPool({ ...bounds, pool: 1 }, async (db) => {
      const { pid } = await findBackend(db, 0);
      const reads = [findBackend(db, 1), codeOf(read(db)), codeOf(read(db)), findBackend(db, 2)] as const;
      const [before, first, second, behind] = await Promise.all(reads);
      expect([before['pid'], first, second, behind['value']]).toEqual([pid, 'service_unavailable', 'service_unavailable', 2]);
    });
  });
});

test('a connection that is lost fails the read that it was at: those behind it are read over another', async () => {
  await withPool({}, async (db) => {
    const reads = atOnce(5, () => codeOf(wait(db, 0.2)));
    const backends = () =>
      database.db.raw<{ rows: unknown[] }>(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%pg_sleep(%' AND pid <> pg_backend_pid() AND state = 'active'`,
      );
    while ((await backends()).rows.length === 0);
    const results = await reads;
    expect(results).toEqual(['service_unavailable', 'done', 'done', 'done', 'done']);
    expect(await atOnce(5, () => codeOf(wait(db, 0)))).toEqual(Array.from({ length: 5 }, () => 'done'));
  });
});

test('a change of the schema is survived', async () => {
  await withPool({}, async (db) => {
    const findAll = (pool: Database, id: number) => read(pool('notes').where({ id }).first<Record<string, unknown>>('*'));
    await atOnce(3, () => findAll(db, 1));
    await db.raw('ALTER TABLE notes ADD COLUMN more integer');
    expect(await atOnce(3, () => findAll(db, 1))).toEqual(Array.from({ length: 3 }, () => ({ id: 1, text: 'note 1', more: null })));
    await db.raw('ALTER TABLE notes DROP COLUMN more');
  });
});

test('statements that were all deallocated are prepared again', async () => {
  const change = (db: Database, id: number, text: string) =>
    read(db('notes').where({ id }).update({ text }).returning<{ id: number }[]>('id'));
  await withPool({ pool: 1 }, async (db) => {
    for (let round = 0; round < 2; round++) {
      expect(await findNote(db, 1)).toEqual({ text: 'note 1' });
      expect(await change(db, 1, 'note 1')).toEqual([{ id: 1 }]);
      await db.raw('DEALLOCATE ALL');
    }
    expect(await change(db, 1, 'note 1')).toEqual([{ id: 1 }]);
  });
});

test('a connection keeps the last 256 statements that it has prepared', async () => {
  await withPool({ pool: 1 }, async (db) => {
    const prepared = async () =>
      Number((await db.raw<{ rows: { n: number }[] }>('SELECT count(*) AS n FROM pg_prepared_statements')).rows[0]?.n);
    for (let i = 0; i < 4; i++) await db.raw(`SELECT ?::int AS c${i}`, [i]);
    expect(await prepared()).toBeGreaterThanOrEqual(4);
    for (let i = 4; i < 260; i++) await db.raw(`SELECT ?::int AS c${i}`, [i]);
    expect(await prepared()).toBe(256);
  });
});

test('where statements must not be prepared, none is', async () => {
  const url = new URL(database.url);
  url.searchParams.set('prepared_statements', 'off');
  await withPool({ url: url.href, pool: 1 }, async (db) => {
    expect(await atOnce(4, (id) => findNote(db, id))).toHaveLength(4);
    const { rows } = await db.raw<{ rows: unknown[] }>('SELECT name FROM pg_prepared_statements');
    expect(rows).toEqual([]);
  });
});

describe('a pool without a free connection', () => {
  test('has reads wait for one together, and fail together', async () => {
    await withPool({ pool: 1, acquireTimeoutMs: 300 }, async (db) => {
      await db.transaction(async (trx) => {
        await trx.raw('SELECT 1');
        expect(await atOnce(3, (id) => codeOf(findNote(db, id)))).toEqual(Array.from({ length: 3 }, () => 'service_unavailable'));
      });
      expect(await findNote(db, 1)).toEqual({ text: 'note 1' });
    });
  });
});

test('a read that comes late for a connection waits as long as the first, and no longer', async () => {
  const acquireTimeoutMs = scaleTimeout(300);
  await withPool({ pool: 1, acquireTimeoutMs, statementTimeoutMs: scaleTimeout(10_000) }, async (db) => {
    const end = new EventEmitter();
    const holder = db.transaction(async (trx) => {
      await trx.raw('SELECT 1');
      await once(end, 'end');
    });
    const timeOf = async (work: Promise<unknown>) => {
      const began = performance.now();
      await codeOf(work);
      return performance.now() - began;
    };
    await sleep(20);
    const first = codeOf(findNote(db, 1));
    await sleep(acquireTimeoutMs / 2);
    const late = timeOf(findNote(db, 2));
    const later = sleep(acquireTimeoutMs / 4).then(() => findNote(db, 3));
    expect(await first).toBe('service_unavailable');
    const waited = await late;
    expect(waited).toBeGreaterThanOrEqual(acquireTimeoutMs - 2);
    expect(waited).toBeLessThan(1.5 * acquireTimeoutMs);
    end.emit('end');
    expect(await later).toEqual({ text: 'note 3' });
    await holder;
  });
});

test('whoever listens to the queries of a database gets these too', async () => {
  await withPool({}, async (db) => {
    const statements: unknown[] = [];
    db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await atOnce(2, (id) => findNote(db, id));
    expect(statements).toEqual(Array(2).fill('select "text" from "notes" where "id" = $1 limit $2'));
  });
});

test('a parameter that is no value of the query is refused', async () => {
  const find = buildOnce((db, id, column) =>
    db('notes')
      .where({ id: id as number })
      .select(column === 'id' ? 'id' : 'text'),
  );
  await expect(find(database.db, 1, 'id')).rejects.toThrow(
    /^the statement select "text" from "notes" .* does not bind its parameter 2: its query must have each as a value$/,
  );
});
