/** Reports saved files: those of one save together, however the editor writes them, and however often their folders disappear and come back. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WatchedFolders, type WatchedFoldersOptions } from './watched-folders.ts';

/** The time without another event after which a save is complete, in ms. */
const QUIET_MS = 25;

export interface WatchOptions extends Omit<WatchedFoldersOptions, 'onEvent'> {
  /** Files and folders, absolute, whether they exist or not. */
  readonly paths: readonly string[];
  /** Gets absolute paths. */
  readonly onSave: (files: ReadonlySet<string>) => void;
}

export function watch({ root, paths: initial, onSave, onProblem }: WatchOptions) {
  const paths = new Set(initial);
  const written = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const onEvent = () => {
    clearTimeout(timer);
    timer = setTimeout(report, QUIET_MS);
  };
  const folders = new WatchedFolders({ root, onEvent, onProblem });
  let files = folders.read(paths);

  function report(): void {
    const before = files;
    files = folders.read(paths);
    const changed = [...files.keys(), ...before.keys()].filter((file) => files.get(file) !== before.get(file));
    const saved = new Set(changed.filter((file) => written.get(file) !== digest(file)));
    for (const file of saved) written.delete(file);
    if (saved.size > 0) onSave(saved);
  }

  return {
    /** Ignores the present content of files: the loop itself has written them. */
    ignoreWritten(names: Iterable<string>): void {
      for (const file of names) written.set(file, digest(file));
    },
    /** Watches more files, absolute. What was saved before is not reported. */
    add(names: readonly string[]): void {
      const added = names.filter((name) => !paths.has(name) && !files.has(name));
      if (added.length === 0) return;
      for (const name of added) paths.add(name);
      for (const [file, state] of folders.read(paths)) if (added.includes(file)) files.set(file, state);
    },
    close(): void {
      clearTimeout(timer);
      folders.close();
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
