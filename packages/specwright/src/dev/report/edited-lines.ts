/** Which lines of a text were edited, compared with a former one. */
import type { SourceFile } from '@specwright/contract/document';

export interface Range {
  /** Both from 1; `last` is less than `first` where nothing differs. */
  readonly first: number;
  readonly last: number;
}

/** From the first to the last line of `after` that differs. */
export function editedRange(before: string, after: string): Range {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const max = Math.min(old.length, now.length);
  let head = 0;
  while (head < max && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < max - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  // Where lines are gone, the next one is at their place.
  return { first: head + 1, last: Math.max(now.length - tail, before === after ? 0 : head + 1) };
}

/** Whether a line (from 1) is in that range. */
export function editedLines(before: string, after: string): (line: number) => boolean {
  const { first, last } = editedRange(before, after);
  return (line) => line >= first && line <= last;
}

/** Whether a line of a file is in what was edited of it; without a file, of the first one. A file that is new was edited from its first line. */
export function editedParts(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): (file: string | undefined, line: number) => boolean {
  const edited = new Map(
    after.map(({ file, text }) => [file, editedLines(before.find((former) => former.file === file)?.text ?? '', text)]),
  );
  return (file = after[0]?.file ?? '', line) => edited.get(file)?.(line) ?? false;
}
