/** The session is ours: whatever a database or a role sets by default, values are read and written as ever, over each kind of connection. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, connectOptions, openNotificationChannel, openPool } from '@specwright/postgres';
import { withDatabase } from 'specwright/testing';
import { BoundedClient } from '../src/connection/bounded-client.ts';

/** The default that is set, and what the session has. */
const SETTINGS: readonly (readonly [name: string, hostile: string, ours: string])[] = [
  ['DateStyle', 'SQL, DMY', 'ISO, MDY'],
  ['IntervalStyle', 'sql_standard', 'postgres'],
  ['TimeZone', 'Asia/Kathmandu', 'UTC'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-15', '1'],
  ['client_encoding', 'LATIN1', 'UTF8'],
  ['standard_conforming_strings', 'off', 'on'],
  ['array_nulls', 'off', 'on'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_deferrable', 'on', 'off'],
];
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const OURS = Object.fromEntries(SETTINGS.map(([name, , ours]) => [name, ours]));
const READ = `SELECT ${SETTINGS.map(([name]) => `current_setting('${name}') AS "${name}"`).join(', ')}`;

const database = withDatabase();

const setDefaults = async (kind: 'DATABASE' | 'ROLE') => {
  const name = new URL(database.url).pathname.slice(1);
  const { rows } = await database.db.raw<{ rows: { role: string }[] }>('SELECT current_user AS role');
  const target = kind === 'DATABASE' ? `DATABASE "${name}"` : `ROLE "${rows[0]?.role ?? ''}" IN DATABASE "${name}"`;
  for (const [setting, hostile] of SETTINGS) await database.db.raw(`ALTER ${target} SET ${setting} TO ${quoteList(hostile)}`);
  for (const setting of TIMEOUTS) await database.db.raw(`ALTER ${target} SET ${setting} TO 4321`);
};
const quoteList = (text: string) =>
  text
    .split(', ')
    .map((one) => `'${one}'`)
    .join(', ');

describe.each(['DATABASE', 'ROLE'] as const)('defaults of a %s', (kind) => {
  beforeAll(() => setDefaults(kind));

  test('do not reach a pool, nor after RESET ALL and DISCARD ALL', async () => {
    const db = connect({ url: database.url, pool: 1 });
    expect((await db.raw<{ rows: object[] }>(READ)).rows).toEqual([OURS]);
    for (const statement of ['RESET ALL', 'DISCARD ALL']) {
      await db.raw(statement);
      expect((await db.raw<{ rows: object[] }>(READ)).rows).toEqual([OURS]);
    }
    expect(
      (await db.transaction(async (trx) => trx.raw<{ rows: object[] }>("SELECT current_setting('transaction_isolation') AS level"))).rows,
    ).toEqual([{ level: 'read committed' }]);
    await db.destroy();
  });

  test('do not reach a pool of pg, a single connection, or one that listens', async () => {
    const pool = openPool({ url: database.url, pool: 1 });
    expect((await pool.query(READ)).rows).toEqual([OURS]);
    await pool.end();
    const client = new BoundedClient({ connectionString: database.url, answerTimeoutMs: 0 }) as unknown as {
      connect(): Promise<void>;
      query(sql: string): Promise<{ rows: object[] }>;
      end(): Promise<void>;
    };
    await client.connect();
    expect((await client.query(READ)).rows).toEqual([OURS]);
    await client.end();
    const db = connect({ url: database.url, pool: 1 });
    const listening = new Promise<unknown>((resolve, reject) => {
      const channel = openNotificationChannel(db, 'settings', {
        onNotification: () => undefined,
        onListening: async (session) => {
          resolve(await session.run(READ));
          await channel.close();
        },
        onLost: reject,
      });
    });
    expect(await listening).toMatchObject({ rows: [OURS] });
    await db.destroy();
  });

  test('a bound of 0 is none, as migrations need', async () => {
    const db = connect({ url: database.url, pool: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 });
    expect(connectOptions(db).statementTimeoutMs).toBe(0);
    const { rows } = await db.raw<{ rows: object[] }>(
      `SELECT ${TIMEOUTS.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`,
    );
    expect(rows).toEqual([{ statement_timeout: '0', lock_timeout: '0', idle_in_transaction_session_timeout: '0' }]);
    await db.destroy();
  });

  test('values are read as they were written', async () => {
    const db = connect({ url: database.url, pool: 1 });
    const { rows } = await db.raw<{ rows: object[] }>(
      `SELECT ?::date AS day, ?::timestamptz AS moment, ?::float8 AS number, ?::bytea AS bytes, ?::text[] AS list, 'a\\b' AS text, ?::interval AS span`,
      ['2026-02-01', '2026-02-01T10:00:00.123Z', 0.1 + 0.2, Buffer.from([0, 92, 255]), ['a', null] as never, '1 day 2 hours'],
    );
    expect(rows).toEqual([
      {
        day: '2026-02-01',
        moment: '2026-02-01T10:00:00.123Z',
        number: 0.1 + 0.2,
        bytes: Buffer.from([0, 92, 255]),
        list: ['a', null],
        text: 'a\\b',
        span: { days: 1, hours: 2 },
      },
    ]);
    await db.destroy();
  });

  afterAll(() => database.db.raw(`ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" RESET ALL`));
});
