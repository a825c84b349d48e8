/** The commands of `specwright`. Each is loaded when it runs, from the package that has it, so that the list of them is shown at once. */
import type { CommandEntry } from '@specwright/server/command';

/** What the entry `commands` of a package exports. */
export type CommandLoaders = Readonly<Record<string, CommandEntry['load']>>;

/** A command of a package that a project need not install. */
const commandOf =
  (packageName: string, name: string): CommandEntry['load'] =>
  async () => {
    const { COMMANDS } = (await importCommands(packageName, name)) as { COMMANDS: CommandLoaders };
    const load = COMMANDS[name];
    if (load === undefined) throw new Error(`this version of ${packageName} has no command ${name}: install the one of @specwright/cli`);
    return load();
  };

async function importCommands(packageName: string, name: string): Promise<unknown> {
  const entry = `${packageName}/commands`;
  try {
    import.meta.resolve(entry);
  } catch (error) {
    throw new Error(`specwright ${name} is in ${packageName}, which is not installed: npm install --save-dev ${packageName}`, {
      cause: error,
    });
  }
  return import(entry);
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  generate: { summary: 'writes types and operation table from the spec', load: () => import('./commands/generate.ts') },
  client: { summary: 'writes a typed client of the API', load: () => import('./commands/client.ts') },
  dev: { summary: 'watches spec and sources; checks and restarts at each save', load: commandOf('@specwright/dev', 'dev') },
  mock: { summary: 'serves examples of a document before there is code', load: commandOf('@specwright/dev', 'mock') },
  mcp: { summary: 'serves operations as tools for agents, on standard input', load: commandOf('@specwright/mcp', 'mcp') },
  build: { summary: 'builds the programs as JavaScript that starts without a loader', load: () => import('./commands/build.ts') },
  run: { summary: 'runs a program of the project, built if a source has changed', load: () => import('./commands/run.ts') },
  'add-operation': { summary: 'adds a stub for each operation without a handler', load: commandOf('@specwright/create', 'add-operation') },
  'add-resource': {
    summary: 'adds a noun: operations, table, store, handlers, tests',
    load: commandOf('@specwright/create', 'add-resource'),
  },
  lint: { summary: 'lints the spec: Redocly, Spectral, OWASP, project rules', load: commandOf('@specwright/check', 'lint') },
  'lint-baseline': { summary: 'switches off each lint rule that the spec breaks', load: commandOf('@specwright/check', 'lint-baseline') },
  'check-breaking': { summary: 'compares the spec with that of the main branch', load: commandOf('@specwright/check', 'check-breaking') },
  changelog: { summary: 'writes what changed for clients, for people', load: commandOf('@specwright/check', 'changelog') },
  'check-schema': { summary: 'compares the database with the schemas of the spec', load: commandOf('@specwright/check', 'check-schema') },
  schema: { summary: 'writes the schema that the migrations make', load: () => import('./commands/schema.ts') },
  'add-migration': { summary: 'writes the migration that the contract needs', load: commandOf('@specwright/create', 'add-migration') },
  migrate: { summary: "brings the database to this version's schema", load: () => import('./commands/migrate.ts') },
  db: { summary: 'opens, empties, dumps, restores or moves the database', load: () => import('./commands/db.ts') },
  bundle: { summary: 'makes one YAML file of an OpenAPI document', load: () => import('./commands/bundle.ts') },
  gates: { summary: 'runs all gates of the project, and reports them together', load: commandOf('@specwright/check', 'gates') },
  doctor: {
    summary: 'checks the machine and the project, and prints fixes',
    load: commandOf('@specwright/check', 'doctor'),
  },
  fuzz: { summary: 'tests a started server with schemathesis', load: commandOf('@specwright/check', 'fuzz') },
  new: { summary: 'makes a project from an OpenAPI document', load: commandOf('@specwright/create', 'new') },
  upgrade: { summary: 'brings a project to newer packages and their template', load: commandOf('@specwright/create', 'upgrade') },
};
