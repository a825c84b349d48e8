/** Holds what was generated against what is there, and writes it where it differs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file that is not what it should be. */
export interface Differing {
  readonly path: string;
  /** `undefined` if there is none. */
  readonly committed: string | undefined;
  readonly wanted: string;
}

/** @param files name -> content. */
export function differing(folder: string, files: ReadonlyMap<string, string>): Differing[] {
  return [...files]
    .map(([name, wanted]) => ({ path: join(folder, name), committed: read(join(folder, name)), wanted }))
    .filter(({ committed, wanted }) => committed !== wanted);
}

/** @param files name -> content. @returns the paths of the files that were written: those that were missing or differed. */
export function writeGenerated(folder: string, files: ReadonlyMap<string, string>): string[] {
  return differing(folder, files).map(({ path, wanted }) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
    return path;
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
