/** The program `specwright`: its commands, its version. */
import { type Command, type CommandEntry, runProgram as run } from '@specwright/server/command';
import { installCommand, missingPackage, ownVersion } from './missing-package.ts';

/** @param args without Node and the program. @returns the exit code: 0, 1 if the command failed, 2 if the arguments cannot be used. */
export const runProgram = (args: readonly string[]): Promise<number> =>
  run({ name: 'specwright', commands: Object.fromEntries(Object.entries(COMMANDS).map(namePackages)), version: ownVersion }, args);

/** Makes a command say what to install where it does not find a package that only some projects have. */
const namePackages = ([name, { summary, load }]: [string, CommandEntry]): [string, CommandEntry] => {
  const explain = (error: unknown): never => {
    const missing = missingPackage(error);
    if (missing === undefined) throw error;
    throw new Error(`specwright ${name} needs ${missing}, which is not installed: ${installCommand(missing)}`, { cause: error });
  };
  const loadExplained = async () => {
    const { command } = await load();
    return { command: { ...command, run: (args: Parameters<typeof command.run>[0]) => command.run(args).catch(explain) } };
  };
  return [name, { summary, load: loadExplained }];
};

/** A command of a module that has several. */
const one =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, Command>>>, name: Name): CommandEntry['load'] =>
  async () => ({ command: (await load())[name] });

/** The commands of `specwright`. Each is loaded when it runs, so that the list of them is shown at once. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  generate: { summary: 'writes types and operation table from the spec', load: () => import('./commands/generate.ts') },
  client: { summary: 'writes a typed client of the API', load: () => import('./commands/client.ts') },
  dev: { summary: 'watches spec and sources; checks and restarts at each save', load: () => import('./commands/dev.ts') },
  mock: { summary: 'serves examples of a document before there is code', load: () => import('./commands/mock.ts') },
  mcp: { summary: 'serves operations as tools for agents, on standard input', load: () => import('./commands/mcp.ts') },
  build: {
    summary: 'builds the programs as JavaScript that starts without a loader',
    load: one(() => import('./commands/build.ts'), 'buildPrograms'),
  },
  run: {
    summary: 'runs a program of the project, built if a source has changed',
    load: one(() => import('./commands/build.ts'), 'runProgram'),
  },
  'add-operation': {
    summary: 'adds a stub for each operation without a handler',
    load: one(() => import('./commands/add.ts'), 'operation'),
  },
  'add-resource': {
    summary: 'adds a resource: operations, table, store, handlers, tests',
    load: one(() => import('./commands/add.ts'), 'resource'),
  },
  lint: { summary: 'lints the spec: Redocly, Spectral, OWASP, project rules', load: () => import('./commands/lint.ts') },
  'check-breaking': { summary: 'compares the spec with that of the main branch', load: () => import('./commands/check-breaking.ts') },
  changelog: { summary: 'writes what changed for clients, for people', load: () => import('./commands/changelog.ts') },
  'check-schema': {
    summary: 'compares the database with the schemas of the spec',
    load: one(() => import('./commands/schema.ts'), 'checkSchema'),
  },
  schema: { summary: 'writes the schema that the migrations make', load: one(() => import('./commands/schema.ts'), 'writeSchema') },
  'add-migration': { summary: 'writes the migration that the contract needs', load: one(() => import('./commands/add.ts'), 'migration') },
  migrate: { summary: "brings the database to this version's schema", load: () => import('./commands/migrate.ts') },
  db: { summary: 'opens, empties or locates the database', load: () => import('./commands/db.ts') },
  bundle: { summary: 'makes one YAML file of an OpenAPI document', load: () => import('./commands/bundle.ts') },
  vendor: { summary: 'copies the documents that the spec names by URL', load: () => import('./commands/vendor.ts') },
  doctor: {
    summary: 'checks the machine and the project, and prints fixes',
    load: () => import('./commands/doctor.ts'),
  },
  new: { summary: 'makes a project from an OpenAPI document', load: () => import('./commands/new.ts') },
};
