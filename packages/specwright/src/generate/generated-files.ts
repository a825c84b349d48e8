/** Compares generated code with the committed files, and writes what differs. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A committed file that differs from what is generated. */
export interface StaleFile {
  readonly path: string;
  /** `undefined` if the file is missing. */
  readonly committed: string | undefined;
  readonly generated: string;
}

/** @param files name -> content. */
export function findStale(folder: string, files: ReadonlyMap<string, string>): StaleFile[] {
  return [...files]
    .map(([name, generated]) => ({ path: join(folder, name), committed: read(join(folder, name)), generated }))
    .filter(({ committed, generated }) => committed !== generated);
}

/** A file in the folder of the digests. The text of a repository must not have any other deleted: `../../notes.txt`. */
const BASE_NAME = /^(?!\.\.?$)[^/\\]+$/;

/** Files that were generated and are not any more: of the committed digests those that the new ones lack. @returns their paths. */
export function findObsolete(folder: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([name, text]) => {
    if (!/^(schema-)?digests\.json$/.test(basename(name))) return [];
    const kept = namesIn(text);
    const obsolete = namesIn(read(join(folder, name)) ?? '{}').filter((file) => BASE_NAME.test(file) && !kept.includes(file));
    return obsolete.map((file) => join(folder, dirname(name), file)).filter(existsSync);
  });
}

function namesIn(digests: string): string[] {
  try {
    return Object.keys(JSON.parse(digests) as object);
  } catch {
    // Conflict markers of a merge: the file is written with the others.
    return [];
  }
}

/**
 * Writes what is missing or differs, and removes what is not generated any more.
 *
 * @param files name -> content. @returns the paths of the files that were written.
 */
export function writeGenerated(folder: string, files: ReadonlyMap<string, string>): string[] {
  for (const path of findObsolete(folder, files)) rmSync(path);
  return findStale(folder, files).map(({ path, generated }) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, generated);
    return path;
  });
}

export function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export interface Difference {
  /** From 1. */
  readonly line: number;
  readonly committed: string;
  readonly expected: string;
}

/** The first line that differs, without its indentation. */
export function firstDifference(committed: string, generated: string): Difference {
  const [have, want] = [committed.split('\n'), generated.split('\n')];
  const index = want.findIndex((line, i) => line !== have[i]);
  const at = index === -1 ? want.length : index;
  return { line: at + 1, committed: have[at]?.trim() ?? '(end of file)', expected: want[at]?.trim() ?? '(end of file)' };
}

/** The first line that differs, so that a person recognises the change. */
export function formatFirstDifference({ committed: text = '', generated }: StaleFile): string {
  const { line, committed, expected } = firstDifference(text, generated);
  return `line ${line}\n    committed: ${committed}\n    generated: ${expected}`;
}
