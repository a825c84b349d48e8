/** Compares where the development loop says that a problem is with the lines that an edit has changed. */

/** `src/main.ts:3:7` at the start of a problem, or in a next step. */
const LOCATION = /([\w./-]+\.(?:ts|yaml|sql|json)):(\d+)/;

export interface EditedFile {
  readonly before: string;
  readonly after: string;
}

/**
 * @param files path -> its text before and after the edit.
 * @param at what `path: text of the line` has to match, where the cause is not in the lines that were edited; @param read reads a file by its path.
 * @returns why `line`, a problem or a next step, is not about the edit; `undefined` if it is, or names a command to run.
 */
export function findMisplaced(
  line: string,
  files: ReadonlyMap<string, EditedFile>,
  at: RegExp | undefined,
  read: (file: string) => string,
): string | undefined {
  const [location, file = '', number = ''] = LOCATION.exec(line) ?? [];
  if (location === undefined) return line.includes('`') ? undefined : `"${line}" has neither a line nor a command`;
  if (at !== undefined) {
    const place = `${file}: ${read(file).split('\n')[Number(number) - 1] ?? ''}`;
    return at.test(place) ? undefined : `"${line}" is at "${place}", which should match ${String(at)}`;
  }
  const edited = files.get(file);
  if (edited === undefined) return `"${line}" is not in a file that was edited`;
  const { first, last } = changedLines(edited);
  return Number(number) >= first && Number(number) <= last
    ? undefined
    : `"${line}" is not in the lines that were edited, ${first} to ${last}`;
}

function changedLines({ before, after }: EditedFile): { first: number; last: number } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const max = Math.min(old.length, now.length);
  let head = 0;
  while (head < max && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < max - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  // Where lines are gone, the one after them.
  return { first: head + 1, last: Math.max(head + 1, now.length - tail) };
}
