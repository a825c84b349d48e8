/** The folder in which root keeps what another user must reach when that user cannot enter the checkout. */
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach } from './system-user.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { SystemUser } from './child-process.ts';

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
