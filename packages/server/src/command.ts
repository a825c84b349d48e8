/** The entry `@specwright/server/command`: what command-line programs have in common. It loads nothing of the server. */
export { formatParseError, plural } from './command/arguments.ts';
export { defineCommand, runCommand, UsageError, type Arguments, type Command } from './command/command.ts';
export { runProgram, type CommandEntry, type Program } from './command/program.ts';
export { print, printCommands, printError, printText } from '@specwright/contract/runtime';
export { createProgress, type Progress } from './command/progress.ts';
export { didYouMean, editDistance } from '@specwright/contract';
