/** Folders that are read again after each event in them: an event says that something has changed, and the folders what it was. */
import { type FSWatcher, existsSync, readdirSync, statSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** How often the folders are read where the system reports no events, in ms. */
const POLL_INTERVAL_MS = 1000;

/** Not the temporary files of editors (`.swp`, `~`). */
const SOURCE = /\.(ts|mjs|json|ya?ml|sql)$/;
/** Below a folder that is watched. A path that is named itself may be in one of these. */
const SKIPPED = /^(\.|node_modules$)/;

/** Gone at this moment, or refused to whoever reads it too. */
const UNAVAILABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

export interface WatchedFoldersOptions {
  /** The folder of the project, absolute. */
  readonly root: string;
  /** Something in one of them may have changed. */
  readonly onEvent: () => void;
  /** Is told once what cannot be watched. */
  readonly onProblem: (problem: string, fix: string) => void;
}

export class WatchedFolders {
  readonly #options: WatchedFoldersOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #unreadable = new Set<string>();
  #polling: NodeJS.Timeout | undefined;

  constructor(options: WatchedFoldersOptions) {
    this.#options = options;
  }

  /**
   * Reads the files at and below paths, and watches the folders that lead to them and are below them.
   *
   * @param paths absolute, whether they exist or not. @returns by path what changes with each save.
   */
  read(paths: Iterable<string>): Map<string, string> {
    const files = new Map<string, string>();
    const folders = new Set<string>();
    const visited = new Set<string>();
    const visit = (path: string, above: readonly string[] = []) => {
      const stats = statsOf(path);
      if (stats?.isDirectory() !== true) {
        if (stats?.isFile() === true && SOURCE.test(path)) files.set(path, `${stats.mtimeNs} ${stats.size} ${stats.ino}`);
        return;
      }
      // A link may lead to a folder above it.
      const id = `${stats.dev} ${stats.ino}`;
      if (visited.has(path) || above.includes(id)) return;
      visited.add(path);
      folders.add(path);
      // Before it is read, so that nothing is created in between.
      this.#open(path);
      for (const name of this.#entriesOf(path)) if (!SKIPPED.test(name)) visit(join(path, name), [...above, id]);
    };
    const above = existingAbove(this.#options.root);
    if (above !== undefined) {
      folders.add(above);
      this.#open(above);
    }
    for (const path of paths) {
      for (const folder of foldersAbove(this.#options.root, path)) {
        folders.add(folder);
        this.#open(folder);
      }
      visit(path);
    }
    for (const folder of [...this.#watchers.keys()]) if (!folders.has(folder)) this.#close(folder);
    return files;
  }

  close(): void {
    clearInterval(this.#polling);
    for (const folder of [...this.#watchers.keys()]) this.#close(folder);
  }

  /** Watches one folder, not what is below it. A watcher is of the folder that had the name when it began. */
  #open(folder: string): void {
    if (this.#watchers.has(folder) || this.#polling !== undefined) return;
    const { onEvent } = this.#options;
    try {
      const watcher = watchFolder(folder, (event, name) => {
        if (event === 'rename') this.#forget(folder, name);
        onEvent();
      });
      watcher.on('error', (error) => {
        this.#close(folder);
        this.#poll(error);
        onEvent();
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#poll(error);
    }
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Ends the watchers of what may be another folder now: the one of that name, the folder itself, and those below it. */
  #forget(folder: string, name: string | null): void {
    const renamed = name === null || name === basename(folder) ? folder : join(folder, name);
    for (const watched of [...this.#watchers.keys()]) if (watched === renamed || watched.startsWith(renamed + sep)) this.#close(watched);
  }

  #poll(error: unknown): void {
    const { onEvent, onProblem } = this.#options;
    if (UNAVAILABLE.includes(codeOf(error)) || this.#polling !== undefined) return;
    this.#polling = setInterval(onEvent, POLL_INTERVAL_MS);
    onProblem(
      `the system watches no more folders (${codeOf(error)}), so saves are noticed within ${POLL_INTERVAL_MS / 1000} s`,
      'raise its limit (Linux: `sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512`), and start again',
    );
  }

  #entriesOf(folder: string): string[] {
    try {
      const names = readdirSync(folder);
      this.#unreadable.delete(folder);
      return names;
    } catch (error) {
      if (['EACCES', 'EPERM'].includes(codeOf(error)) && !this.#unreadable.has(folder)) {
        this.#unreadable.add(folder);
        const name = relative(this.#options.root, folder) || folder;
        const problem = `${name} cannot be read (${codeOf(error)}): saves in it are not noticed`;
        this.#options.onProblem(problem, `let this user read ${name}, or move it`);
      }
      return [];
    }
  }
}

/** Of a project that was moved away, and may come back: the nearest folder above it that exists. */
function existingAbove(root: string): string | undefined {
  let folder = root;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder === root ? undefined : folder;
}

/** The folders whose entries lead to a path: from the root, or only its own for a path outside. */
function foldersAbove(root: string, path: string): string[] {
  if (!path.startsWith(root + sep)) return path === root ? [] : [dirname(path)];
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}

function statsOf(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch {
    // Gone, or below a folder that cannot be read.
    return undefined;
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
