/** The program `specwright`: its commands, its version. */
import { readFileSync } from 'node:fs';
import { runProgram as run } from '@specwright/server/command';
import { COMMANDS } from './commands.ts';

/** @param args without Node and the program. @returns the exit code: 0, 1 if the command failed, 2 if the arguments cannot be used. */
export const runProgram = (args: readonly string[]): Promise<number> => run({ name: 'specwright', commands: COMMANDS, version }, args);

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}
