/** Compares the database with the contract, and writes the types of the tables that the migrations make. */
import { relative } from 'node:path';
import type { SourceDocument } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { writeGenerated } from '../../generate/generated-files.ts';
import type { Project, ProjectConfig } from '../../project-config.ts';
import { findSchemaProblems } from '../../schema/compare-schemas.ts';
import { readComparison } from '../../schema/read-comparison.ts';
import type { DatabaseCheck } from '../checks/database-check.ts';
import { withoutEdited } from './report-generated.ts';
import { fixFirst, type Screen } from './screen.ts';
import type { TypeChecker } from '../compiler/type-checker.ts';

export interface DatabaseParts {
  readonly project: Project;
  readonly screen: Screen;
  readonly types: TypeChecker;
  readonly database: DatabaseCheck;
  /** Gets the files that the loop writes. */
  readonly onWritten: (files: readonly string[]) => void;
}

/** A contract, and its spec as it was read. */
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
  if (differences.some(({ change }) => change !== undefined)) return 'run `npm run add-migration`, which writes the migration';
  return fixFirst(differences.map(({ message }) => message));
}
