/** Writes several files, all or none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile, writeFile } from './write-files.ts';

/**
 * @param files path from the root -> content. @param created those that must not exist.
 * @returns those that were written: new, or with another content.
 * @throws Error if one cannot be written; then all are as they were.
 */
export function writeAll(root: string, files: ReadonlyMap<string, string>, created: readonly string[]): string[] {
  const undo: (() => void)[] = [];
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(root, name);
      const before = existsSync(path) ? readFileSync(path) : undefined;
      if (before?.toString('utf8') === text) continue;
      if (before !== undefined && created.includes(name)) throw new Error(`${name} exists`);
      writeFile(root, path, text, { isNew: before === undefined });
      undo.push(() => (before === undefined ? removeFile(root, path) : writeFile(root, path, before)));
      written.push(name);
    }
    return written;
  } catch (cause) {
    for (const restore of undo.reverse()) restore();
    throw new Error(`nothing was changed: ${(cause as Error).message}`, { cause });
  }
}
