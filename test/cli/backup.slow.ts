/** The commands of docs/how-to/backup.md, on a server of the same version as this machine's pg_dump: what was stored is served by the copy. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connect, migrate, type Database } from '@specwright/postgres';
import { killProcesses, listenOnFreePort, removeFolder, until } from 'specwright/testing';
import { createServer } from 'node:http';
import { schema } from '../../src/db/migrations/index.ts';
import { seedDemo } from '../../src/demo-records.ts';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';

const TIMEOUT_MS = 240_000;
const run = promisify(execFile);

/** The folder that has pg_dump and the server of its version, as distributions install both. */
function findPrograms(): string | undefined {
  const [path] = (process.env['PATH'] ?? '').split(':').flatMap((folder) => (existsSync(join(folder, 'pg_dump')) ? [folder] : []));
  if (path === undefined) return undefined;
  const [, major = ''] = / (\d+)/.exec(execFileSync(join(path, 'pg_dump'), ['--version'], { encoding: 'utf8' })) ?? [];
  return [dirname(realpathSync(join(path, 'pg_dump'))), `/usr/lib/postgresql/${major}/bin`].find((bin) => existsSync(join(bin, 'initdb')));
}

const programs = findPrograms();
if (programs === undefined) console.warn('SKIPPED: docs/how-to/backup.md (apt-get install postgresql)');

/** PostgreSQL refuses to run as root. */
const user =
  process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) } : {};

let folder: string;
let server: ChildProcess | undefined;
let url: (database: string) => string;
let db: Database;

const freePort = async (): Promise<number> => {
  const listening = await listenOnFreePort(createServer());
  const { port } = new URL(listening.url);
  await listening.close();
  return Number(port);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  chmodSync(folder, 0o755);
  if (programs === undefined) return;
  const data = mkdtempSync(join(folder, 'data-'));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const port = await freePort();
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], { ...user, cwd: data });
  const settings = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'fsync=off'].flatMap((setting) => ['-c', setting]);
  server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings], { ...user, cwd: data, stdio: 'ignore' });
  url = (database) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await until(async () => (await createDatabase('petstore')) && (await createDatabase('copy')));
  db = connect({ url: url('petstore'), pool: 2 });
  await migrate(db, schema);
}, TIMEOUT_MS);
afterEach(killProcesses);
afterAll(async () => {
  if (programs !== undefined) await db.destroy();
  server?.kill('SIGINT');
  await removeFolder(folder);
});

async function createDatabase(name: string): Promise<boolean> {
  const admin = connect({ url: url('postgres'), pool: 1 });
  try {
    await admin.raw('CREATE DATABASE ??', [name]);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === '42P04';
  } finally {
    await admin.destroy();
  }
}

/** The first block of the page: dump, restore, and what follows. */
const commands = /^```sh\n([^]*?)^```$/m.exec(readFileSync('docs/how-to/backup.md', 'utf8'))?.[1] ?? '';

test('in CI there is a pg_dump with a server of its version', () => {
  expect(process.env['CI'] === undefined || programs !== undefined).toBe(true);
});

(programs === undefined ? test.skip : test)(
  'a dump that was restored by the commands of the page has every pet, and its server goes on',
  async () => {
    const { accountId, key } = await newAccount(db, 'pro');
    await seedDemo(db, accountId);
    expect(commands.trim().split('\n')).toHaveLength(3);
    await run('sh', ['-ec', commands.replaceAll(' petstore.pgdump', ` '${join(folder, 'petstore.pgdump')}'`)], {
      env: { ...process.env, DATABASE_URL: url('petstore'), NEW_DATABASE_URL: url('copy'), PATH: `${programs}:${process.env['PATH']}` },
    });
    const copy = startProcess({ env: { DATABASE_URL: url('copy'), WORKER: 'off' } });
    const call = clientWithKey(await copy.url(), key);
    expect((await call('GET', '/readyz')).status).toBe(200);
    const pets = (await call<{ id: number }[]>('GET', '/pets?limit=100')).body;
    expect(pets.map(({ id }) => id)).toEqual(await db('pets').where({ account_id: accountId }).orderBy('id').pluck('id'));
    const category = await call<{ id: number }>('POST', '/categories', { name: 'new' });
    const pet = await call<{ id: number }>('POST', '/pets', { name: 'new', categoryId: category.body.id, status: 'available' });
    expect(pet.body.id).toBe(Math.max(...pets.map(({ id }) => id)) + 1);
  },
  TIMEOUT_MS,
);
