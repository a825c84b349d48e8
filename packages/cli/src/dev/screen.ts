/** What a development loop shows: one screen for each save, in a terminal cleared before it, otherwise line after line. */
import { relative } from 'node:path';

export type Section = 'spec' | 'handlers' | 'types' | 'tests' | 'lint' | 'server';

export interface Screen {
  /** A save: everything above is out of date. */
  begin(files: Iterable<string>): void;
  /** What a step has found: a line, and the places below it. */
  section(name: Section, summary: string, details?: readonly string[]): void;
  /** As it is: the server's own words. */
  write(text: string): void;
}

/** More places than these are counted, not shown: they would push what is to be mended first off the screen. */
const SHOWN = 20;

export function createScreen(root: string, out: NodeJS.WriteStream = process.stdout): Screen {
  return {
    begin(files) {
      // CSI 2J and 3J: the screen and what was scrolled off it.
      if (out.isTTY) out.write('\u001b[2J\u001b[3J\u001b[H');
      const names = [...files].map((file) => relative(root, file));
      out.write(`\n${time(new Date())} ${names.length === 0 ? 'started' : `saved ${list(names)}`}\n`);
    },
    section(name, summary, details = []) {
      const lines = details.slice(0, SHOWN).map((detail) => `  ${detail.replaceAll('\n', '\n    ')}\n`);
      if (details.length > SHOWN) lines.push(`  and ${details.length - SHOWN} more\n`);
      out.write(`${name.padEnd(9)} ${summary}\n${lines.join('')}`);
    },
    write: (text) => void out.write(text),
  };
}

/** The time of day on the clock of whoever looks at it. */
export const time = (date: Date): string => date.toTimeString().slice(0, 8);

const list = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
