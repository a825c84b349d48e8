/** What a command of a program is: its arguments, its help, and how it runs. */
import { parseArguments } from './arguments.ts';
import { fillLines } from './fill-lines.ts';

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
  return fillLines(`usage: ${invocation}`, '  ', [...positionals, ...given], TERMINAL_WIDTH).join('\n');
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
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${wrapText(text, width + 4)}`).join('\n');
}

/** One that is too long for a line goes on after a backslash, so that a shell takes it as it is shown. */
function formatExample(example: string): string {
  // An option stays with its value, and what is quoted in one piece.
  const parts = example.match(/(?:--[\w-]+ (?!-))?(?:'[^']*'|\S)+/g) ?? [];
  return fillLines(' ', '    ', parts, TERMINAL_WIDTH - ' \\'.length).join(' \\\n');
}

/** Reads the arguments and runs the command. @throws UsageError if they cannot be used. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  const { positionals: declared = [] } = command;
  const options = Object.fromEntries(
    Object.entries(command.options).map(([option, { type }]) => [option, type === 'boolean' ? { type, default: false } : { type }]),
  );
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true }, UsageError);
  const required = declared.filter((one) => !one.startsWith('['));
  const missing = [...required.slice(positionals.length), ...missingOptions(command.options, values)];
  if (missing.length > 0) throw new UsageError(`missing ${missing.join(', ')}`);
  const extra = required.length < declared.length ? [] : positionals.slice(declared.length);
  if (extra.length > 0) throw new UsageError(`unexpected argument ${extra.join(' ')}`);
  await command.run({ values: values as Arguments<Options>['values'], positionals });
}

const missingOptions = (options: Options, values: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(options).flatMap((option) => (option[1].required === true && !values[option[0]] ? [formatOption(option)] : []));

/** The width of a terminal that nobody has made wider. */
const TERMINAL_WIDTH = 80;

/**
 * Fills lines with the words of each paragraph. Blank lines and indented lines stay as they are.
 *
 * @param indent the column at which the text begins, and each of its lines.
 */
export function wrapText(text: string, indent = 0): string {
  const margin = ' '.repeat(indent);
  const fill = (paragraph: string) => {
    const [first = '', ...words] = paragraph.split(' ');
    return fillLines(margin + first, margin, words, TERMINAL_WIDTH)
      .join('\n')
      .slice(indent);
  };
  const paragraphs = text.replaceAll(/^([^ \n].*)\n(?=[^ \n])/gm, '$1 ').split('\n');
  return paragraphs.map((line) => (line.startsWith(' ') ? line : fill(line))).join('\n');
}
