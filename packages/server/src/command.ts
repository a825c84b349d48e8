/** The entry `@specwright/server/command`: what command-line programs have in common. It loads nothing of the server. */
export { formatParseError, readFlags } from './command/arguments.ts';
export { defineCommand, formatHelp, formatTable, formatUsage, runCommand, UsageError, type Command } from './command/command.ts';
export { plural } from './command/plural.ts';
export { createProgress, type Progress } from './command/progress.ts';
export { didYouMean, editDistance } from './contract/document/nearest-name.ts';
