/** Writes what was generated, where it is not there yet. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param files name -> content. @returns the paths of the files that were written: those that were missing or differed. */
export function writeGenerated(folder: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([name, content]) => {
    const path = join(folder, name);
    if (read(path) === content) return [];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return [path];
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
