/** The output of the development loop: for each save a block of lines, which ends with the one next step. Nothing is ever cleared. */
import { relative } from 'node:path';
import { printable, printableLines } from '@specwright/contract';
import type { ProjectConfig } from '../../project-config.ts';

type Section = 'watch' | 'packages' | 'spec' | 'generated' | 'database' | 'handlers' | 'types' | 'tests' | 'lint' | 'walk' | 'server';

export interface Screen {
  begin(files: Iterable<string>): void;
  /** The result of a step: a line, and the problems below it. @param fix what to do about it; the first of a save is its next step. */
  section(name: Section, summary: string, details?: readonly string[], fix?: string): void;
  /** Ends the output of a save: what to do next. */
  end(): void;
  /** Output of the server, unchanged. */
  write(text: string): void;
}

/** Further problems are counted, not shown: they would push the first ones off the screen. */
const MAX_SHOWN = 20;
const MAX_RULE_WIDTH = 100;

export function createScreen(root: string, out: NodeJS.WriteStream = process.stdout): Screen {
  let next: string | undefined;
  const line = (name: string, text: string) => `${name.padEnd(10)} ${text}\n`;
  return {
    begin(files) {
      next = undefined;
      const names = [...files].map((file) => relative(root, file));
      // A person scrolls back to it.
      const rule = out.isTTY ? `${'─'.repeat(Math.min(out.columns, MAX_RULE_WIDTH))}\n` : '';
      out.write(`\n${rule}${formatTime(new Date())} ${names.length === 0 ? 'started' : printable(`saved ${formatList(names)}`)}\n`);
    },
    section(name, summary, details = [], fix) {
      next ??= fix;
      const lines = details.slice(0, MAX_SHOWN).map((detail) => `  ${detail.replaceAll('\n', '\n    ')}\n`);
      if (details.length > MAX_SHOWN) lines.push(`  and ${details.length - MAX_SHOWN} more\n`);
      out.write(printableLines(line(name, printable(fix === undefined ? summary : `${summary}; ${fix}`)) + lines.join('')));
    },
    end: () => void out.write(printableLines(line('next', printable(next ?? 'nothing to fix')))),
    write: (text) => void out.write(text),
  };
}

interface ReportedSection {
  readonly name: Section;
  readonly summary: string;
  readonly problems: readonly { readonly file?: string; readonly line?: number; readonly column?: number; readonly message: string }[];
  readonly fix: string | undefined;
}

/** The same for a program: a line of JSON for each save, and for each part and each output of the server that is not of one. */
export function createJsonScreen(root: string, out: Pick<NodeJS.WriteStream, 'write'> = process.stdout): Screen {
  let save: { readonly files: readonly string[]; readonly sections: ReportedSection[] } | undefined;
  const report = (event: string, values: object) =>
    void out.write(`${printableLines(JSON.stringify({ event, time: new Date().toISOString(), ...values }))}\n`);
  return {
    begin: (files) => void (save = { files: [...files].map((file) => relative(root, file)), sections: [] }),
    section(name, summary, details = [], fix) {
      const section = { name, summary, problems: details.map(toProblem), fix };
      if (save === undefined) report('section', section);
      else save.sections.push(section);
    },
    end() {
      report('save', { ...save, next: save?.sections.find(({ fix }) => fix !== undefined)?.fix ?? null });
      save = undefined;
    },
    write: (text) => report('output', { text }),
  };
}

function toProblem(detail: string): ReportedSection['problems'][number] {
  const [located, file, line, column] = /^(\S+):(\d+):(\d+) +/.exec(detail) ?? [];
  if (located === undefined || file === undefined) return { message: detail };
  return { file, line: Number(line), column: Number(column), message: detail.slice(located.length) };
}

/** The screen of what concerns one of several contracts: each line begins with its name. */
export const screenOf = (screen: Screen, { contractName }: Pick<ProjectConfig, 'contractName'>): Screen =>
  contractName === undefined
    ? screen
    : { ...screen, section: (name, summary, ...rest) => screen.section(name, `${contractName}: ${summary}`, ...rest) };

/** The next step where problems have locations: `fix src/main.ts:3:7`. @param problems each `file:line:column message`. */
export function fixFirst([first]: readonly string[]): string | undefined {
  return first === undefined ? undefined : `fix ${locationOfFirst([first]) ?? 'it'}`;
}

/** `src/main.ts:3:7` */
export const locationOfFirst = ([first = '']: readonly string[]): string | undefined => /^\S+(?::\d+:\d+|\.ts)(?= )/.exec(first)?.[0];

/** The local time of day. */
export const formatTime = (date: Date): string => date.toTimeString().slice(0, 8);

const formatList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
