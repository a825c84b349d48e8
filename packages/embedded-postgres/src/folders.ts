/** Folders that several processes use: where the binaries and the data are for another user, and what is made under a temporary name. */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, type SystemUser } from './child-process.ts';
import { EmbeddedError } from './embedded-error.ts';
import { canReach } from './system-user.ts';

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
