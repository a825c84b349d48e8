/** Backups of the pet store by commands: every table filled, from a server to a file, into an embedded database, and on to another server. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@specwright/postgres';
import { killProcesses, startProcess, withDatabase } from 'specwright/testing';
import { seedDemo } from '../../src/db/seeds/demo.ts';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess as startService } from '../support/service/process.ts';

const TIMEOUT_MS = 180_000;

const source = withDatabase();
const target = withDatabase({ schema: 'empty' });
let folder: string;
let key: string;

/** Rows of what the demo account does not have. */
const ROWS = `
  INSERT INTO api_key_bans (account_id, key_id, strikes) SELECT account_id, id, 3 FROM api_keys LIMIT 1;
  INSERT INTO idempotency_keys SELECT account_id, sha256('a'), sha256('b'), '\\x00ff', now(), now() + interval '1 day' FROM accounts;
  INSERT INTO messages (account_id, id, message, created_at) SELECT account_id, rpad('msg_', 40, 'x'), E'a\\tb\\n\\\\.', now() FROM accounts;
  INSERT INTO orders (account_id, pet_id, quantity, ship_date) SELECT account_id, id, 2, '0001-01-01 00:00:00+00' FROM pets;
  INSERT INTO photos (account_id, pet_id, type, created_at) SELECT account_id, id, 'image/png', now() FROM pets;
  INSERT INTO photo_chunks SELECT account_id, id, 1, decode(repeat('00ff0a5c', 50000), 'hex') FROM photos;
  INSERT INTO photo_usage SELECT account_id, 10 FROM accounts ON CONFLICT DO NOTHING;
  INSERT INTO rate_limit_counters VALUES ('account 1', 1, 1.5, 1, 1e15, 0.1, 1, 1, 60, 1000, 1);
  INSERT INTO stock_event_counters SELECT account_id, 7 FROM accounts ON CONFLICT DO NOTHING;
  INSERT INTO stock_events (account_id, id, pet_id) SELECT account_id, 7000, 1 FROM accounts;
  INSERT INTO webhooks (account_id, url, secret, created_at) SELECT account_id, 'https://example.com', 'whsec_x', now() FROM accounts;
  INSERT INTO webhook_deliveries (account_id, id, name, body, created_at) SELECT account_id, 'msg_1', 'message', '{}', now() FROM accounts;
  SELECT graphile_worker.add_job('deliver_webhook', '{"accountId": 1}', queue_name := 'account 1', run_at := now() + interval '1 day');
  INSERT INTO graphile_worker._private_known_crontabs VALUES ('nightly', now())`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-backup-'));
  await chmod(folder, 0o755);
  const account = await newAccount(source.db, 'pro');
  key = account.key;
  await seedDemo(source.db, account.accountId);
  await source.db.raw(ROWS);
});
afterEach(killProcesses);
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'petstore.dump');

/** @param databaseUrl the embedded database of this test if it is not given. */
async function db(args: readonly string[], databaseUrl?: string) {
  const env = { DATA_DIR: join(folder, 'data'), ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  const { exited, output } = startProcess({
    program: 'packages/specwright/bin/specwright.mjs',
    args: ['db', ...args],
    cwd: process.cwd(),
    env,
  });
  const { code } = await exited;
  return { code, stdout: output.stdout, stderr: output.stderr };
}

const COUNTERS = 'public.stock_event_counters';

/** Every row of every table as text, by table. */
async function rowsOf(on: Database): Promise<Record<string, string[]>> {
  const tables = await on('pg_catalog.pg_tables')
    .whereIn('schemaname', ['public', 'graphile_worker'])
    // Knex writes its row anew each time.
    .whereNot('tablename', 'migrations_lock')
    .orderByRaw('1, 2')
    .select<{ schemaname: string; tablename: string }[]>('schemaname', 'tablename');
  const rows: Record<string, string[]> = {};
  for (const { schemaname, tablename } of tables) {
    const name = `${schemaname}.${tablename}`;
    // When the queue's migrations ran is a fact of each database.
    const columns = name === 'graphile_worker.migrations' ? 't.id::text' : 't::text';
    const found = await on.raw<{ rows: { line: string }[] }>(`SELECT ${columns} AS line FROM ?? t ORDER BY 1`, [name]);
    rows[name] = found.rows.map(({ line }) => line);
  }
  return rows;
}

test(
  'every table comes back, from a server by a file to an embedded database and on to another server, which serves it',
  async () => {
    const before = await rowsOf(source.db);
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([]);

    expect(await db(['dump', file()], source.url)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^wrote .*: \d+ tables\n$/) });
    const again = await db(['dump', file()], source.url);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists: choose another name') });

    const done = /with \d+ rows as of \S+; counts and digests are equal\n/;
    expect(await db(['restore', file()])).toMatchObject({ code: 0, stdout: expect.stringMatching(done) });
    const refused = await db(['restore', file()]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not empty, and nothing was changed:[^]*npm run db -- reset/),
    });

    expect(await db(['move', '--to', target.url])).toMatchObject({ code: 0, stdout: expect.stringMatching(done) });
    // Numbers of events begin higher, so that none is given again.
    const { [COUNTERS]: counters, ...moved } = await rowsOf(target.db);
    const { [COUNTERS]: former, ...others } = before;
    expect(moved).toEqual(others);
    expect([former, counters]).toEqual([['(1,7)'], [expect.stringMatching(/^\(1,\d{10,}\)$/)]]);

    const server = startService({ env: { DATABASE_URL: target.url, WORKER: 'off' } });
    const call = clientWithKey(await server.url(), key);
    expect((await call('GET', '/readyz')).status).toBe(200);
    const newest = await source
      .db('pets')
      .max<{ id: number }[]>('id as id')
      .then(([row]) => row?.id ?? 0);
    const made = await call<{ id: number }>('POST', '/categories', { name: 'new' });
    const pet = await call<{ id: number }>('POST', '/pets', { name: 'new', categoryId: made.body.id, status: 'available' });
    expect(pet).toMatchObject({ status: 201, body: { id: newest + 1 } });

    const online = await db(['move', '--to', source.url], target.url);
    expect(online).toMatchObject({ code: 1, stderr: expect.stringMatching(/servers of petstore are connected [^]*--online/) });
  },
  TIMEOUT_MS,
);

test.each([
  [['move'], 'move needs the URL of an empty database: --to URL'],
  [['dump'], 'dump needs one FILE'],
  [['url', 'x'], 'url takes no FILE'],
])(
  'db %j is refused with the usage',
  async (args, message) => {
    expect(await db(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  },
  TIMEOUT_MS,
);
