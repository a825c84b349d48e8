/** Writes files all or none: what was there before is restored if one of them cannot be written. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param files path from the root -> content. @param created those that must not exist.
 * @returns those that were written: new, or with another content.
 * @throws Error if one cannot be written; then all are as they were.
 */
export function writeFiles(root: string, files: ReadonlyMap<string, string>, created: readonly string[]): string[] {
  const undo: (() => void)[] = [];
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(root, name);
      const before = existsSync(path) ? readFileSync(path) : undefined;
      if (before?.toString('utf8') === text) continue;
      mkdirSync(dirname(path), { recursive: true });
      if (before !== undefined && created.includes(name)) throw new Error(`${name} exists`);
      // `wx`: not even a file of the last moment is overwritten.
      if (before === undefined) closeSync(openSync(path, 'wx'));
      undo.push(() => (before === undefined ? rmSync(path, { force: true }) : writeFileSync(path, before)));
      writeFileSync(path, text);
      written.push(name);
    }
    return written;
  } catch (cause) {
    for (const restore of undo.reverse()) restore();
    throw new Error(`nothing was changed: ${(cause as Error).message}`, { cause });
  }
}
