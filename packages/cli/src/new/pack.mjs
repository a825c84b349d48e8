/** Before `npm pack`: the lock under a name that npm packs, which it never does with package-lock.json. `--undo` afterwards. */
import { copyFileSync, rmSync } from 'node:fs';

const lock = new URL('lock.json', import.meta.url);
if (process.argv.includes('--undo')) rmSync(lock, { force: true });
else copyFileSync(new URL('../../../../package-lock.json', import.meta.url), lock);
