/** A folder that the test files of one run share; what runs that were killed have left behind is removed. */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'specwright-shared-';

/** The variable that names it to the test processes. */
export const SHARED_FOLDER = 'TEST_SHARED_FOLDER';

export function makeSharedFolder() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length)) : NaN;
    if (!Number.isNaN(pid) && !isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root the database of a project runs as another user, who must be able to reach it.
  chmodSync(folder, 0o755);
  process.env[SHARED_FOLDER] = folder;
}

export function removeSharedFolder() {
  // Something that a test started may still write to it.
  rmSync(process.env[SHARED_FOLDER], { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return error.code === 'EPERM';
  }
}
