/** Compares generated code with the committed files, and writes what differs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** @param files name -> content. @returns the paths of the files that were written: those that were missing or differed. */
export function writeGenerated(folder: string, files: ReadonlyMap<string, string>): string[] {
  return findStale(folder, files).map(({ path, generated }) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, generated);
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
