// The embedded database keeps its data and comes back, whatever is killed, shared, moved or missing around it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readdir, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedError, startEmbedded, type EmbeddedDatabase } from '@specwright/postgres';
import { locateBinaries } from '../src/embedded/binaries.ts';
import { kill, postmaster, query, startElsewhere } from './support/embedded.ts';

const isRoot = process.getuid?.() === 0;
const children: ChildProcess[] = [];
const running: EmbeddedDatabase[] = [];
let home: string;
/** The `.data` of a checkout in which the database has run, for the tests that do it no harm. */
let usual: string;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(home, 0o755);
  usual = await emptyCheckout('usual');
  await (await start(usual)).stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map((database) => database.stop()));
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

/** The `.data`, to be created, of a new checkout, whose path has all that an unquoted path would stumble over. */
async function emptyCheckout(name: string): Promise<string> {
  const folder = join(home, `${name} it's a "checkout" $HOME`);
  await mkdir(folder);
  return join(folder, '.data');
}

/** The same with a database in it, copied as that takes less time than a new one. */
async function checkout(name: string): Promise<string> {
  const dataDir = await emptyCheckout(name);
  await promisify(execFile)('cp', ['-a', usual, dataDir]);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ database: 'petstore', dataDir, settings: { fsync: 'off' } });
  running.push(database);
  return database;
}

describe('the embedded database', () => {
  test('keeps its data, port and password when it is stopped and started again', async () => {
    const before = await start(usual);
    expect(before.url).toMatch(/^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/petstore\?sslmode=disable$/);
    await query(before, 'CREATE TABLE survivor AS SELECT 1 AS n');
    await before.stop();
    expect(await postmaster(usual)).toBe(0);

    const after = await start(usual);
    expect(after.url).toBe(before.url);
    expect(await query(after, 'SELECT n FROM survivor')).toEqual([[1]]);
    expect(await readdir(usual)).toEqual(['postgres']);
    expect((await stat(join(usual, 'postgres', 'embedded.password'))).mode & 0o777).toBe(0o600);
  });

  test('is adopted as it runs when the process that started it is killed', async () => {
    const owner = await startElsewhere(usual);
    children.push(owner);
    const pid = await postmaster(usual);
    await kill(owner, 'SIGKILL');

    const adopted = await start(usual);
    expect(await postmaster(usual)).toBe(pid);
    await adopted.stop();
    expect(await postmaster(usual)).toBe(0);
  });

  test('recovers when everything is killed and its process id is an unrelated process by now', async () => {
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

    expect(await query(await start(dataDir), 'SELECT n FROM kept')).toEqual([[1]]);
    expect(unrelated.exitCode).toBeNull();
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

  test('starts again for whoever joins while the last one is stopping it', async () => {
    let current = await start(usual);
    for (const delay of [0, 5, 20]) {
      const stopped = current.stop();
      await sleep(delay);
      current = await start(usual);
      await stopped;
      expect(await query(current, 'SELECT 1')).toEqual([[1]]);
    }
  });

  test('is one of its own in each of two checkouts at once', async () => {
    const copy = await checkout('copy');
    const [a, b] = await Promise.all([start(usual), start(copy)]); // both had the same port when they last ran
    await query(a, 'CREATE TABLE only_here ()');
    expect(await query(b, `SELECT to_regclass('only_here')`)).toEqual([[null]]);
  });

  test('is not disturbed by PG* variables meant for another database', async () => {
    const meant = { PGHOST: 'nowhere.invalid', PGPORT: '1', PGSSLMODE: 'require', PGOPTIONS: '-c nonsense=1', PGDATA: '/nowhere' };
    Object.assign(process.env, meant);
    try {
      await start(usual);
    } finally {
      for (const name of Object.keys(meant)) delete process.env[name];
    }
  });

  test('of another major version is left alone, and the error names both versions', async () => {
    const dataDir = await emptyCheckout('version');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
    for (const path of ['', 'PG_VERSION']) if (isRoot) await chown(join(dataDir, 'postgres', path), 65534, 65534);
    const { major } = await locateBinaries();
    await expect(start(dataDir)).rejects.toThrow(`PostgreSQL 12, this is PostgreSQL ${major}`);
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  test('that does not exist for a platform says so, and how to use another', async () => {
    const error = await locateBinaries('sunos', 'sparc').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(EmbeddedError);
    expect((error as Error).message).toMatch(/no embedded PostgreSQL for sunos-sparc[^]*DATABASE_URL=postgres:\/\//);
  });

  test('that does not start shows the end of its log', async () => {
    const broken = startEmbedded({ database: 'petstore', dataDir: usual, settings: { work_mem: 'plenty' } });
    await expect(broken).rejects.toThrow(/did not start[^]*embedded\.log:[^]*invalid value for parameter "work_mem"/);
  });

  // PostgreSQL refuses to run as root, and the user it runs as instead can enter neither the checkout nor node_modules.
  (isRoot ? test : test.skip)('works for root in a folder that only root can enter (skipped: needs root)', async () => {
    const dataDir = await emptyCheckout('private');
    await chmod(dirname(dataDir), 0o700);
    const before = await start(dataDir);
    await query(before, 'CREATE TABLE kept AS SELECT 1 AS n');
    await before.stop();
    expect((await lstat(join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true);
    const outside = dirname(await readlink(join(dataDir, 'postgres')));
    const after = await start(dataDir);
    expect(await query(after, 'SELECT n FROM kept')).toEqual([[1]]);
    await after.stop();

    await rm(dataDir, { recursive: true }); // what is left outside is removed when the next one is made there
    await (await start(dataDir)).stop();
    expect(existsSync(outside)).toBe(false);
    await rm(dirname(await readlink(join(dataDir, 'postgres'))), { recursive: true });
  });
});
