/** The commands of `specwright`. Each is loaded when it runs, so that the list of them is shown at once. */
import type { Command } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  generate: { summary: 'writes types and operation table from the spec', load: () => import('./commands/generate.ts') },
  client: { summary: 'writes a typed client of the API', load: () => import('./commands/client.ts') },
  dev: { summary: 'watches spec and sources; checks and restarts at each save', load: () => import('./commands/dev.ts') },
  build: { summary: 'builds the programs as JavaScript that starts without a loader', load: () => import('./commands/build.ts') },
  run: { summary: 'runs a program of the project, built if a source has changed', load: () => import('./commands/run.ts') },
  'add-operation': { summary: 'adds a stub for each operation without a handler', load: () => import('./commands/add-operation.ts') },
  'add-resource': { summary: 'adds a noun: operations, table, store, handlers, tests', load: () => import('./commands/add-resource.ts') },
  lint: { summary: 'lints the spec: Redocly, Spectral, OWASP, project rules', load: () => import('./commands/lint.ts') },
  'lint-baseline': { summary: 'switches off each lint rule that the spec breaks', load: () => import('./commands/lint-baseline.ts') },
  'check-breaking': { summary: 'compares the spec with that of the main branch', load: () => import('./commands/check-breaking.ts') },
  'check-schema': { summary: 'compares the database with the schemas of the spec', load: () => import('./commands/check-schema.ts') },
  schema: { summary: 'writes the schema that the migrations make', load: () => import('./commands/schema.ts') },
  'add-migration': { summary: 'writes the migration that the contract needs', load: () => import('./commands/add-migration.ts') },
  migrate: { summary: "brings the database to this version's schema", load: () => import('./commands/migrate.ts') },
  db: { summary: 'opens, empties or locates the embedded database', load: () => import('./commands/db.ts') },
  bundle: { summary: 'makes one YAML file of an OpenAPI document', load: () => import('./commands/bundle.ts') },
  gates: { summary: 'runs all gates of the project, and reports them together', load: () => import('./commands/gates.ts') },
  doctor: { summary: 'says what of the machine and the project is amiss, and how to fix it', load: () => import('./commands/doctor.ts') },
  fuzz: { summary: 'tests a started server with schemathesis', load: () => import('./commands/fuzz.ts') },
  new: { summary: 'makes a project from an OpenAPI document', load: () => import('./commands/new.ts') },
  upgrade: { summary: 'brings a project to newer packages and their template', load: () => import('./commands/upgrade.ts') },
};
