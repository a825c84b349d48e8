/** Folders that are made under a temporary name and renamed once they are complete. */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './child-process.ts';

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
