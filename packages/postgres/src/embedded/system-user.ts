// Which user PostgreSQL runs as: it refuses to run as root, so root has to lend it another user.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './error.ts';
import { run, type Account } from './run.ts';

/**
 * The account for a data directory `cluster` in `dataDir`; undefined (as ourselves) unless we are root. What exists
 * decides first, since PostgreSQL insists on owning its data: root and the ordinary user who made a database can then
 * take turns. A new one goes to the owner of the checkout for the same reason, else to `postgres`, else to `nobody`.
 */
export async function chooseAccount(dataDir: string, cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await stat(join(cluster, 'PG_VERSION')).catch(() => undefined);
  if (existing?.uid === 0) {
    throw new EmbeddedError(
      `${cluster} belongs to root, and PostgreSQL refuses to run as root`,
      `Give it to another user, such as: chown -R nobody ${cluster}/`,
    );
  }
  if (existing) return { uid: existing.uid, gid: existing.gid };

  const users = await passwd();
  const owner = await stat(dirname(dataDir)).catch(() => undefined);
  // initdb looks its user up, so an owner without an entry (a mounted folder in a container) cannot be it.
  const chosen =
    users.find((user) => user.uid === owner?.uid) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  if (!chosen) {
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as',
      'Run as an ordinary user, or add one: useradd --system postgres',
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

/** The users who are not root. Negative ids, which macOS has, cannot be handed to spawn. */
async function passwd(): Promise<(Account & { name: string })[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0);
}

/**
 * Whether the account can enter a folder, or execute a file. Tried rather than computed: mode bits of every parent, ACLs
 * and security modules all have a say.
 */
export async function canReach(account: Account, path: string, what: 'enter' | 'execute'): Promise<boolean> {
  const script = what === 'enter' ? 'cd -- "$1"' : 'test -x "$1"';
  return (await run('/bin/sh', ['-c', script, 'sh', path], account)).code === 0;
}
