/** Compares the database with the contract, and writes the types of the tables that the migrations make. */
import { join, relative } from 'node:path';
import type { SourceDocument } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { checkInstalled } from '../../doctor/checks.ts';
import { findEdited, formatEdited, generatedFolders, writeGenerated } from '../../generate/generated-files.ts';
import type { Project, ProjectConfig } from '../../project-config.ts';
import { findSchemaProblems } from '../../schema/compare-schemas.ts';
import { readComparison } from '../../schema/read-comparison.ts';
import type { DatabaseCheck } from '../checks/database-check.ts';
import type { TypeChecker } from '../compiler/type-checker.ts';
import { type Screen, fixFirst, locationOfFirst } from './screen.ts';

export interface DatabaseParts {
  readonly project: Project;
  readonly screen: Screen;
  readonly types: TypeChecker;
  readonly database: DatabaseCheck;
  /** Gets the files that the loop writes. */
  readonly onWritten: (files: readonly string[]) => void;
}

export interface ReadContract {
  readonly project: ProjectConfig;
  readonly source: SourceDocument;
}

/** @returns whether a server can use the database. */
export async function reportDatabase(parts: DatabaseParts, contracts: readonly ReadContract[], signal: AbortSignal): Promise<boolean> {
  const { project, screen, types, database, onWritten } = parts;
  const { problems, blocksServer, tables, files = [] } = await database.state();
  if (signal.aborted) return false;
  const written = writeGenerated(project.root, withoutEdited(project, files));
  onWritten(written);
  types.touch(written);
  const differences =
    tables === undefined
      ? []
      : contracts.flatMap((contract) => findSchemaProblems({ ...readComparison(contract.project, contract.source), tables }));
  const lines = [...problems.map(({ message, fix }) => `${message}: ${fix}`), ...differences.map(({ message }) => message)];
  const names =
    written.length === 0 ? '' : `; wrote ${written.map((path) => relative(project.root, path).replaceAll('\\', '/')).join(', ')}`;
  const summary =
    lines.length === 0 ? 'ok' : differences.length === 0 ? plural(lines.length, 'problem') : 'does not hold what the contract has';
  screen.section('database', summary + names, lines, problems[0]?.fix ?? fixOf(differences));
  return !blocksServer;
}

function fixOf(differences: ReturnType<typeof findSchemaProblems>): string | undefined {
  if (differences.some(({ change }) => change !== undefined)) return 'run `npx specwright add-migration`, which writes the migration';
  return fixFirst(differences.map(({ message }) => message));
}

/** @param files path from the root -> content. @returns those that may be written. */
export function withoutEdited(project: Project, files: Iterable<readonly [string, string]>): Map<string, string> {
  const edited = generatedFolders(project).flatMap(findEdited);
  return new Map([...files].filter(([name]) => !edited.some(({ path }) => path === name.replaceAll('\\', '/'))));
}

/** Reports generated files that were edited by hand, with the line. @param generated from the specs: path from the root -> content. */
export async function reportGenerated(
  { project, screen, database }: Pick<DatabaseParts, 'project' | 'screen' | 'database'>,
  generated: ReadonlyMap<string, string>,
): Promise<void> {
  const edited = generatedFolders(project).flatMap(findEdited);
  const [first] = edited;
  if (first === undefined) return;
  const isOfSchema = edited.some(({ path }) => !generated.has(path));
  const all = new Map([...generated, ...(isOfSchema ? ((await database.state()).files ?? []) : [])]);
  const problems = edited.map((file) => formatEdited(file, all.get(file.path)));
  const fix = `${locationOfFirst(problems) ?? first.path}: ${first.fix}`;
  screen.section('generated', `${plural(edited.length, 'file')} edited by hand`, problems, fix);
}

/** The files that say which packages there are; the last is written by npm at the end of an installation. */
export const PACKAGE_FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'] as const;
const INSTALLED = PACKAGE_FILES[2];
const INSTALLED_ANEW = 'installed anew; the loop, its compiler and its server run with those of before';

/** Reports at each save from the first change on: only a new start loads other packages. */
export function createPackageReport({ project: { root }, screen }: Pick<DatabaseParts, 'project' | 'screen'>) {
  let isWatched = false;
  let isInstalled = false;
  return {
    /** @param files that were saved, absolute. */
    report(files: ReadonlySet<string>): void {
      isWatched ||= PACKAGE_FILES.some((name) => files.has(join(root, name)));
      isInstalled ||= files.has(join(root, INSTALLED));
      if (!isWatched) return;
      const { state, message } = checkInstalled(root);
      if (state !== 'ok') screen.section('packages', message, [], '`npm ci`, then Ctrl-C and `npm run dev`');
      else if (isInstalled) screen.section('packages', INSTALLED_ANEW, [], 'Ctrl-C, then `npm run dev`');
    },
  };
}
