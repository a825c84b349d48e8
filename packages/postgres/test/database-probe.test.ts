/** The probe of a database: its schema, whether it takes writes, and what a look leaves behind. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { databaseProbe, migrate, type DatabaseProbe, type DatabaseSchema, type Migration } from '@specwright/postgres';
import { createDatabase, until, type TestDatabase } from 'specwright/testing';

const migration = (name: string, sql: string, compatible?: boolean): Migration => ({
  name,
  migration: {
    up: async (knex) => {
      await knex.raw(sql);
    },
    ...(compatible === undefined ? {} : { compatible }),
  },
});

const BOOKS = migration('0001_books', 'CREATE TABLE books (id bigint PRIMARY KEY)');
const ADDS = migration('0002_title', 'ALTER TABLE books ADD COLUMN title text', true);
const BREAKS = migration('0003_rename', 'ALTER TABLE books RENAME COLUMN title TO name');
const schema: DatabaseSchema = { migrations: [BOOKS] };

let database: TestDatabase;
let probes: DatabaseProbe[];
beforeEach(async () => {
  probes = [];
  database = await createDatabase({ schema: 'empty' });
  await migrate(database.db, schema);
});
afterEach(async () => {
  for (const { close } of probes) close();
  await database.drop();
});

function open(known = schema) {
  const probe = databaseProbe({ url: database.url, name: 'books', schema: known });
  probes.push(probe);
  return (signal = new AbortController().signal) => probe.probe(signal);
}

async function backends(): Promise<{ pid: number; waits: boolean }[]> {
  const { rows } = await database.db.raw<{ rows: { pid: number; waits: boolean }[] }>(
    `SELECT pid, wait_event_type = 'Lock' AS waits FROM pg_stat_activity WHERE application_name = 'books readiness'`,
  );
  return rows;
}

test('keeps one connection for as long as all is well', async () => {
  const look = open();
  expect(await look()).toBeUndefined();
  const first = await backends();
  expect(await look()).toBeUndefined();
  expect(first).toHaveLength(1);
  expect((await backends()).map(({ pid }) => pid)).toEqual(first.map(({ pid }) => pid));
});

test.each(['DATABASE', 'ROLE'])('a %s that takes no writes is degraded, at once and until it takes some', async (kind) => {
  const look = open();
  expect(await look()).toBeUndefined();
  const { rows } = await database.db.raw<{ rows: Record<string, string>[] }>(
    'SELECT current_database() AS "DATABASE", current_user AS "ROLE"',
  );
  const name = rows[0]?.[kind] ?? '';
  const where = kind === 'ROLE' ? ` IN DATABASE "${rows[0]?.['DATABASE'] ?? ''}"` : '';
  await database.db.raw(`ALTER ${kind} ??${where} SET default_transaction_read_only = on`, [name]);
  expect(await look()).toEqual({ degraded: expect.stringMatching(/read-only/) as unknown });
  expect(await look()).toEqual({ degraded: expect.stringMatching(/read-only/) as unknown });
  await database.db.raw(`ALTER ${kind} ??${where} RESET default_transaction_read_only`, [name]);
  await look();
  expect(await look()).toBeUndefined();
});

test('an unknown migration is no problem if it only adds, by its own word', async () => {
  const look = open();
  await migrate(database.db, { migrations: [BOOKS, ADDS] });
  expect(await look()).toBeUndefined();
  expect(await migrate(database.db, schema)).toEqual([]);

  await migrate(database.db, { migrations: [BOOKS, ADDS, BREAKS] });
  expect(await look()).toBe('the database has migrations that this version does not know (0003_rename): deploy the version that made them');
  await expect(migrate(database.db, schema)).rejects.toThrow(/does not know \(0003_rename\)/);
  expect(await open({ migrations: [BOOKS, ADDS, BREAKS] })()).toBeUndefined();
});

test('a look that was given up leaves no connection, and its backend ends by itself', async () => {
  const look = open();
  expect(await look()).toBeUndefined();
  const lock = await database.db.transaction();
  await lock.raw('LOCK TABLE migrations');
  const controller = new AbortController();
  const given = look(controller.signal).catch((error: unknown) => error);
  await until(async () => (await backends()).some(({ waits }) => waits));
  controller.abort();
  expect(await given).toBeInstanceOf(Error);
  await until(async () => (await backends()).length === 0);
  await lock.rollback();
  expect(await look()).toBeUndefined();
});

test('a role without rights is told the file that grants them', async () => {
  const role = `weak_${process.pid}`;
  await database.db.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  const probe = databaseProbe({ url: Object.assign(new URL(database.url), { username: role, password: 'x' }).href, name: 'books', schema });
  probes.push(probe);
  const look = () => probe.probe(new AbortController().signal);
  expect(await look()).toBe(
    'permission denied for table migrations: the role of DATABASE_URL lacks rights, which docs/service-role.sql grants',
  );
  await database.db.raw(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  expect(await look()).toBeUndefined();
  await database.db.raw(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
});
