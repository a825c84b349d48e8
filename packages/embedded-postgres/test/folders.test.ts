/** What the embedded database finds and leaves in its folders, without a server: links of libraries, temporary folders, what is no data. */
import { expect, test } from '@jest/globals';
import { chown, lstat, mkdir, readdir, readlink, utimes, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inspectEmbedded } from '@specwright/embedded-postgres';
import { createLinks } from '../src/binaries.ts';
import { fixFor } from '../src/embedded-error.ts';
import { readPidFile } from '../src/postmaster.ts';
import { removeAbandoned } from '../src/system-user.ts';
import { withFolder } from '../../../test/support/tools/folder.ts';

const folder = withFolder();

const inspect = (dataDir: string) => inspectEmbedded({ dataDir, database: 'service' });

/** PostgreSQL's data belongs to another user if the tests run as root. */
async function giveAway(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, 65534, 65534);
}

test('a user without an entry in /etc/passwd is told to get one', () => {
  const fix = fixFor('initdb: could not look up effective user ID 12345: user does not exist');
  expect(fix).toMatch(/useradd --uid 12345 app, or run as another\. .*DATABASE_URL=/);
});

test('creates the missing links of libraries, keeps those that exist, and says if one cannot be created', async () => {
  const home = join(folder.path, 'native');
  await mkdir(join(home, 'lib'), { recursive: true });
  const link = (name: string) => ({ source: 'native/lib/libpq.so.5.18', target: `native/${name}` });
  const list = (...names: string[]) => writeFile(join(home, 'pg-symlinks.json'), JSON.stringify(names.map(link)));

  await list('lib/libpq.so.5');
  expect(await createLinks(home)).toBe(true);
  expect(await readlink(join(home, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');

  await list('lib/libpq.so.5', 'lib/libpq.so');
  expect(await createLinks(home)).toBe(true);
  expect((await readdir(join(home, 'lib'))).sort()).toEqual(['libpq.so', 'libpq.so.5']);

  await list('missing/libpq.so.5');
  expect(await createLinks(home)).toBe(false);
});

test('removes the temporary folders of processes that have ended, and keeps those of running ones', async () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const names = [`postgres.tmp-${process.pid}-ab`, 'postgres.tmp-mine', `other.tmp-${ended}-ab`];
  for (const name of [...names, `postgres.tmp-${ended}-ab`]) await mkdir(join(folder.path, name));
  await removeAbandoned(folder.path, 'postgres');
  expect((await readdir(folder.path)).sort()).toEqual(names.sort());
});

test('removes an empty postmaster.pid, which a power failure leaves, unless it may be being written', async () => {
  const file = join(folder.path, 'postmaster.pid');
  await writeFile(file, '');
  expect(await readPidFile(folder.path)).toBeUndefined();
  expect((await lstat(file)).size).toBe(0);

  const longAgo = Date.now() / 1000 - 3;
  await utimes(file, longAgo, longAgo);
  expect(await readPidFile(folder.path)).toBeUndefined();
  expect(await readdir(folder.path)).toEqual([]);
});

test('finds no data in a folder that is missing or empty', async () => {
  for (const name of ['missing', '.']) expect(await inspect(join(folder.path, name))).toMatchObject({ exists: false, url: undefined });
});

test('refuses a file where the folder of the data should be', async () => {
  folder.write('.data', '');
  await expect(inspect(join(folder.path, '.data'))).rejects.toThrow(
    /cannot write .*\.data: it is a file\nThere is a file where the folder should/,
  );
});

test('names a folder that is no data directory, and one that cannot be read', async () => {
  const cluster = join(folder.path, 'postgres');
  await mkdir(cluster);
  expect(await inspect(folder.path)).toMatchObject({ exists: false });

  await writeFile(join(cluster, 'notes.txt'), '');
  await expect(inspect(folder.path)).rejects.toThrow(
    `${cluster} is not a PostgreSQL data directory\nMove it away: mv "${cluster}" "${cluster}-old"`,
  );

  await mkdir(join(cluster, 'PG_VERSION'));
  for (const path of [cluster, join(cluster, 'PG_VERSION')]) await giveAway(path);
  await expect(inspect(folder.path)).rejects.toThrow(/cannot read .*postgres: EISDIR/);
});
