/** Reports saved files: those of one save together, however the editor writes them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { watch as watchFiles, type FSWatcher } from 'chokidar';

/** The time without another write after which a save is complete, in ms. */
const QUIET_MS = 25;

/** @param paths files and folders, absolute. Calls `onSave` with absolute paths. Resolves when saves are seen. */
export async function watch(paths: readonly string[], onSave: (files: ReadonlySet<string>) => void) {
  const written = new Map<string, string>();
  let saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  // Not the temporary files of editors (`.swp`, `~`).
  const ignored = (path: string, stats?: { isFile(): boolean }) => stats?.isFile() === true && !/\.(ts|mjs|json|ya?ml|sql)$/.test(path);
  const watcher: FSWatcher = watchFiles([...paths], { ignoreInitial: true, atomic: true, ignored });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    if (written.get(path) === digest(path)) return;
    written.delete(path);
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = saved;
      saved = new Set();
      onSave(files);
    }, QUIET_MS);
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    /** Ignores the present content of files: the loop itself has written them. */
    ignoreWritten(files: Iterable<string>): void {
      for (const file of files) written.set(file, digest(file));
    },
    /** Watches more files, absolute. */
    add: (files: readonly string[]) => void watcher.add([...files]),
    async close(): Promise<void> {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

function digest(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return 'none';
  }
}
