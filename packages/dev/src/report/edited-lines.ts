/** Which lines of a text were edited, compared with a former one. */

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
