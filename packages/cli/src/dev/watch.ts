/** Tells which files were saved: those of one save together, however the editor writes them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch as watchFiles, type FSWatcher } from 'chokidar';

/** What a person edits, and what is made of it. */
const WATCHED = ['spec', 'src', 'generated', 'scripts', 'test', 'bench', 'tsconfig.json'];
/** ms without another save before one counts as done. */
const QUIET = 50;

export interface Watcher {
  /** Takes note of files that the loop itself writes: they are not news. */
  wrote(files: Iterable<string>): void;
  close(): Promise<void>;
}

/** Calls `onSave` with absolute paths. Resolves when every save from now on is seen. */
export async function watch(root: string, onSave: (files: ReadonlySet<string>) => void): Promise<Watcher> {
  const ours = new Map<string, string>();
  let saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const paths = WATCHED.map((name) => join(root, name)).filter((path) => existsSync(path));
  // What an editor keeps beside a file (`.swp`, `~`) is not a source.
  const ignored = (path: string, stats?: { isFile(): boolean }) => stats?.isFile() === true && !/\.(ts|mjs|json|ya?ml|sql)$/.test(path);
  const watcher: FSWatcher = watchFiles(paths, { ignoreInitial: true, atomic: true, ignored });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    if (ours.get(path) === digest(path)) return;
    ours.delete(path);
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = saved;
      saved = new Set();
      onSave(files);
    }, QUIET);
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    wrote(files) {
      for (const file of files) ours.set(file, digest(file));
    },
    async close() {
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
