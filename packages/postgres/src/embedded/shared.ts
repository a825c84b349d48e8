// Where root keeps what another user must reach when the checkout is closed to that user; and the cleaning of temporaries.
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { canReach } from './system-user.ts';
import { EmbeddedError } from './error.ts';
import { isAlive, type Account } from './run.ts';

/** A folder outside every checkout that root owns and `account` can enter, created if missing. */
export async function sharedFolder(account: Account): Promise<string> {
  const candidates = ['/var/lib', '/var/tmp', tmpdir()].map((parent) => join(parent, 'embedded-postgres'));
  for (const folder of candidates) {
    try {
      await mkdir(folder, { mode: 0o755 }).catch(() => undefined);
      const found = await lstat(folder);
      // In a folder that all may write to, someone else may have been here first: trust only what root alone can change.
      if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) continue;
      await chmod(folder, 0o755); // whatever the umask made of it
      if (await canReach(account, folder, 'enter')) return folder;
    } catch {
      continue;
    }
  }
  throw new EmbeddedError(
    `user ${account.uid}, whom PostgreSQL runs as, can reach neither this checkout nor ${candidates.join(', ')}`,
    'Run as an ordinary user, or from a folder that others can enter.',
  );
}

/** A name for something being made, to be renamed to `path` once it is whole. It carries our process id. */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Removes the temporaries of `name` in `folder` whose makers are gone, killed before they could rename or remove them. */
export async function removeAbandoned(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const maker = entry.startsWith(`${name}.tmp-`) ? Number.parseInt(entry.slice(`${name}.tmp-`.length), 10) : NaN;
    if (Number.isNaN(maker) || isAlive(maker)) continue;
    // An initdb that outlived its killed maker may still be writing: then the next start removes the rest.
    await rm(join(folder, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}
