/** Runs a group of administration commands: parses the arguments, opens the service's database, and prints the result. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_VARIABLES, migrate, openDatabase, schemaProblem, type DatabaseSchema, type OpenDatabase } from '@specwright/postgres';
import { formatFatalError, readEnvironment } from '@specwright/server';
import { didYouMean, formatParseError } from '@specwright/server/command';
import { formatHelp, usageOf, type CommandHelp, type GroupHelp } from './format-help.ts';
import { UsageError, type Options } from './options.ts';

/** What a command prints. */
export interface CommandResult {
  /** A new API key: alone on standard output. */
  readonly secret?: string;
  /** Standard output with `--json`. */
  readonly json: object;
  /** Standard output without `--json`; standard error if there is a secret. */
  readonly text: string;
}

export interface Command extends CommandHelp {
  /** The names of its positional arguments, in order, for messages. */
  readonly operands: readonly string[];
  /** The names of its options, each of which takes a value. */
  readonly options?: readonly string[];
  /** Parses the arguments. @returns the action. @throws UsageError before the database is opened. */
  readonly prepare: (operands: readonly string[], options: Options) => (database: OpenDatabase) => Promise<CommandResult>;
}

export interface CommandGroup extends GroupHelp {
  readonly commands: Readonly<Record<string, Command>>;
}

/** The service whose accounts are administered. */
export interface AdministeredService {
  /** The name of its embedded database, and the `application_name` of the connections. */
  readonly name: string;
  readonly schema: DatabaseSchema;
}

/** Runs the command that the arguments name. Sets the exit status: 2 for wrong arguments, 1 for any other error. */
export async function runCommand(group: CommandGroup, service: AdministeredService, args: readonly string[]): Promise<void> {
  const { name, commands } = group;
  // What stands behind `--` is an argument, whatever it looks like.
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.includes('--help') || options.includes('-h')) return console.log(formatHelp(group));
  try {
    const { action, isJson } = parseCommand(commands, args);
    const { secret, json, text } = await withServiceDatabase(service, action);
    if (secret !== undefined) console.error(text);
    console.log(isJson ? JSON.stringify(json, null, 2) : (secret ?? text));
  } catch (error) {
    console.error(formatFatalError(error));
    if (error instanceof UsageError)
      console.error(`${usageOf(name)}\nRun npm run -s ${name} -- --help for the commands and what each takes.`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function parseCommand(commands: Readonly<Record<string, Command>>, args: readonly string[]) {
  const optionNames = Object.values(commands).flatMap(({ options = [] }) => options);
  const types = { json: 'boolean', ...Object.fromEntries(optionNames.map((name) => [name, 'string'] as const)) } as const;
  const { values, positionals } = parse(args, types);
  const [name, ...operands] = positionals;
  if (name === undefined) throw new UsageError(`missing command: choose ${Object.keys(commands).join(', ')}`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`unknown command ${name}${didYouMean(name, Object.keys(commands))}`);
  const missing = command.operands[operands.length];
  if (missing !== undefined) throw new UsageError(`missing argument ${missing}`);
  const extra = operands.slice(command.operands.length);
  if (extra.length > 0) throw new UsageError(`unexpected argument ${extra.join(' ')}`);
  const unsupported = Object.keys(values).find((option) => option !== 'json' && !command.options?.includes(option));
  if (unsupported !== undefined) throw new UsageError(`${name} has no option --${unsupported}`);
  return { action: command.prepare(operands, values), isJson: values['json'] === true };
}

/** @throws UsageError */
function parse(args: readonly string[], types: Readonly<Record<string, 'boolean' | 'string'>>) {
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
      allowPositionals: true,
    });
  } catch (error) {
    const problem = formatParseError(error, Object.keys(types));
    throw problem === undefined ? error : new UsageError(problem);
  }
}

async function withServiceDatabase<T>({ name, schema }: AdministeredService, action: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const config = readEnvironment(DATABASE_VARIABLES);
  const unbounded = { statementTimeout: 0, lockTimeout: 0 };
  const database = await openDatabase({ ...config, ...unbounded, name, dataDir: resolve(config.dataDir) });
  try {
    if (database.embedded) await migrate(database.db, schema);
    const problem = await schemaProblem(database.db, schema);
    if (problem !== undefined) throw new Error(problem);
    return await action(database);
  } finally {
    await database.close();
  }
}
