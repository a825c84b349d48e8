/** Migrations: run once and completely by however many processes, after kills too; what is wrong with a schema. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  connect,
  databaseProbe,
  dumpSchema,
  formatPlan,
  migrate,
  planMigration,
  schemaProblem,
  type Database,
  type DatabaseSchema,
  type Migration,
} from '@specwright/postgres';
import { createDatabase, until, type TestDatabase } from 'specwright/testing';

const migration = (name: string, sql: string): Migration => ({
  name,
  migration: {
    up: async (knex) => {
      await knex.raw(sql);
    },
  },
});

const SCHEMA: DatabaseSchema = {
  migrations: [
    migration('0001_books', 'CREATE TABLE books (id bigint PRIMARY KEY, title text NOT NULL)'),
    migration('0002_loans', 'CREATE TABLE loans (book_id bigint PRIMARY KEY REFERENCES books)'),
  ],
};
const NAMES = ['0001_books', '0002_loans'];

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createDatabase({ schema: 'empty' });
  db = database.db;
});
afterEach(() => database.drop());

async function expectComplete(): Promise<void> {
  expect(await schemaProblem(db, SCHEMA)).toBeUndefined();
  expect(await db('migrations').orderBy('id').pluck('name')).toEqual(NAMES);
  expect((await dumpSchema(db)).match(/^TABLE \w+/gm)).toEqual(['TABLE books', 'TABLE loans']);
}

test('twenty concurrent processes run each migration once', async () => {
  const pools = Array.from({ length: 20 }, () => connect({ url: database.url, pool: 2 }));
  const ran = await Promise.all(pools.map((pool) => migrate(pool, SCHEMA)));
  await Promise.all(pools.map((pool) => pool.destroy()));
  expect(ran.filter((names) => names.length > 0)).toEqual([NAMES]);
  await expectComplete();
});

test('needs one connection of the pool, and runs nothing the second time', async () => {
  const pool = connect({ url: database.url, pool: 1, acquireTimeoutMs: 1000 });
  try {
    expect(await migrate(pool, SCHEMA)).toEqual(NAMES);
    expect(await migrate(pool, SCHEMA)).toEqual([]);
    await expectComplete();
  } finally {
    await pool.destroy();
  }
});

test.each([
  ['the lock of migrations', 'SELECT pg_advisory_lock(7305871004)'],
  ['a table', 'LOCK TABLE books'],
])('says who holds %s that it waits for, and for how long', async (_what, sql) => {
  await migrate(db, { migrations: SCHEMA.migrations.slice(0, 1) });
  const holder = connect({ url: database.url, name: 'somebody', pool: 1 });
  const trx = await holder.transaction();
  await trx.raw(sql);
  const { rows } = await trx.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const said: string[] = [];
  const log = { info: () => undefined, warn: (fields: object) => void said.push((fields as { reason: string }).reason) };
  const ends = migrate(
    db,
    { migrations: [...SCHEMA.migrations.slice(0, 1), migration('0002_pages', 'ALTER TABLE books ADD COLUMN pages int')] },
    { log, reportLockAfterMs: 100 },
  );
  await until(() => said.length > 0);
  const pid = rows[0]?.pid ?? 0;
  expect(said[0]).toMatch(
    new RegExp(`^held for \\d+ s by session ${pid} \\(somebody, idle in transaction, from .*pg_terminate_backend\\(${pid}\\)$`),
  );
  await trx.rollback();
  await holder.destroy();
  expect(await ends).toEqual(['0002_pages']);
});

test('runs the migration again that was interrupted when its session was killed', async () => {
  // An uncommitted table of the same name makes the second migration wait.
  const blocker = await db.transaction();
  await blocker.raw('CREATE TABLE loans ()');
  const { rows } = await blocker.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const pool = connect({ url: database.url, pool: 4 });
  const killed = migrate(pool, SCHEMA).catch((error: unknown) => error);
  for (let waiting = 0; waiting === 0;) {
    const result = await db.raw<{ rows: { n: number }[] }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = result.rows[0]?.n ?? 0;
  }
  await db.raw(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), ?)`,
    [rows[0]?.pid ?? 0],
  );
  expect(await killed).toBeInstanceOf(Object);
  await pool.destroy();
  await blocker.rollback();

  // All were in one transaction, so the first one is not recorded either.
  expect(await migrate(db, SCHEMA)).toEqual(NAMES);
  await expectComplete();
});

test("ignores Knex's lock row that a killed process has left behind", async () => {
  await migrate(db, { migrations: SCHEMA.migrations.slice(0, 1) });
  await db('migrations_lock').update({ is_locked: 1 });
  expect(await migrate(db, SCHEMA)).toEqual(['0002_loans']);
  await expectComplete();
});

test('names the migrations that a database lacks, and those that the program does not know', async () => {
  expect(await schemaProblem(db, SCHEMA)).toMatch('lacks migrations (0001_books, 0002_loans): run `npm run migrate`');
  await migrate(db, SCHEMA);
  expect(await schemaProblem(db, SCHEMA)).toBeUndefined();
  expect(await schemaProblem(db, { migrations: SCHEMA.migrations.slice(0, 1) })).toMatch(/does not know \(0002_loans\): deploy/);
});

describe('a migration that was edited after it had run', () => {
  const [books, loans] = SCHEMA.migrations as [Migration, Migration];
  const edited = (sql: string) => ({ migrations: [migration(books.name, sql), loans] });
  const says = /migrations were edited .*\(0001_books\): undo the edit and write a new migration; or, .* drop it/;

  test('is named, with what to do, and nothing runs', async () => {
    await migrate(db, { migrations: [books] });
    const schema = edited('CREATE TABLE books (id bigint PRIMARY KEY, title text NOT NULL, year int)');
    await expect(migrate(db, schema)).rejects.toThrow(says);
    expect(await db('migrations').pluck('name')).toEqual([books.name]);
    await migrate(db, SCHEMA);
    expect(await schemaProblem(db, schema)).toMatch(says);
    expect(await schemaProblem(db, SCHEMA)).toBeUndefined();
  });

  test('is the same if only space and comments have changed', async () => {
    await migrate(db, SCHEMA);
    const schema = edited('CREATE TABLE books (\n  id bigint PRIMARY KEY, -- from the ISBN\n  title text /* trimmed */ NOT NULL)');
    expect(await migrate(db, schema)).toEqual([]);
    expect(await schemaProblem(db, schema)).toBeUndefined();
  });

  test('is not looked for in a database that an earlier version has migrated: its migrations are recorded as they are now', async () => {
    await migrate(db, SCHEMA);
    await db.raw('ALTER TABLE migrations DROP COLUMN digest');
    expect(await schemaProblem(db, SCHEMA)).toBeUndefined();
    expect(await migrate(db, SCHEMA)).toEqual([]);
    expect(await schemaProblem(db, edited('SELECT 1'))).toMatch(says);
  });

  test.each<[reads: string, up: Migration['migration']['up']]>([
    ['the day', (knex) => knex.raw(`CREATE TABLE of_day_${new Date().toISOString().slice(0, 10).replaceAll('-', '_')} (id bigint)`)],
    ['the clock', (knex) => knex.raw(`CREATE TABLE of_time_${Math.floor(Date.now() / 3_600_000)} (id bigint)`)],
    ['the environment', (knex) => knex.raw(`CREATE TABLE of_${process.env['TABLE_OF_MIGRATION'] ?? 'nobody'} (id bigint)`)],
  ])('is not looked for in a migration that reads %s, which is named in the log', async (_, up) => {
    process.env['TABLE_OF_MIGRATION'] = 'ada';
    const warned: [object, string][] = [];
    const log = { info: () => undefined, warn: (fields: object, message: string) => void warned.push([fields, message]) };
    const schemaOf = () => ({
      migrations: [...SCHEMA.migrations, { name: '0003_reads', migration: { up } }],
    });
    const [realNow, realEnvironment] = [Date, process.env];
    expect(await migrate(db, schemaOf(), { log })).toEqual([...NAMES, '0003_reads']);
    expect([Date, process.env]).toEqual([realNow, realEnvironment]);
    expect(warned).toEqual([[{ reason: expect.stringContaining('0003_reads read the date or the environment') }, expect.any(String)]]);
    // Five days later, somewhere else.
    process.env['TABLE_OF_MIGRATION'] = 'bob';
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 86_400_000);
    expect(await schemaProblem(db, schemaOf())).toBeUndefined();
    expect(await migrate(db, schemaOf(), { log })).toEqual([]);
    clock.mockRestore();
    delete process.env['TABLE_OF_MIGRATION'];
    expect(
      await schemaProblem(db, {
        migrations: [{ ...(SCHEMA.migrations[0] as Migration), ...edited('SELECT 1').migrations[0] }, ...schemaOf().migrations.slice(1)],
      }),
    ).toMatch(says);
  });

  test('is found by the statements of a schema builder, a transaction and a condition too', async () => {
    const make = (column: string): DatabaseSchema => ({
      migrations: [
        {
          name: '0001_built',
          migration: {
            up: async (knex) => {
              if (!(await knex.schema.hasTable('built')))
                await knex.schema.createTable('built', (table) => void table.bigInteger('id').primary());
              const rows = await knex<{ id: number }>('built').select('id');
              await knex.transaction(async (trx) => trx('built').insert({ id: rows.length + Date.now() }));
              await knex.schema.alterTable('built', (table) => void table.text(column));
            },
          },
        },
      ],
    });
    expect(await migrate(db, make('a'))).toEqual(['0001_built']);
    expect(await migrate(db, make('a'))).toEqual([]);
    await expect(migrate(db, make('b'))).rejects.toThrow(/edited .*\(0001_built\)/);
  });

  test('is not reported where a migration makes other statements each time', async () => {
    let n = 0;
    const schema = {
      migrations: [{ name: '0001_random', migration: { up: async (knex: Database) => knex.raw<undefined>(`SELECT ${n++}`) } }],
    };
    await migrate(db, schema);
    expect(await migrate(db, schema)).toEqual([]);
    expect(await schemaProblem(db, schema)).toBeUndefined();
  });
});

describe('while servers of the version before are connected', () => {
  const serve = async (name: string, schema = SCHEMA) => {
    const probe = databaseProbe({ url: database.url, name, schema });
    expect(await probe.probe(new AbortController().signal)).toBeUndefined();
    return probe;
  };
  const adds: Migration = {
    name: '0003_adds',
    migration: { ...migration('', 'ALTER TABLE books ADD COLUMN pages int').migration, compatible: true },
  };
  const drops = migration('0004_drops', 'ALTER TABLE books DROP COLUMN pages');
  const withMigrations = (...more: Migration[]): DatabaseSchema => ({ migrations: [...SCHEMA.migrations, ...more] });
  let pool: Database;
  beforeEach(() => {
    pool = connect({ url: database.url, pool: 1, name: 'library' });
  });
  afterEach(() => pool.destroy());

  test('a migration that only adds runs, and one that stops them is refused until they are gone, or the outage is allowed', async () => {
    await migrate(pool, SCHEMA);
    const servers = [await serve('library'), await serve('library')];
    const other = await serve('another service');
    const both = withMigrations(adds, drops);
    const plan = await planMigration(pool, both);
    expect(plan).toEqual({
      pending: [
        { name: '0003_adds', compatible: true },
        { name: '0004_drops', compatible: false },
      ],
      servers: [expect.any(Number), expect.any(Number)],
      needsStop: true,
      isNew: false,
    });
    expect(formatPlan(plan)).toEqual([
      'will run 0003_adds: only adds',
      'will run 0004_drops: stops servers of the version before',
      'this release needs a stop: stop the servers of the version before (2 sessions of them), migrate, start the new ones',
    ]);
    await expect(migrate(pool, both)).rejects.toThrow(
      `servers are connected (sessions ${plan.servers.join(', ')}), and would answer 503 after 0004_drops: stop them and migrate again, or accept that with --allow-outage`,
    );
    // Nothing of it has run.
    await expectComplete();
    expect(formatPlan(await planMigration(pool, withMigrations(adds))).at(-1)).toMatch(/^this release can be rolled/);
    expect(await migrate(pool, withMigrations(adds))).toEqual(['0003_adds']);
    servers[0]?.close();
    await expect(until(async () => (await planMigration(pool, both)).servers.length === 1)).resolves.toBeUndefined();
    await expect(migrate(pool, both)).rejects.toThrow('would answer 503');
    servers[1]?.close();
    await until(async () => (await planMigration(pool, both)).servers.length === 0);
    expect(await migrate(pool, both)).toEqual(['0004_drops']);
    expect(formatPlan(await planMigration(pool, both))).toEqual(['the schema is up to date']);
    const last = await serve('library', both);
    const breaks = withMigrations(adds, drops, migration('0005_more', 'SELECT 1'));
    await expect(migrate(pool, breaks)).rejects.toThrow('would answer 503 after 0005_more');
    expect(await migrate(pool, breaks, { allowOutage: true })).toEqual(['0005_more']);
    for (const probe of [last, other]) probe.close();
  });

  test('a new database needs no stop', async () => {
    const plan = await planMigration(pool, SCHEMA);
    expect(plan).toMatchObject({ needsStop: false, pending: NAMES.map((name) => ({ name, compatible: false })) });
    expect(formatPlan(plan)).toEqual([...NAMES.map((name) => `will run ${name}`), 'the database is new: migrate, then start the servers']);
  });
});
