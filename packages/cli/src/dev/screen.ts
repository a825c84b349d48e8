/** The output of the development loop: one screen for each save in a terminal, otherwise line after line. */
import { relative } from 'node:path';

export type Section = 'spec' | 'handlers' | 'types' | 'tests' | 'lint' | 'server';

export interface Screen {
  /** Begins the output of a save. */
  begin(files: Iterable<string>): void;
  /** The result of a step: a line, and the problems below it. */
  section(name: Section, summary: string, details?: readonly string[]): void;
  /** Output of the server, unchanged. */
  write(text: string): void;
}

/** Further problems are counted, not shown: they would push the first ones off the screen. */
const MAX_SHOWN = 20;

export function createScreen(root: string, out: NodeJS.WriteStream = process.stdout): Screen {
  return {
    begin(files) {
      // CSI 2J and 3J clear the screen and the scrollback.
      if (out.isTTY) out.write('\u001b[2J\u001b[3J\u001b[H');
      const names = [...files].map((file) => relative(root, file));
      out.write(`\n${formatTime(new Date())} ${names.length === 0 ? 'started' : `saved ${formatList(names)}`}\n`);
    },
    section(name, summary, details = []) {
      const lines = details.slice(0, MAX_SHOWN).map((detail) => `  ${detail.replaceAll('\n', '\n    ')}\n`);
      if (details.length > MAX_SHOWN) lines.push(`  and ${details.length - MAX_SHOWN} more\n`);
      out.write(`${name.padEnd(9)} ${summary}\n${lines.join('')}`);
    },
    write: (text) => void out.write(text),
  };
}

/** The local time of day. */
export const formatTime = (date: Date): string => date.toTimeString().slice(0, 8);

const formatList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
