/** The system's user that PostgreSQL runs as: it refuses to run as root, so under root it runs as another one. */
import { readFile, stat, chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { run, type SystemUser, isAlive } from './child-process.ts';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';

/**
 * The user for a data directory `cluster` in `dataDir`; undefined (this process's own) unless this process is root's.
 *
 * PostgreSQL has to own its data, so existing data is used as its owner: root and the ordinary user who created a database
 * can take turns. New data goes to the owner of the checkout for the same reason, else to `postgres`, else to `nobody`.
 *
 * @throws EmbeddedError
 */
export async function chooseSystemUser(dataDir: string, cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
  if (existing?.uid === 0) {
    throw new EmbeddedError(
      `${cluster} belongs to root, and PostgreSQL refuses to run as root`,
      `Change its owner: chown -R nobody ${cluster}/`,
    );
  }
  if (existing) return { uid: existing.uid, gid: existing.gid };

  const users = await readUsers();
  const owner = await stat(dirname(dataDir)).catch(() => undefined);
  // initdb looks its user up, so an owner without an entry (a mounted folder in a container) cannot be it.
  const found =
    users.find((user) => user.uid === owner?.uid) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  if (!found) {
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as',
      'Run as an ordinary user, or add one: useradd --system postgres',
    );
  }
  return { uid: found.uid, gid: found.gid };
}

/** The users of /etc/passwd but root. Negative ids, which macOS has, cannot be given to spawn. */
async function readUsers(): Promise<(SystemUser & { name: string })[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0);
}

/**
 * Whether `user` can enter a folder, or execute a file. Tried rather than computed: it depends on the modes of every
 * parent, ACLs and security modules.
 */
export async function canReach(user: SystemUser, path: string, access: 'enter' | 'execute'): Promise<boolean> {
  const script = access === 'enter' ? 'cd -- "$1"' : 'test -x "$1"';
  return (await run('/bin/sh', ['-c', script, 'sh', path], user)).code === 0;
}

// Folders that several processes use: where the binaries and the data are for another user, and what is made under a temporary
// name.

/** A folder that belongs to root, is in no checkout and can be entered by `user`; created if missing. @throws EmbeddedError */
export async function sharedFolder(user: SystemUser): Promise<string> {
  const candidates = ['/var/lib', '/var/tmp', tmpdir()].map((parent) => join(parent, 'embedded-postgres'));
  for (const folder of candidates) {
    try {
      await mkdir(folder, { mode: 0o755 }).catch(() => undefined);
      const found = await lstat(folder);
      // In a folder that everyone may write to, someone else may have made it: trust only what root alone can change.
      if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) continue;
      await chmod(folder, 0o755); // whatever the umask made of it
      if (await canReach(user, folder, 'enter')) return folder;
    } catch {
      continue;
    }
  }
  throw new EmbeddedError(
    `user ${user.uid}, which PostgreSQL runs as, can enter neither this checkout nor ${candidates.join(', ')}`,
    'Run as an ordinary user, or in a folder that other users can enter.',
  );
}

/** A temporary name for `path`, beside it. It carries the id of this process. */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Removes the temporaries of `name` in `folder` whose processes were killed before they could rename or remove them. */
export async function removeAbandoned(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const pid = entry.startsWith(`${name}.tmp-`) ? Number.parseInt(entry.slice(`${name}.tmp-`.length), 10) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    // An initdb that outlived its killed parent may still be writing: then the next start removes the rest.
    await rm(join(folder, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}
