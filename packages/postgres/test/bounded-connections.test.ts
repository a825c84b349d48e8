/** Whatever the database and the network do, a statement ends in time, its connection is replaced, and the pool can be closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { connect, openPool, type ConnectOptions } from '@specwright/postgres';
import { poolOf } from '../src/statements/database-pool.ts';
import { scaleTimeout, until, withApp, withDatabase } from 'specwright/testing';
import { startTcpProxy } from '../../../test/support/tools/tcp-proxy.ts';

const database = withDatabase();
const proxy = withApp(() => startTcpProxy(database.url));

const BOUNDS = { statementTimeoutMs: 300, lockTimeoutMs: 150, acquireTimeoutMs: scaleTimeout(500) };

/** Runs `work` with a pool, which has to be closed within a second and a half. */
async function withPool<T>(options: Partial<ConnectOptions>, work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const db = connect({ url: proxy.url, pool: 3, ...BOUNDS, ...options });
  try {
    return await work(db);
  } finally {
    await proxy.restore();
    const began = performance.now();
    await db.destroy();
    expect(performance.now() - began).toBeLessThan(scaleTimeout(1500));
  }
}

/** As the pool of `pg` says it. */
const NO_CONNECTION = /^timeout exceeded when trying to connect$|^Connection terminated due to connection timeout$/;

const all = (db: ReturnType<typeof connect>, count: number) => Promise.all(Array.from({ length: count }, () => db.raw('SELECT 1')));
const outcome = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'done',
    (error: unknown) => {
      const { code = '08006', message } = error as Error & { code?: string };
      // Knex puts the statement before the message.
      return code.startsWith('08') ? message.replace(/^.* - /, '') : code;
    },
  );

describe('a network that goes silent', () => {
  test('ends a statement with the reason, and every silent connection of the pool is replaced when it is back', async () => {
    await withPool({}, async (db) => {
      await Promise.all([1, 2, 3].map(() => db.raw('SELECT pg_sleep(0.05)')));
      proxy.silence();
      const began = performance.now();
      expect(await outcome(db.raw('SELECT 1'))).toBe('the database has not answered within 550 ms');
      expect(performance.now() - began).toBeLessThan(scaleTimeout(1500));
      await proxy.restore();
      // Three connections were open: the two that nobody has used since are not tried.
      const again = performance.now();
      await all(db, 6);
      expect(performance.now() - again).toBeLessThan(scaleTimeout(500));
    });
  });

  test('ends a statement within its bound on a connection that was idle for longer, and watches no connection that has ended', async () => {
    const pool = openPool({ url: proxy.url, pool: 1, ...BOUNDS });
    const client = await pool.connect();
    await sleep(1000);
    proxy.silence();
    const began = performance.now();
    expect(await outcome(client.query('SELECT 1'))).toBe('the database has not answered within 550 ms');
    expect(performance.now() - began).toBeLessThan(scaleTimeout(1000));
    client.release(true);
    await proxy.restore();
    const other = await pool.connect();
    expect(other).toMatchObject({ slot: 0, deadline: Infinity });
    other.release();
    await pool.end();
    await until(() => [client, other].every((ended) => (ended as unknown as { slot: number }).slot === -1));
  });

  test('ends a transaction at BEGIN, in a statement and at COMMIT', async () => {
    for (const silentAfter of [0, 1, 2]) {
      await withPool({ pool: 1 }, async (db) => {
        await db.raw('SELECT 1');
        if (silentAfter === 0) proxy.silence();
        const work = db.transaction(async (trx) => {
          if (silentAfter === 1) proxy.silence();
          await trx.raw('SELECT 1');
          if (silentAfter === 2) proxy.silence();
        });
        expect(await outcome(work)).toBe('the database has not answered within 550 ms');
        await proxy.restore();
        expect(await outcome(db.raw('SELECT 1'))).toBe('done');
      });
    }
  });

  test('does not end a new connection before the wait for one is over', async () => {
    proxy.silence();
    await withPool({ acquireTimeoutMs: scaleTimeout(10_000) }, async (db) => {
      const work = outcome(db.raw('SELECT 1'));
      // Longer than the bound of a pool with a shorter wait.
      await sleep(2000);
      await proxy.restore({ keep: true });
      expect(await work).toBe('done');
    });
  });

  test('ends what waits for a new connection, and does not keep a pool from being closed', async () => {
    proxy.silence();
    await withPool({}, async (db) => {
      const began = performance.now();
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcome(db.raw('SELECT 1'))));
      expect(outcomes.filter((text) => NO_CONNECTION.test(text))).toHaveLength(6);
      expect(performance.now() - began).toBeLessThan(scaleTimeout(1500));
      await proxy.restore();
    });
    const pool = openPool({ url: proxy.url, ...BOUNDS });
    await pool.query('SELECT 1');
    proxy.silence();
    const began = performance.now();
    await pool.end();
    expect(performance.now() - began).toBeLessThan(scaleTimeout(1500));
    await proxy.restore();
  });

  test('a library may give a connection back twice, as one does that is stopped while a statement is unanswered', async () => {
    const pool = openPool({ url: database.url, pool: 1, ...BOUNDS });
    const giveBackTwice = () =>
      new Promise<void>((resolve, reject) => {
        pool.connect((error, client, release) => {
          if (error) return reject(error);
          void client?.query('SELECT 1').then(() => {
            release();
            release();
            resolve();
          }, reject);
        });
      });
    await giveBackTwice();
    await giveBackTwice();
    expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await pool.end();
  });

  test('no statement waits for a connection behind more than can be served', async () => {
    const acquireTimeoutMs = scaleTimeout(200);
    // So many are served in that time, at 20 ms each.
    const served = Math.ceil(acquireTimeoutMs / 20);
    await withPool({ pool: 1, acquireTimeoutMs, statementTimeoutMs: 20 * acquireTimeoutMs }, async (db) => {
      const busy = outcome(db.raw('SELECT pg_sleep(?)', [(3 * acquireTimeoutMs) / 1000]));
      await until(() => poolOf(db).counts.used === 1);
      const waiting = Array.from({ length: served }, () => outcome(db.raw('SELECT 1')));
      const began = performance.now();
      expect(await outcome(db.raw('SELECT 1'))).toContain(`${served} others are waiting`);
      expect(performance.now() - began).toBeLessThan(acquireTimeoutMs / 2);
      for (const text of await Promise.all(waiting)) expect(text).toMatch(NO_CONNECTION);
      expect(await busy).toBe('done');
    });
  });
});

describe('a server that is alive', () => {
  test('ends a statement and a wait for a lock itself, and the connection is kept', async () => {
    await withPool({ pool: 1 }, async (db) => {
      const pid = async () => (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
      const before = await pid();
      expect(await outcome(db.raw('SELECT pg_sleep(2)'))).toBe('57014');
      const holder = await database.db.transaction();
      await holder.raw('CREATE TABLE bounded (id int)').finally(() => holder.commit());
      const locker = await database.db.transaction();
      await locker.raw('LOCK TABLE bounded');
      expect(await outcome(db.raw('SELECT * FROM bounded'))).toBe('55P03');
      expect(await outcome(db.transaction((trx) => trx.raw('SELECT * FROM bounded')))).toBe('55P03');
      await locker.rollback();
      expect(await pid()).toBe(before);
    });
  });

  test('ends a transaction that does nothing, whose locks others wait for', async () => {
    await withPool({ pool: 1 }, async (db) => {
      const idle = db.transaction(async (trx) => {
        await trx.raw('SELECT 1');
        await new Promise((resolve) => setTimeout(resolve, 1000));
      });
      expect(await outcome(idle)).toMatch(/25P03|terminated|not queryable/);
      expect(await outcome(db.raw('SELECT 1'))).toBe('done');
    });
  });

  test('does not bound a pool that asks for no bounds', async () => {
    await withPool({ statementTimeoutMs: 0, lockTimeoutMs: 0 }, async (db) => {
      const { rows } = await db.raw<{ rows: object[] }>(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
      );
      expect(rows).toEqual([{ statement: '0', lock: '0' }]);
    });
  });
});

describe('bytes that are not the protocol', () => {
  const CORRUPTIONS: Record<string, (chunk: Buffer) => Buffer> = {
    'an unknown message': (chunk) => Buffer.concat([Buffer.from([0x3f]), chunk.subarray(1)]),
    'random bytes': (chunk) => Buffer.from(chunk.map((byte, i) => (byte * 31 + i * 17) & 0xff)),
    'a row that is longer than its message': (chunk) => {
      const changed = Buffer.from(chunk);
      const row = changed.indexOf('D');
      if (row !== -1) changed.writeUInt16BE(0x7fff, row + 5);
      return changed;
    },
    'an authentication request that does not exist': () => Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99]),
    'a message that never ends': (chunk) => Buffer.concat([Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff]), chunk]),
    'bytes that are missing': (chunk) => chunk.subarray(7),
  };

  test.each(Object.entries(CORRUPTIONS))('%s: the statement fails in time, and the connection is replaced', async (_, change) => {
    await withPool({ pool: 1 }, async (db) => {
      const pid = async () => (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
      const before = await pid();
      proxy.corrupt(change);
      const began = performance.now();
      expect(await outcome(db.raw('SELECT 1 AS one, 2 AS two'))).toMatch(
        /^the database (sent what is not its protocol: .+|has not answered .*)$|^received invalid response/,
      );
      expect(performance.now() - began).toBeLessThan(scaleTimeout(1500));
      const after = await pid();
      expect(after).toBeDefined();
      expect(after).not.toBe(before);
    });
  });
});

describe('a pause of the process', () => {
  test('of more than a minute replaces idle connections, which the network may have forgotten', async () => {
    const pool = openPool({ url: proxy.url, pool: 1, ...BOUNDS });
    await withPool({ pool: 1 }, async (db) => {
      await Promise.all([db.raw('SELECT 1'), pool.query('SELECT 1')]);
      proxy.silence();
      await proxy.restore();
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 61_000);
      expect(await outcome(Promise.all([db.raw('SELECT 1'), pool.query('SELECT 1')]))).toBe('done');
      clock.mockRestore();
    });
    await pool.end();
  });

  test('gives no statement to a connection whose end arrived meanwhile', async () => {
    const pool = openPool({ url: database.url, pool: 1, ...BOUNDS });
    const other = connect({ url: database.url, pool: 1 });
    // Not through the proxy, which is paused with this process.
    await withPool({ url: database.url, pool: 1 }, async (db) => {
      const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const { rows: ofKnex } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
      const pids = [...rows, ...ofKnex].map(({ pid }) => pid);
      const terminated = other.raw('SELECT pg_sleep(0.2), pg_terminate_backend(pid) FROM unnest(?::int[]) pid', [pids]).then();
      await sleep(100);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      expect(await outcome(Promise.all([db.raw('SELECT 1'), pool.query('SELECT 1')]))).toBe('done');
      await terminated;
    });
    await Promise.all([pool.end(), other.destroy()]);
  });
});
