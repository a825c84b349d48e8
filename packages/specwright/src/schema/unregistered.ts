/** Migrations that were written and not registered, which never run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSchema } from '@specwright/postgres';
import type { MigrationProblem } from './migration-problem.ts';
import { importFromProject, migrationsFolder, type Project } from '../project-config.ts';

/** The files of the folder of migrations, from the root, that begin with a number, export `up`, and are not in the list. */
export async function unregisteredMigrations(project: Project, { migrations }: DatabaseSchema): Promise<string[]> {
  const folder = migrationsFolder(project);
  const files = readdirSync(join(project.root, folder)).filter((name) => /^\d.*\.[mc]?[jt]s$/.test(name) && !name.includes('.d.'));
  const found: string[] = [];
  for (const name of files.sort()) {
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
