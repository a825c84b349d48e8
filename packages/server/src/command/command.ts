/** What a command of a program is: its arguments, its help, and how it runs. */
import { parseArgs } from 'node:util';
import { formatParseError } from './arguments.ts';

interface Option {
  readonly type: 'boolean' | 'string';
  /** What stands for the value of a string option in the help: `FILE`. */
  readonly value?: string;
  /** An empty value is as good as none. */
  readonly required?: boolean;
  readonly description: string;
}
type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : O['required'] extends true ? string : string | undefined;

export interface Arguments<O extends Options> {
  readonly values: { readonly [Name in keyof O]: ValueOf<O[Name]> };
  /** As many as the command declares, and more if the last one is any number. */
  readonly positionals: readonly string[];
}

export interface Command<O extends Options = Options> {
  readonly description: string;
  /** The arguments that are not options, each required: `['FILE']`; but a last one like `[NAME...]`, which is any number of them. */
  readonly positionals?: readonly string[];
  readonly options: O;
  /** Arguments that do what it is most used for, with the name of the command: `bundle api.json`. */
  readonly examples: readonly string[];
  /** What exit code 1 means, beside a failure of the command itself. */
  readonly failure: string;
  /** Imports its machinery when it runs, so that help is shown at once. */
  run(args: Arguments<O>): Promise<void>;
}

/** A command whose `run` knows the types of its options. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command<O> => command;

/** The arguments cannot be used: exit code 2, and the usage follows. */
export class UsageError extends Error {}

/** `usage: specwright bundle FILE [--out FILE]` @param invocation how the command is called: `specwright bundle`. */
export function formatUsage(invocation: string, { positionals = [], options }: Command): string {
  const rows = Object.entries(options).sort(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false));
  const given = rows.map((option) => (option[1].required === true ? formatOption(option) : `[${formatOption(option)}]`));
  const lines = [`usage: ${invocation}`];
  for (const part of [...positionals, ...given]) {
    const line = `${lines.at(-1) ?? ''} ${part}`;
    if (line.length <= TERMINAL_WIDTH) lines.splice(-1, 1, line);
    else lines.push(`  ${part}`);
  }
  return lines.join('\n');
}

const formatOption = ([name, { value }]: [string, Option]): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

/** @param invocation how the command is called: `specwright bundle`. */
export function formatHelp(invocation: string, summary: string, command: Command): string {
  const options: [string, string][] = Object.entries(command.options).map((option) => [formatOption(option), option[1].description]);
  return [
    wrapText(`${invocation}: ${summary}`),
    formatUsage(invocation, command),
    wrapText(command.description),
    `options:\n${formatTable([...options, ['--help', 'shows this']])}`,
    `examples:\n${command.examples.map(formatExample).join('\n')}`,
    `exit codes:\n${formatTable([
      ['0', 'success'],
      ['1', command.failure],
      ['2', 'the arguments cannot be used'],
    ])}`,
  ].join('\n\n');
}

/** Two columns, indented. */
export function formatTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${wrapText(text, { indent: width + 4 })}`).join('\n');
}

/** One that is too long for a line goes on after a backslash, so that a shell takes it as it is shown. */
function formatExample(example: string): string {
  // An option stays with its value, and what is quoted in one piece.
  const parts = example.match(/(?:--[\w-]+ (?!-))?(?:'[^']*'|\S)+/g) ?? [];
  const lines = [' '];
  for (const part of parts) {
    const line = `${lines.at(-1) ?? ''} ${part}`;
    if (line.length <= TERMINAL_WIDTH - ' \\'.length) lines.splice(-1, 1, line);
    else lines.push(`    ${part}`);
  }
  return lines.join(' \\\n');
}

/** Reads the arguments and runs the command. @throws UsageError if they cannot be used. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  const { positionals: declared = [] } = command;
  const { values, positionals } = parse(command.options, args);
  const required = declared.filter((one) => !one.startsWith('['));
  const missing = [...required.slice(positionals.length), ...missingOptions(command.options, values)];
  if (missing.length > 0) throw new UsageError(`missing ${missing.join(', ')}`);
  const extra = required.length < declared.length ? [] : positionals.slice(declared.length);
  if (extra.length > 0) throw new UsageError(`unexpected argument ${extra.join(' ')}`);
  const all = Object.entries(command.options).map(([option, { type }]) => [
    option,
    values[option] ?? (type === 'boolean' ? false : undefined),
  ]);
  await command.run({ values: Object.fromEntries(all) as Arguments<Options>['values'], positionals });
}

const missingOptions = (options: Options, values: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(options).flatMap((option) => (option[1].required === true && !values[option[0]] ? [formatOption(option)] : []));

function parse(options: Options, args: readonly string[]) {
  try {
    const config = Object.fromEntries(Object.entries(options).map(([option, { type }]) => [option, { type }]));
    return parseArgs({ args: [...args], options: config, allowPositionals: true });
  } catch (error) {
    const problem = formatParseError(error, Object.keys(options));
    throw problem === undefined ? error : new UsageError(problem);
  }
}

/** The width of a terminal that nobody has made wider. */
const TERMINAL_WIDTH = 80;

/**
 * Fills lines with the words of each paragraph. Blank lines and indented lines stay as they are.
 *
 * @param indent how many spaces the lines after the first one begin with. @param first how many columns of the first line are taken.
 */
export function wrapText(text: string, { indent = 0, first = indent }: { indent?: number; first?: number } = {}): string {
  const lines: string[] = [];
  let column = first;
  let isParagraph = false;
  for (const source of text.split('\n')) {
    const isFixed = source === '' || source.startsWith(' ');
    if (isFixed || !isParagraph) {
      lines.push(isFixed ? source : '');
      if (lines.length > 1) column = 0;
    }
    isParagraph = !isFixed;
    for (const word of isFixed ? [] : source.split(' ')) {
      const current = lines.at(-1) ?? '';
      const isEmpty = current.trim() === '';
      if (!isEmpty && column + 1 + word.length > TERMINAL_WIDTH) {
        lines.push(' '.repeat(indent) + word);
        column = indent + word.length;
      } else {
        lines.splice(-1, 1, isEmpty ? current + word : `${current} ${word}`);
        column += word.length + (isEmpty ? 0 : 1);
      }
    }
  }
  return lines.join('\n');
}
