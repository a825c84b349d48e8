/** The embedded database: data survives stops, kills and crashes; processes share it; errors say how to fix them. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedError, findEmbedded, startEmbedded, type EmbeddedDatabase } from '@specwright/embedded-postgres';
import { locateBinaries } from '../src/binaries.ts';
import { kill, postmaster, query, startElsewhere } from './support/embedded.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const isRoot = process.getuid?.() === 0;
const children: ChildProcess[] = [];
const running: EmbeddedDatabase[] = [];
const home = withFolder('all tests');
/** The `.data` of a checkout in which the database has run, for the tests that do not damage it. */
let commonDataDir: string;

beforeAll(async () => {
  await chmod(home.path, 0o755);
  commonDataDir = await emptyCheckout('common');
  await (await start(commonDataDir)).stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map((database) => database.stop()));
});

/** A `.data` that does not exist yet, in a new checkout whose path has spaces, quotes and a dollar sign. */
async function emptyCheckout(name: string): Promise<string> {
  const folder = join(home.path, `${name} it's a "checkout" $HOME`);
  await mkdir(folder);
  return join(folder, '.data');
}

/** A `.data` with a database in it, copied because that takes less time than initdb. */
async function checkout(name: string): Promise<string> {
  const dataDir = await emptyCheckout(name);
  await promisify(execFile)('cp', ['-a', commonDataDir, dataDir]);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ database: 'service', dataDir, settings: { fsync: 'off' } });
  running.push(database);
  return database;
}

describe('the embedded database', () => {
  test('keeps its data, port and password when it is stopped and started again', async () => {
    const before = await start(commonDataDir);
    expect(before.url).toMatch(/^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/service\?sslmode=disable$/);
    await query(before, 'CREATE TABLE survivor AS SELECT 1 AS n');
    await before.stop();
    expect(await postmaster(commonDataDir)).toBe(0);

    const after = await start(commonDataDir);
    expect(after.url).toBe(before.url);
    expect(await query(after, 'SELECT n FROM survivor')).toEqual([[1]]);
    expect(await readdir(commonDataDir)).toEqual(['postgres']);
    expect((await stat(join(commonDataDir, 'postgres', 'embedded.password'))).mode & 0o777).toBe(0o600);
  });

  test('keeps running when the process that started it is killed, and the next one joins it', async () => {
    const owner = await startElsewhere(commonDataDir);
    children.push(owner);
    const pid = await postmaster(commonDataDir);
    await kill(owner, 'SIGKILL');

    const joined = await start(commonDataDir);
    expect(await postmaster(commonDataDir)).toBe(pid);
    await joined.stop();
    expect(await postmaster(commonDataDir)).toBe(0);
  });

  test('recovers from SIGKILL although an unrelated process has its process id by then', async () => {
    const dataDir = await checkout('crash');
    const owner = await startElsewhere(dataDir);
    children.push(owner);
    const joined = await start(dataDir);
    await query(joined, 'CREATE TABLE kept AS SELECT 1 AS n');
    process.kill(await postmaster(dataDir), 'SIGKILL');
    await kill(owner, 'SIGKILL');
    await joined.stop();

    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const { uid, gid } = await stat(file);
    const unrelated = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.push(unrelated);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(unrelated.pid)));

    expect(await findEmbedded({ dataDir, database: 'service' })).toBeUndefined();
    expect(await query(await start(dataDir), 'SELECT n FROM kept')).toEqual([[1]]);
    expect(unrelated.exitCode).toBeNull();
  });

  test('is not started again after a crash if it is stopped before that', async () => {
    const database = await start(commonDataDir);
    const log = () => readFile(join(commonDataDir, 'postgres', 'embedded.log'), 'utf8');
    const { length } = await log();
    process.kill(await postmaster(commonDataDir), 'SIGKILL');
    await sleep(100); // the connection is lost, and it would be started after 500 ms
    await database.stop();
    await sleep(1000);
    // The first line of a start, or of one that finds processes of the killed server.
    expect((await log()).slice(length)).not.toMatch(/starting PostgreSQL|pre-existing shared memory/);
    expect(await postmaster(commonDataDir)).toBe(0);
  });

  test('is stopped when its database cannot be created', async () => {
    const nameless = startEmbedded({ database: '', dataDir: commonDataDir, settings: { fsync: 'off' } });
    await expect(nameless).rejects.toThrow(/cannot create database "": zero-length delimited identifier/);
    expect(await postmaster(commonDataDir)).toBe(0);
  });

  test('is shared by the processes of a checkout, and stopped by the last one', async () => {
    const dataDir = await emptyCheckout('shared');
    const [one, other] = await Promise.all([start(dataDir), startElsewhere(dataDir)]); // both find nothing there
    children.push(other);
    const pid = await postmaster(dataDir);
    await kill(other, 'SIGTERM');
    expect(await query(one, 'SELECT 1')).toEqual([[1]]);
    const third = await start(dataDir);
    await one.stop();
    expect(await postmaster(dataDir)).toBe(pid);
    await third.stop();
    expect(await postmaster(dataDir)).toBe(0);
  });

  test('starts again for a process that joins while the last one is stopping it', async () => {
    let current = await start(commonDataDir);
    for (const delay of [0, 5, 20]) {
      const stopped = current.stop();
      await sleep(delay);
      current = await start(commonDataDir);
      await stopped;
      expect(await query(current, 'SELECT 1')).toEqual([[1]]);
    }
  });

  test('runs independently in two checkouts at once', async () => {
    const copy = await checkout('copy');
    const [a, b] = await Promise.all([start(commonDataDir), start(copy)]); // both had the same port when they last ran
    await query(a, 'CREATE TABLE only_here ()');
    expect(await query(b, `SELECT to_regclass('only_here')`)).toEqual([[null]]);
  });

  test('ignores PG* variables', async () => {
    const variables = { PGHOST: 'nowhere.invalid', PGPORT: '1', PGSSLMODE: 'require', PGOPTIONS: '-c nonsense=1', PGDATA: '/nowhere' };
    Object.assign(process.env, variables);
    try {
      await start(commonDataDir);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  });

  test('refuses data of another major version, names both versions, and changes nothing', async () => {
    const dataDir = await emptyCheckout('version');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
    for (const path of ['', 'PG_VERSION']) if (isRoot) await chown(join(dataDir, 'postgres', path), 65534, 65534);
    const { major } = await locateBinaries();
    await expect(start(dataDir)).rejects.toThrow(`PostgreSQL 12, this is PostgreSQL ${major}`);
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  test('names a platform that has no binaries, and DATABASE_URL as the alternative', async () => {
    const error = await locateBinaries('sunos', 'sparc').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(EmbeddedError);
    expect((error as Error).message).toMatch(/embedded database for sunos-sparc is not installed[^]*DATABASE_URL=postgres:\/\//);
  });

  test('shows what its log has of this start if it does not start', async () => {
    await (await start(commonDataDir)).stop();
    const broken = startEmbedded({ database: 'service', dataDir: commonDataDir, settings: { work_mem: 'plenty' } });
    const error = await broken.catch((e: unknown) => e);
    expect((error as Error).message).toMatch(/did not start[^]*embedded\.log:[^]*invalid value for parameter "work_mem"/);
    expect((error as Error).message).not.toContain('database system is shut down');
  });

  // PostgreSQL refuses to run as root, and the user that it runs as can enter neither the checkout nor node_modules.
  (isRoot ? test : test.skip)('works for root in a folder that only root can enter (skipped: needs root)', async () => {
    const dataDir = await emptyCheckout('private');
    await chmod(dirname(dataDir), 0o700);
    const before = await start(dataDir);
    await query(before, 'CREATE TABLE kept AS SELECT 1 AS n');
    await before.stop();
    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
    const linked = dirname(await readlink(join(dataDir, 'postgres')));
    const after = await start(dataDir);
    expect(await query(after, 'SELECT n FROM kept')).toEqual([[1]]);
    await after.stop();

    await rm(dataDir, { recursive: true }); // the linked folder is removed when the next database is created in its checkout
    await (await start(dataDir)).stop();
    expect(existsSync(linked)).toBe(false);
    await rm(dirname(await readlink(join(dataDir, 'postgres'))), { recursive: true });
  });
});
