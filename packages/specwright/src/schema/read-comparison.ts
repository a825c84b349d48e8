/** Reads what check-schema compares, from the files of a project. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceDocument, readDocument } from '@specwright/contract/document';
import type { DatabaseSchema, MigrationState } from '@specwright/postgres';
import { type Project, type ProjectConfig, configFile, displayPath, importFromProject, migrationsFolder } from '../project-config.ts';
import type { SchemaComparison } from './compare-schemas.ts';
import { readDatabaseFiles, readSchemaMap } from './database-locations.ts';

/** @param source the spec; that of the project if it is not given. @throws Error if a file cannot be read. */
export function readComparison(
  project: ProjectConfig,
  source: SourceDocument = readDocument(displayPath(join(project.root, project.spec))),
): Omit<SchemaComparison, 'tables'> {
  const path = configFile(project, 'schema-map.yaml');
  return { source, map: readSchemaMap(path), mapFile: displayPath(path, project.root), ...readDatabaseFiles(project) };
}

/** The files of the folder of migrations, from the root, that begin with a number, export `up`, and are not in the list. */
export async function unregisteredMigrations(project: Project, { migrations }: DatabaseSchema): Promise<string[]> {
  const folder = migrationsFolder(project);
  const files = readdirSync(join(project.root, folder)).filter((name) => /^\d.*\.[mc]?[jt]s$/.test(name) && !name.includes('.d.'));
  const found: string[] = [];
  for (const name of files) {
    const file = join(folder, name);
    const module = (await importFromProject(project, file)) as { up?: unknown };
    // By the module, not by its name: that a file is registered under its own name is a habit, not a rule.
    const isListed = migrations.some(({ migration }) => migration === module || migration.up === module.up);
    if (typeof module.up === 'function' && !isListed) found.push(file);
  }
  return found;
}

export const unregisteredProblems = (files: readonly string[], project: Project): MigrationProblem[] =>
  files.map((file) => ({ message: `${file}:1:1 this migration is not registered`, fix: `list it last in ${lastMigration(project)}` }));

/** Where the list of migrations ends. */
function lastMigration({ root, schema }: Project): string {
  const lines = readFileSync(join(root, schema), 'utf8').split('\n');
  const index = lines.findLastIndex((line) => /^\s+(?:\{.*\bmigration\b|migrations: \[)/.test(line));
  return index === -1 ? schema : `${schema}:${index + 1}:1`;
}

/** A problem, and the one thing to do about it. */
export interface MigrationProblem {
  readonly message: string;
  readonly fix: string;
}

/** What keeps a server from using a database. @param embedded whether it is the embedded one, which may be emptied. */
export function migrationProblems({ unknown, edited, missing }: MigrationState, embedded: boolean): MigrationProblem[] {
  const reset = embedded ? 'empty the database: `npx specwright db reset --yes`' : 'use another DATABASE_URL';
  const problems: MigrationProblem[] = [];
  if (unknown.length > 0)
    problems.push({
      message: `the database has migrations of another branch: ${unknown.join(', ')}`,
      fix: `go back to that branch, or ${reset}`,
    });
  if (edited.length > 0)
    problems.push({ message: `edited after it had run in the database: ${edited.join(', ')}`, fix: `undo the edit, or ${reset}` });
  // The embedded database is migrated by the server that starts.
  if (missing.length > 0 && !embedded)
    problems.push({ message: `the database at DATABASE_URL lacks ${missing.join(', ')}`, fix: 'run `npm run migrate`' });
  return problems;
}
