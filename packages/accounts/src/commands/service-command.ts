/** Commands on the database of a service: the one at `DATABASE_URL`, or the embedded one in `DATA_DIR`. */
import { print, printError } from '@specwright/server/command';
import { resolve } from 'node:path';
import { migrate, openDatabase, schemaProblem, type DatabaseSchema, type OpenDatabase } from '@specwright/postgres';
import type { Arguments, Command, CommandEntry } from '@specwright/server/command';

export interface AdministeredService {
  /** The name of its embedded database, and the `application_name` of the connections. */
  readonly name: string;
  readonly schema: DatabaseSchema;
  /** Further groups of commands that the service has, by their names. */
  readonly commands?: Readonly<Record<string, Readonly<Record<string, ServiceCommand>>>>;
}

export interface CommandResult {
  /** A new API key: the only thing that is written to standard output. */
  readonly secret?: string;
  /** Standard output with `--json`. */
  readonly json: object;
  /** Standard output without `--json`; standard error if there is a secret. */
  readonly text: string;
}

type Options = Command['options'];

export interface ServiceCommand<O extends Options = Options> {
  readonly summary: string;
  /** What it does, beyond the summary. */
  readonly description: string;
  readonly positionals?: readonly string[];
  readonly options: O;
  readonly examples: readonly string[];
  /** Parses the arguments. @returns the action. @throws UsageError before the database is opened. */
  prepare(args: Arguments<O>): (database: OpenDatabase) => Promise<CommandResult>;
}

/** A command whose `prepare` knows the types of its options. */
export const defineServiceCommand = <const O extends Options>(command: ServiceCommand<O>): ServiceCommand<O> => command;

const JSON_OPTION = { json: { type: 'boolean', description: 'prints JSON' } } as const;
const DATABASE = 'The database is that of DATABASE_URL, or the embedded one.';

/** The entry of a command in the list of a program, for one service. @param invocation of the program. */
export function entryOf(invocation: string, name: string, command: ServiceCommand, service: AdministeredService): CommandEntry {
  const { summary, description, positionals = [], options, examples } = command;
  return {
    summary,
    load: async () => ({
      command: {
        description: `${description}\n${DATABASE}`,
        positionals,
        options: { ...options, ...JSON_OPTION },
        examples: examples.map((example) => `${invocation} ${name} ${example}`.trimEnd()),
        failure: 'the database cannot be used, or refuses the change',
        async run(args) {
          const { secret, json, text } = await withServiceDatabase(service, command.prepare(args));
          if (secret !== undefined) printError(text);
          print(Boolean(args.values['json']) ? JSON.stringify(json, null, 2) : (secret ?? text));
        },
      },
    }),
  };
}

async function withServiceDatabase<T>({ name, schema }: AdministeredService, action: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const { DATABASE_VARIABLES } = await import('@specwright/postgres/environment');
  const { readEnvironment } = await import('@specwright/server/environment');
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
