/** Backups: what comes back is what was there, whatever the tables are; what cannot be restored changes nothing. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate, schemaProblem, type Database, type DatabaseSchema, type Migration } from '@specwright/postgres';
import { checkDump, openBackup, readDump, restoreBackup, writeDump, type Restored } from '@specwright/postgres/backup';
import { createDatabase, type TestDatabase } from 'specwright/testing';

const migration = (name: string, sql: string): Migration => ({
  name,
  migration: {
    up: async (knex) => {
      await knex.raw(sql);
    },
  },
});

const TABLES = `
  CREATE TYPE mood AS ENUM ('good', 'bad');
  CREATE TABLE zoos (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, director bigint);
  CREATE TABLE "Wild animals" (
    id bigserial PRIMARY KEY, zoo bigint NOT NULL REFERENCES zoos, parent bigint REFERENCES "Wild animals", mood mood,
    "in ""words""" text, twice int GENERATED ALWAYS AS (weight * 2) STORED, weight int, bytes bytea, tags text[], seen timestamptz,
    exact numeric, rough float8, body jsonb, length interval);
  ALTER TABLE zoos ADD CONSTRAINT zoos_director FOREIGN KEY (director) REFERENCES "Wild animals";
  CREATE TABLE audit (n int);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES (1); RETURN NEW; END $$;
  CREATE TRIGGER noted AFTER INSERT ON "Wild animals" FOR EACH ROW EXECUTE FUNCTION note();
  CREATE TABLE visits (day date NOT NULL, people int) PARTITION BY RANGE (day);
  CREATE TABLE visits_2025 PARTITION OF visits FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE TABLE visits_2026 PARTITION OF visits FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  CREATE TABLE counters (only_row boolean PRIMARY KEY DEFAULT true, changes bigint NOT NULL DEFAULT 0);
  INSERT INTO counters DEFAULT VALUES;
  CREATE TABLE nothing ();
  CREATE SEQUENCE tickets;
  CREATE MATERIALIZED VIEW crowds AS SELECT sum(people) AS people FROM visits`;

const ROWS = `
  INSERT INTO zoos (name) VALUES ('Berlin'), (E'tab\\there, line\\nhere, \\\\. and \\\\N'), ('');
  INSERT INTO "Wild animals" (zoo, parent, mood, "in ""words""", weight, bytes, tags, seen, exact, rough, body, length) VALUES
    (1, 1, 'good', E'\\\\.', 3, '\\x00ff0a', ARRAY['a,"b"', NULL], '-infinity', 1e30, 'NaN', '{"a": [1, null]}', '1 mon 2 days'),
    (2, 1, NULL, NULL, NULL, NULL, '{}', '2026-03-29 02:30:00.123456+05:30', 0.10, 0.1, NULL, '-00:00:01'),
    (1, NULL, 'bad', repeat('long ', 60000), 7, NULL, NULL, NULL, 'NaN', 1e-300, '[]', NULL);
  UPDATE zoos SET director = 3 WHERE id = 1;
  DELETE FROM audit WHERE ctid = (SELECT min(ctid) FROM audit);
  INSERT INTO visits SELECT '2025-12-01'::date + n, n FROM generate_series(1, 60) n;
  UPDATE counters SET changes = 17;
  INSERT INTO nothing DEFAULT VALUES;
  SELECT setval('tickets', 9007199254740993);
  REFRESH MATERIALIZED VIEW crowds`;

const FIRST: DatabaseSchema = { migrations: [migration('0001_zoos', TABLES)] };
const SECOND: DatabaseSchema = {
  migrations: [...FIRST.migrations, migration('0002_stars', 'ALTER TABLE zoos ADD COLUMN stars int DEFAULT 3')],
};
const CONTENT = `
  SELECT (SELECT json_agg(z ORDER BY id) FROM zoos z) AS zoos, (SELECT json_agg(a::text ORDER BY id) FROM "Wild animals" a) AS animals,
         (SELECT count(*) FROM audit) AS audit, (SELECT json_agg(v ORDER BY day) FROM visits v) AS visits, (SELECT people FROM crowds) AS crowds,
         (SELECT changes FROM counters) AS changes, (SELECT count(*) FROM nothing) AS nothing, (SELECT last_value::text FROM tickets) AS ticket`;

let folder: string;
let file: string;
let source: TestDatabase;
const databases: TestDatabase[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  file = join(folder, 'zoo.dump');
  source = await createDatabase({ schema: 'empty', pool: 2 });
  await migrate(source.db, FIRST);
  await source.db.raw(ROWS.replaceAll('?', '\\?'));
  await openBackup(source.db, 'zoo', (backup) => writeDump(file, backup));
});
afterEach(() => Promise.all(databases.splice(0).map((database) => database.drop())));
afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true });
});

async function emptyDatabase(): Promise<Database> {
  const database = await createDatabase({ schema: 'empty', pool: 2 });
  databases.push(database);
  return database.db;
}

const contentOf = async (db: Database): Promise<object> => (await db.raw<{ rows: object[] }>(CONTENT)).rows[0] ?? {};

const restore = async (db: Database, schema = FIRST, path = file): Promise<Restored> =>
  restoreBackup({ db, schema, backup: await readDump(path) });

describe('a backup', () => {
  test('comes back from a file as it was, with sequences, triggers and checks', async () => {
    const db = await emptyDatabase();
    expect((await restore(db)).rows).toBeGreaterThan(60);
    expect(await contentOf(db)).toEqual(await contentOf(source.db));
    expect(await schemaProblem(db, FIRST)).toBeUndefined();
    await db.raw(`INSERT INTO "Wild animals" (zoo) VALUES (1)`);
    expect(await db('Wild animals').max('id as id').first()).toEqual({ id: 4 });
    expect(await db('audit').count('* as n').first()).toEqual({ n: 3 });
    await expect(db('zoos').where({ id: 1 }).update({ director: 99 })).rejects.toThrow('zoos_director');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  test('tells the service that the database is as it was earlier, in the transaction that fills it; a move does not', async () => {
    const epochs: DatabaseSchema = { ...FIRST, afterRecovery: (query) => query('UPDATE counters SET changes = 1000') };
    const changes = async (db: Database) => (await db('counters').first<{ changes: number }>('changes')).changes;
    const restored = await emptyDatabase();
    await restore(restored, epochs);
    expect(await changes(restored)).toBe(1000);
    const moved = await emptyDatabase();
    await restoreBackup({ db: moved, schema: epochs, backup: await readDump(file), isMove: true });
    expect(await changes(moved)).toBe(17);
    const refused = await emptyDatabase();
    const failing: DatabaseSchema = { ...FIRST, afterRecovery: (query) => query('UPDATE counters SET missing = 1') };
    await expect(restore(refused, failing)).rejects.toThrow('missing');
    expect(await refused('zoos').select()).toEqual([]);
  });

  test('is readable for its owner alone, where a killed process has left a part of one that others can read', async () => {
    const again = `${file}.again`;
    await writeFile(`${again}.partial`, 'left', { mode: 0o644 });
    await openBackup(source.db, 'zoo', (backup) => writeDump(again, backup));
    expect((await stat(again)).mode & 0o777).toBe(0o600);
  });

  test('goes from one database to the other without a file, while rows are added that it does not have', async () => {
    const db = await emptyDatabase();
    const before = await contentOf(source.db);
    await openBackup(source.db, 'zoo', async (backup) => {
      await source.db('audit').insert({ n: 5 });
      await restoreBackup({ db, schema: FIRST, backup });
    });
    await source.db('audit').where({ n: 5 }).delete();
    expect(await contentOf(db)).toEqual(before);
  });

  test('of a former version is migrated after its rows are back', async () => {
    const db = await emptyDatabase();
    expect((await restore(db, SECOND)).migrated).toEqual(['0002_stars']);
    expect(await db('zoos').pluck('stars')).toEqual([3, 3, 3]);
  });

  test('of a former version is not restored if the service cannot be told after the later migrations', async () => {
    let calls = 0;
    const failing: DatabaseSchema = {
      ...SECOND,
      async afterRecovery(query) {
        if (++calls === 2) await query('SELECT missing');
      },
    };
    await expect(restore(await emptyDatabase(), failing)).rejects.toThrow('missing');
  });

  test('leaves no session behind', async () => {
    const sessions = `SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%zoo%'`;
    const count = async () => (await source.db.raw<{ rows: unknown[] }>(sessions)).rows.length;
    expect(await openBackup(source.db, 'zoo', count)).toBe(1);
    expect(await count()).toBe(0);
  });

  test('whose end was written before it had a digest is read', async () => {
    const path = join(folder, 'former.dump');
    await writeFile(path, edit(await readFile(file), /,"digest":"[^"]+"(?=[^\n]*\n$)/, ''));
    expect(await readFile(path)).not.toEqual(await readFile(file));
    await expect(checkDump(path)).resolves.toBeDefined();
  });
});

describe('nothing is changed by', () => {
  test('a restore into a database with rows; one that was only migrated is empty', async () => {
    const db = await emptyDatabase();
    await migrate(db, FIRST);
    await db('zoos').insert({ name: 'kept' });
    await expect(restore(db)).rejects.toThrow(/is not empty, and nothing was changed: public.zoos has rows\n.*db -- reset/);
    expect(await db('zoos').pluck('name')).toEqual(['kept']);
    expect(await schemaProblem(db, FIRST)).toBeUndefined();
    await db('zoos').delete();
    await restore(db);
    expect(await contentOf(db)).toEqual(await contentOf(source.db));
  });

  test('a restore that fails on its way; no server is ready until the next one has succeeded', async () => {
    const db = await emptyDatabase();
    const text = gunzipSync(await readFile(file)).toString();
    const wrong = join(folder, 'wrong.dump');
    // A row of the last table that is filled.
    await writeFile(wrong, gzipSync(text.replace('\n2026-01-01\t31\n', '\n2026-01-01\tmany\n')));
    await expect(restore(db, FIRST, wrong)).rejects.toThrow('the rows of public.visits_2026 are not those');
    expect(await db('zoos').pluck('name')).toEqual([]);
    expect(await schemaProblem(db, FIRST)).toMatch('a restore into this database has not ended');
    await expect(migrate(db, FIRST)).rejects.toThrow('a restore into this database has not ended');
    await restore(db);
    expect(await contentOf(db)).toEqual(await contentOf(source.db));
    expect(await schemaProblem(db, FIRST)).toBeUndefined();
  });

  test('a restore into tables that have other columns, or change the rows that are written to them', async () => {
    const wider = await emptyDatabase();
    await migrate(wider, FIRST);
    await wider.raw('ALTER TABLE zoos ADD COLUMN stars int DEFAULT 3');
    await expect(restore(wider)).rejects.toThrow('public.zoos.stars: missing in the backup, integer in the database');
    const changing = await emptyDatabase();
    await migrate(changing, FIRST);
    // That of a partitioned table is none of the tables that are loaded.
    await changing.raw(`CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.people := NEW.people + 1; RETURN NEW; END $$;
      CREATE TRIGGER more BEFORE INSERT ON visits FOR EACH ROW EXECUTE FUNCTION more()`);
    await expect(restore(changing)).rejects.toThrow(/^public.visits_2025 has other rows than were written to it \(30 of 30\): a trigger/);
    for (const db of [wider, changing]) expect(await db('zoos').pluck('name')).toEqual([]);
  });

  test('a restore of what no migration makes, which succeeds once it is made by hand', async () => {
    const other = await emptyDatabase();
    const books: DatabaseSchema = { migrations: [migration('0001_books', 'CREATE TABLE books (id int)')] };
    await migrate(other, books);
    await other.raw(
      'CREATE TABLE extra (n int); INSERT INTO extra VALUES (7); ALTER TABLE books ADD COLUMN isbn text; CREATE SEQUENCE more',
    );
    const db = await emptyDatabase();
    const copy = () => openBackup(other, 'books', (backup) => restoreBackup({ db, schema: books, backup }));
    await expect(copy()).rejects.toThrow(
      /not those of the backup.*:\n {2}public.books.isbn: text in the backup, missing in the database\n {2}public.extra: the database has no such table/,
    );
    await db.raw('CREATE TABLE extra (n int); ALTER TABLE books ADD COLUMN isbn text');
    await expect(copy()).rejects.toThrow('the database has no sequence public.more');
    await db.raw('CREATE SEQUENCE more');
    await copy();
    expect(await db('extra').select()).toEqual([{ n: 7 }]);
  });

  test.each<[string, DatabaseSchema, string]>([
    ['of a later version', { migrations: [] }, 'does not know the migrations 0001_zoos'],
    ['whose migration was edited', { migrations: [migration('0001_zoos', 'CREATE TABLE other ()')] }, 'migrations were edited'],
  ])('a file %s', async (_what, schema, message) => {
    const db = await emptyDatabase();
    await expect(restore(db, schema)).rejects.toThrow(message);
    expect((await db.raw<{ rows: unknown[] }>(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rows).toEqual([]);
  });

  test.each<[string, (dump: Buffer) => Buffer, RegExp]>([
    ['cut off', (dump) => dump.subarray(0, dump.length - 20), /is damaged: unexpected end of file: copy it again/],
    ['cut off in a table', (dump) => gzipSync(gunzipSync(dump).subarray(0, 9000)), /is damaged: unexpected end of file/],
    ['with a changed row', (dump) => edit(dump, 'Berlin', 'Bremen'), /is damaged: the rows of public.zoos are not those that were written/],
    ['without a row', (dump) => edit(dump, /\n2025-12-31\t30\n/, '\n'), /is damaged: the rows of public.visits_2025 are not/],
    [
      'with a changed sequence',
      (dump) => edit(dump, /"value":"?\d+"?/, '"value":"99"'),
      /is damaged: the list of its tables, or its sequences, are not/,
    ],
    ['without a list of tables', (dump) => edit(dump, '"tables":', '"table":'), /is damaged: it does not say which tables it has/],
    ['without a table that it lists', (dump) => edit(dump, /\nCOPY public\.counters [^]*?\n\\\.\n-- [^\n]*/, ''), /is damaged: /],
    ['with more after its end', (dump) => gzipSync(`${gunzipSync(dump).toString()}x\n`), /is damaged: more follows after its end/],
    ['with changed bytes', (dump) => Buffer.from(dump).fill(0, 400, 420), /is damaged: /],
    ['of another format', (dump) => edit(dump, 'dump 1', 'dump 2'), /is a dump of another version \(2\)/],
    ['of pg_dump', () => Buffer.from('PGDMP\u0001'), /is not a file of `db dump`; what pg_dump writes is restored by pg_restore/],
    ['with other text', () => gzipSync('x'.repeat(5000)), /is not a file of `db dump`/],
    ['without a byte', () => Buffer.alloc(0), /is damaged: unexpected end of file/],
  ])('a file %s, which is found before the database is opened', async (what, damage, message) => {
    const path = join(folder, `${what}.dump`);
    await writeFile(path, damage(await readFile(file)));
    await expect(checkDump(path)).rejects.toThrow(message);
  });

  test('a dump to a file that exists, and one of a database that is not of a service', async () => {
    const before = await stat(file);
    await expect(openBackup(source.db, 'zoo', (backup) => writeDump(file, backup))).rejects.toThrow('exists: choose another name');
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
    await expect(checkDump(join(folder, 'none'))).rejects.toThrow('cannot be read: ENOENT');
    const db = await emptyDatabase();
    await expect(openBackup(db, 'zoo', async () => undefined)).rejects.toThrow('the database has no migrations');
  });
});

const edit = (dump: Buffer, from: string | RegExp, to: string): Buffer => gzipSync(gunzipSync(dump).toString().replace(from, to));
