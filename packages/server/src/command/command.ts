/** What a command of `specwright` is: its arguments, its help, and how it runs. */
import { parseArgs } from 'node:util';

export interface Option {
  readonly type: 'boolean' | 'string';
  /** What stands for the value of a string option in the help: `FILE`. */
  readonly value?: string;
  readonly description: string;
}
type Options = Readonly<Record<string, Option>>;

export interface Arguments<O extends Options> {
  readonly values: { readonly [Name in keyof O]: O[Name]['type'] extends 'boolean' ? boolean : string | undefined };
  /** As many as the command declares, and more if the last one is any number. */
  readonly positionals: readonly string[];
}

export interface Command<O extends Options = Options> {
  /** What it does, in sentences. */
  readonly description: string;
  /** The arguments that are not options, each required: `['FILE']`; but a last one like `[NAME...]`, which is any number of them. */
  readonly positionals?: readonly string[];
  readonly options: O;
  /** Command lines that do what it is most used for. */
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

/** `usage: specwright bundle FILE [--out FILE]` */
export function formatUsage(name: string, { positionals = [], options }: Command): string {
  const optional = Object.entries(options).map((option) => `[${formatOption(option)}]`);
  return `usage: specwright ${[name, ...positionals, ...optional].join(' ')}`;
}

const formatOption = ([name, { value }]: [string, Option]): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

export function formatHelp(name: string, summary: string, command: Command): string {
  const options: [string, string][] = Object.entries(command.options).map((option) => [formatOption(option), option[1].description]);
  return [
    `specwright ${name}: ${summary}`,
    formatUsage(name, command),
    command.description,
    `options:\n${formatTable([...options, ['--help', 'shows this']])}`,
    `examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`,
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
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

/** Reads the arguments and runs the command. @throws UsageError if they cannot be used. */
export async function runCommand(name: string, command: Command, args: readonly string[]): Promise<void> {
  const { positionals: declared = [] } = command;
  const { values, positionals } = await parse(name, command.options, args);
  const required = declared.filter((one) => !one.startsWith('['));
  const missing = required.slice(positionals.length);
  if (missing.length > 0) throw new UsageError(`specwright ${name}: missing ${missing.join(', ')}`);
  const extra = required.length < declared.length ? [] : positionals.slice(declared.length);
  if (extra.length > 0) throw new UsageError(`specwright ${name}: unexpected argument ${extra.join(' ')}`);
  const all = Object.entries(command.options).map(([option, { type }]) => [
    option,
    values[option] ?? (type === 'boolean' ? false : undefined),
  ]);
  await command.run({ values: Object.fromEntries(all) as Arguments<Options>['values'], positionals });
}

async function parse(name: string, options: Options, args: readonly string[]) {
  try {
    const config = Object.fromEntries(Object.entries(options).map(([option, { type }]) => [option, { type }]));
    return parseArgs({ args: [...args], options: config, allowPositionals: true });
  } catch (error) {
    const { formatParseError } = await import('./arguments.ts');
    const problem = formatParseError(error, Object.keys(options));
    throw problem === undefined ? error : new UsageError(`specwright ${name}: ${problem}`);
  }
}
