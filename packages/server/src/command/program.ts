/** Runs the command that the arguments name, and turns what it throws into a message and an exit code. */
import { didYouMean, printable } from '@specwright/contract';
import { formatFatalError } from '../errors.ts';
import { print, printError } from '@specwright/contract/runtime';
import { formatHelp, formatTable, formatUsage, runCommand, UsageError, wrapText, type Command } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  /** Loads the command when it is asked for, so that the list of commands is shown at once. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

export interface Program {
  /** `specwright` */
  readonly name: string;
  /** How it is called, if not by its name: `npm run -s administer -- keys`. */
  readonly invocation?: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
  /** What its help says below the list of commands. */
  readonly notes?: string;
  readonly version?: () => string;
}

/** @param args without Node and the program. @returns the exit code: 0, 1 if the command failed, 2 if the arguments cannot be used. */
export async function runProgram(program: Program, args: readonly string[]): Promise<number> {
  const { name: programName, invocation = programName, commands, version } = program;
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return printHelp(formatProgramHelp(program));
  if (name === '--version' && version !== undefined) return printHelp(version());
  const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === undefined || entry === undefined) {
    const problem =
      name === undefined
        ? `missing command\n${formatProgramHelp(program)}`
        : `unknown command ${printable(name)}${didYouMean(name, Object.keys(commands))}\nRun ${invocation} --help for the list of commands.`;
    printError(`${programName}: ${problem}`);
    return 2;
  }
  const full = `${invocation} ${name}`;
  try {
    const { command } = await entry.load();
    // What stands behind `--` is an argument, whatever it looks like.
    const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (options.includes('--help') || options.includes('-h')) return printHelp(formatHelp(full, entry.summary, command));
    try {
      await runCommand(command, rest);
      return 0;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const usage = formatUsage(full, command);
      printError(`${programName} ${name}: ${printable(error.message)}\n${usage}\nRun ${full} --help for what each means.`);
      return 2;
    }
  } catch (error) {
    printError(formatFatalError(error));
    return 1;
  }
}

function formatProgramHelp({ name, invocation = name, commands, notes, version }: Program): string {
  const rows = Object.entries(commands).map(([command, { summary }]) => [command, summary] as const);
  return [
    `usage: ${invocation} COMMAND [ARGUMENTS]`,
    `commands:\n${formatTable(rows)}`,
    ...(notes === undefined ? [] : [wrapText(notes)]),
    wrapText(
      `${invocation} COMMAND --help shows its arguments and exit codes${version === undefined ? '' : `; ${invocation} --version the version`}.`,
    ),
  ].join('\n\n');
}

function printHelp(text: string): number {
  print(text);
  return 0;
}
