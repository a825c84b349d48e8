/** Runs the command that the arguments name, and turns what it throws into a message and an exit code. */
import { readFileSync } from 'node:fs';
import { formatHelp, formatTable, formatUsage, runCommand, UsageError } from '@specwright/server/command';
import { COMMANDS } from './commands.ts';

const HELP = `usage: specwright COMMAND [ARGUMENTS]

commands:
${formatTable(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]))}

specwright COMMAND --help shows its arguments and exit codes; specwright --version the version.`;

/** @param args without Node and the program. @returns the exit code: 0, 1 if the command failed, 2 if the arguments cannot be used. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP);
  if (name === '--version') return print(version());
  const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (name === undefined || entry === undefined) {
    const { didYouMean } = await import('@specwright/server/command');
    const problem = name === undefined ? 'missing command' : `unknown command ${name}${didYouMean(name, Object.keys(COMMANDS))}`;
    console.error(`specwright: ${problem}\nRun specwright --help for the list of commands.`);
    return 2;
  }
  const { command } = await entry.load();
  // What stands behind `--` is an argument, whatever it looks like.
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (options.includes('--help') || options.includes('-h')) return print(formatHelp(name, entry.summary, command));
  try {
    await runCommand(name, command, rest);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n${formatUsage(name, command)}\nRun specwright ${name} --help for what each means.`);
      return 2;
    }
    // `doctor` runs where packages are missing.
    const { formatFatalError } = await import('@specwright/server').catch(() => ({ formatFatalError: String }));
    console.error(formatFatalError(error));
    return 1;
  }
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}
