/** Each query and command of docs/how-to/operating.md, as it is written there, against the fault that it is for. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect, type Database } from '@specwright/postgres';
import { createDatabase, killProcesses, scaleTimeout, until, type TestDatabase } from 'specwright/testing';
import { createMessage, getMessage } from '../../src/db/messages.ts';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startOtlpReceiver } from '../support/service/otlp-receiver.ts';
import { startProcess } from '../support/service/process.ts';
import { sender } from '../support/service/sender.ts';

const PAGE = readFileSync('docs/how-to/operating.md', 'utf8');
const TIMEOUT_MS = scaleTimeout(120_000);
const run = promisify(execFile);

/** The queries of the runbook, by the name of their paragraph; several of one are numbered. */
const queries = new Map<string, string>();
for (const [block, query = ''] of PAGE.matchAll(/^```sql\n([^]*?)^```$/gm)) {
  const name = [...PAGE.slice(0, PAGE.indexOf(block)).matchAll(/^### (.+)$/gm)].at(-1)?.[1] ?? '';
  queries.set(queries.has(name) ? `${name}, 2` : name, query);
}
const commands = [
  ...[...PAGE.matchAll(/`((?:npm|npx|node \.|docker|kubectl|gh|psql)\b[^`]*)`/g)].map(([, command = '']) => command),
  ...[...PAGE.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n')),
];

/** Those that are run below. */
const RUN = [
  'npm run migrate',
  'node .build/migrate.js',
  'node .build/main.js',
  'node .build/administer.js',
  'npm run -s administer --',
  'npm run -s administer -- accounts create --email EMAIL',
  'npm run -s administer -- keys find PREFIX',
  'npm run -s administer -- keys revoke KEY --email EMAIL',
  'npm run -s administer -- accounts suspend --email EMAIL',
  'npm run -s administer -- limits unban --key ID',
  'npm run -s administer -- messages list --since TIME',
  'npm run -s administer -- messages replay --since TIME',
  "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 NODE_OPTIONS='--import ./.deploy/telemetry/register.mjs' npm start",
];
/** Those that are not, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'psql "$OPERATOR_URL"': 'its queries are sent as the server sends its own: machines without psql run this too',
  'npx specwright db psql': 'opens the database of `npm start`, which is not that of a test',
  'npm run migrate -- --plan': 'changes nothing: packages/postgres/test/migrate.test.ts holds what it says',
  'node .build/migrate.js --plan': 'the same in an image',
  'npm ci && npm run build': 'needs a registry: `npm run build` is what the processes of these tests are made by',
  'npm ci --omit=dev --omit=optional': 'needs a registry: test/gates/production-packages.slow.ts',
  'npm ci --prefix .deploy/telemetry': 'needs a registry: test/service/telemetry.test.ts holds that the packages of the root are the same',
  'docker compose --env-file .deploy/observability/compose.env up --build': 'needs Docker: test/gates/deploy.test.ts',
  'kubectl apply --kustomize .deploy/kubernetes': 'needs a cluster: test/gates/deploy.test.ts',
  'gh attestation verify oci://ghcr.io/OWNER/NAME:v1.2.3 --owner OWNER': 'needs a release: test/gates/release.slow.ts',
};

let database: TestDatabase;
/** The two documented roles: the service, which has the fault, and who is on call. */
let service: Database;
let operator: Database;
const roles: string[] = [];

/** A role with the rights of a page. Roles are of the whole server, which other test files use too. */
async function connectAs(role: string): Promise<Database> {
  const name = `${role}_${process.pid}_${Date.now()}`;
  await database.db.raw(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  roles.push(name);
  await database.db.raw(readFileSync(`docs/${role}-role.sql`, 'utf8').replaceAll(`petstore_${role}`, name));
  return connect({ url: Object.assign(new URL(database.url), { username: name, password: 'secret' }).href, pool: 6 });
}

beforeEach(async () => {
  database = await createDatabase();
  service = await connectAs('service');
  operator = await connectAs('operator');
});
afterEach(async () => {
  await killProcesses();
  await Promise.all([service.destroy(), operator.destroy()]);
  for (const name of roles.splice(0)) await database.db.raw(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  await database.drop();
});

test('no query and no command of the page is without a test here, or a reason', () => {
  expect([...queries.keys()].sort()).toEqual([
    'Disk',
    'Locks',
    'Locks, 2',
    'Messages wait, or receivers fail',
    'No connections',
    'Slow',
    'The queue of notifications',
  ]);
  expect([...new Set(commands)].sort()).toEqual([...RUN, ...Object.keys(NOT_RUN)].sort());
});

type Row = Readonly<Record<string, unknown>>;
const ask = async (name: string): Promise<Row[]> => {
  const query = queries.get(name);
  if (query === undefined) throw new Error(`the runbook has no query for ${name}`);
  return (await operator.raw<{ rows: Row[] }>(query)).rows;
};
const pidOf = async (db: { raw: TestDatabase['db']['raw'] }) =>
  (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

describe('Locks', () => {
  test('the query names the session that holds the lock, not those that wait, and the next one ends it', async () => {
    const { accountId } = await newAccount(database.db);
    const holder = await service.transaction();
    const lock = (trx: typeof holder) => trx('accounts').where({ account_id: accountId }).forUpdate().select('account_id');
    await lock(holder);
    const pid = await pidOf(holder);
    // Each waits behind the one before it: the first of them is asked for by the others, and holds nothing that matters.
    const waiting = Array.from({ length: 3 }, async () => {
      const victim = await service.transaction();
      await lock(victim);
      await victim.commit();
    });
    await until(async () => (await ask('Locks'))[0]?.['waiting'] === 3);
    expect(await ask('Locks')).toEqual([
      expect.objectContaining({ pid, state: 'idle in transaction', waiting: 3, last_statement: expect.any(String) }),
    ]);
    const end = queries.get('Locks, 2')?.replace('PID', String(pid)) ?? '';
    expect((await operator.raw<{ rows: object[] }>(end)).rows).toEqual([{ pg_terminate_backend: true }]);
    await Promise.all(waiting);
    expect(await ask('Locks')).toEqual([]);
    await holder.rollback().catch(() => undefined);
  });
});

test('Slow: the query that has run for longest comes first', async () => {
  const { db } = database;
  // They are sent once somebody waits for them.
  const slow = db.raw(`SELECT pg_sleep(2), 'the slow one'`).then();
  await sleep(200);
  const short = db.raw(`SELECT pg_sleep(1.5), 'another'`).then();
  await until(async () => (await ask('Slow')).length === 2);
  const [first, second] = await ask('Slow');
  expect([first?.['query'], second?.['query']]).toEqual([`SELECT pg_sleep(2), 'the slow one'`, `SELECT pg_sleep(1.5), 'another'`]);
  await Promise.all([slow, short]);
});

test('who is on call reads no table of the service, and may use the connections that are reserved', async () => {
  await expect(operator.raw('SELECT * FROM accounts')).rejects.toMatchObject({ code: '42501' });
  const { rows } = await operator.raw<{ rows: object[] }>(`SELECT pg_has_role('pg_use_reserved_connections', 'MEMBER') AS reserved`);
  expect(rows).toEqual([{ reserved: true }]);
});

test('No connections: who has them comes first', async () => {
  const hoarder = await createDatabase({ schema: 'empty', pool: 6 });
  await Promise.all(Array.from({ length: 6 }, () => hoarder.db.raw('SELECT pg_sleep(0.2)')));
  const rows = await ask('No connections');
  expect(Number(rows[0]?.['max'])).toBeGreaterThan(0);
  expect(rows.reduce((sum, row) => sum + Number(row['count']), 0)).toBeGreaterThan(6);
  expect(Number(rows[0]?.['count'])).toBe(Math.max(...rows.map((row) => Number(row['count']))));
  await hoarder.drop();
});

test('Messages wait: whose could have been sent for longest comes first', async () => {
  const accounts = [await newAccount(database.db), await newAccount(database.db)].map(({ accountId }) => accountId);
  const [one = 0, two = 0] = accounts;
  const add = (accountId: number, minutes: number) =>
    database.db.raw(
      `INSERT INTO webhook_deliveries (account_id, id, name, body, created_at, due_at)
         SELECT ?, 'msg_' || minutes, 'noted', '{}', now(), now() - minutes * interval '1 minute' FROM (SELECT ?::int AS minutes) AS given`,
      [accountId, minutes],
    );
  await add(one, 1);
  await add(two, 90);
  await add(two, 5);
  const rows = await ask('Messages wait, or receivers fail');
  expect(rows.map((row) => [row['account_id'], row['deliveries']])).toEqual([
    [two, 2],
    [one, 1],
  ]);
  expect(rows[0]?.['late']).toMatchObject({ hours: 1, minutes: 30 });
});

test('The queue of notifications: the session that hangs in a transaction is named', async () => {
  const hanging = await service.transaction();
  const pid = await pidOf(hanging);
  expect((await ask('The queue of notifications')).map((row) => row['pid'])).toContain(pid);
  await hanging.rollback();
});

test('Disk: the largest table comes first', async () => {
  const { db } = database;
  const { accountId } = await newAccount(db);
  await db.raw(`INSERT INTO categories (account_id, name) SELECT ?, 'category ' || i FROM generate_series(1, 20000) AS i`, [accountId]);
  expect((await ask('Disk'))[0]?.['table']).toBe('categories');
});

/** Runs a command as a shell does, with this test's database. */
const shell = (command: string, env: Record<string, string> = {}) =>
  run('sh', ['-c', command], { env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url, ...env } });

test(
  'A key is abused: revoke, suspend and unban work from the next request on',
  async () => {
    const byMail = { SIGN_UP_ACCOUNT: '999', SIGN_UP_SECRET: 'a secret of thirty-two characters' };
    const server = startProcess({ env: { DATABASE_URL: database.url, ...byMail } });
    const url = await server.url();
    // What the page says of sign-ups that are confirmed by mail.
    await until(() => server.output.stdout.includes('mails of sign-ups are not sent: SIGN_UP_ACCOUNT needs a webhook'));
    const [first, second] = [await newAccount(database.db), await newAccount(database.db)];
    const emailOf = async (accountId: number) =>
      (await database.db('accounts').where({ account_id: accountId }).first<{ email: string }>('email')).email;
    const idOf = async (accountId: number) =>
      (await database.db('api_keys').where({ account_id: accountId }).first<{ id: string }>('id')).id;
    const status = async (key: string) => (await clientWithKey(url, key)('GET', '/account')).status;
    expect([await status(first.key), await status(second.key)]).toEqual([200, 200]);

    const email = await emailOf(first.accountId);
    const fill = (command: string, key: number | string, address: string) =>
      command.replace(/\b(KEY|ID)\b/, String(key)).replace('EMAIL', address);
    const [create = '', find = '', revoke = '', suspend = '', unban = '', list = '', replay = ''] = RUN.filter((command) =>
      command.startsWith('npm run -s administer -- '),
    );
    expect((await shell(fill(create, '', 'operator@example.com'))).stdout).toMatch(/^psk_live_/);
    const found = await shell(find.replace('PREFIX', first.key.slice(0, 13)));
    expect(found.stdout).toMatch(new RegExp(`\\b${first.accountId} +${email} +${await idOf(first.accountId)} .* true `));
    await shell(fill(revoke, await idOf(first.accountId), email));
    expect(await status(first.key)).toBe(401);

    const banned = await idOf(second.accountId);
    await database.db('api_key_bans').insert({
      account_id: second.accountId,
      key_id: banned,
      banned_until: Date.now() + 900_000,
    });
    await shell(fill(unban, banned, ''));
    const { record } = await createMessage(database.db, second.accountId, { message: 'x' }, sender, {});
    await database.db('messages').where({ id: record.id }).update({ status: 'failed' });
    await database.db('webhook_deliveries').where({ id: record.id }).update({ status: 'failed' });
    const since = (command: string) => command.replace('TIME', record.createdAt);
    expect((await shell(since(list))).stdout).toContain(record.id);
    expect((await shell(since(replay))).stdout).toBe('1 queued\n');
    // The worker of the server has it then.
    await until(async () => (await getMessage(database.db, second.accountId, record.id)).record.status === 'sent');

    expect(await database.db('api_key_bans').where({ key_id: banned }).where('banned_until', '>', Date.now())).toEqual([]);
    await shell(fill(suspend, '', await emailOf(second.accountId)));
    expect(await status(second.key)).toBe(401);
    expect((await shell('npm run -s administer -- accounts list')).stdout).toContain(email);
    expect((await shell('node .build/administer.js accounts list')).stdout).toContain(email);
  },
  TIMEOUT_MS,
);

test(
  'The server is not ready: its log says what is missing, and migrating makes it ready',
  async () => {
    await database.drop();
    database = await createDatabase({ schema: 'empty' });
    const server = startProcess({ env: { DATABASE_URL: database.url } });
    const url = await server.url();
    const ready = async () => (await fetch(`${url}/readyz`)).status;
    expect(await ready()).toBe(503);
    await until(() => server.output.stdout.includes('not ready'));
    await shell('npm run migrate');
    await until(async () => (await ready()) === 200, TIMEOUT_MS);
    expect((await shell('node .build/migrate.js')).stderr).not.toMatch(/error/i);
    const built = startProcess({ program: '.build/main.js', env: { DATABASE_URL: database.url } });
    expect((await fetch(`${await built.url()}/livez`)).status).toBe(200);
  },
  TIMEOUT_MS,
);

test(
  'Traces: the command starts a server whose spans arrive at the collector',
  async () => {
    const collector = await startOtlpReceiver();
    const [command = ''] = RUN.filter((one) => one.startsWith('OTEL_'));
    const [, variable = '', options = ''] = /^(\w+)=\S+ NODE_OPTIONS='([^']*)' npm start$/.exec(command) ?? [];
    const server = startProcess({
      env: { DATABASE_URL: database.url, [variable]: collector.url, NODE_OPTIONS: options, OTEL_BSP_SCHEDULE_DELAY: '50' },
    });
    await fetch(`${await server.url()}/pets`);
    await until(() => collector.received.spans.some(({ name }) => name === 'GET /pets'));
    await collector.close();
  },
  TIMEOUT_MS,
);
