/** Writes the files of a new project, and counts them. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Files } from './compose-project.ts';

/** The folder of packed packages. */
export const VENDOR = 'vendor';

/** How many files a project has, beside packed packages. */
export const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && basename(entry.parentPath) !== VENDOR)
    .length;

/** All or nothing: what cannot be written whole is removed. */
export function writeFiles(folder: string, files: Files): void {
  const existed = existsSync(folder);
  try {
    makeFolder(folder);
    for (const [path, content] of files) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content, { mode: path === '.ci/run' ? 0o755 : 0o644 });
    }
  } catch (error) {
    if (existed) for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
    else if (existsSync(folder)) rmSync(folder, { recursive: true });
    throw new Error(`${near(folder)} cannot be written: ${(error as Error).message}. Name a folder that you may write to`, {
      cause: error,
    });
  }
}

/** Node's own `recursive` never ends where the file system refuses a folder as one that does not exist, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** As a person would type it from here. */
export function near(path: string): string {
  const short = relative(process.cwd(), path) || '.';
  return short.length < path.length ? short : path;
}
