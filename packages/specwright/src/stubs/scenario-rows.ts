/** Adds a row for each new operation to the table of contract tests: it fails until its calls are written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { ProjectConfig } from '../project-config.ts';
import { propertyName, quoted } from './names.ts';
import type { SpecOperation } from './spec-operations.ts';
import { addImport, appendMembers, membersOf, objectLiteral, parse, walk, type Insertion } from './typescript-source.ts';

/** From the root of the project. */
export const scenariosFile = ({ contractTests }: ProjectConfig): string => `${contractTests}/scenarios.ts`;

/** The object literal of a constant. */
export function findConstant(file: ts.SourceFile, name: string): ts.ObjectLiteralExpression | undefined {
  let found: ts.ObjectLiteralExpression | undefined;
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) found ??= objectLiteral(node.initializer);
  });
  return found;
}

/**
 * The missing rows, each with every status that is not provoked in the same way for every operation.
 *
 * @returns the operations that got a row, and how the file changes.
 * @throws Error if the project has no such table.
 */
export function scenarioRows(
  project: ProjectConfig,
  operations: readonly SpecOperation[],
): { file: ts.SourceFile; added: SpecOperation[]; insertions: Insertion[] } {
  const scenarios = scenariosFile(project);
  const file = parse(join(project.root, scenarios));
  const table = findConstant(file, 'SCENARIOS');
  const genericStatuses = readGenericStatuses(project);
  if (table === undefined) throw new Error(`${scenarios} has no table SCENARIOS: --no-tests leaves the tests unchanged`);
  const present = new Set(membersOf(table).map(({ name }) => name));
  const added = operations.filter(({ id }) => !present.has(id));
  const rows = added.map(({ id, statuses }) => {
    // Which statuses a range stands for is not known.
    const own = statuses.filter((status) => /^\d+$/.test(status) && !genericStatuses.has(status));
    return [`${propertyName(id)}: { ${own.map((status) => `${status}: unwritten(${quoted(id)}, ${status})`).join(', ')} },`];
  });
  if (added.length === 0) return { file, added, insertions: [] };
  const imported = rows.some(([row]) => row?.includes('unwritten(')) ? addImport(file, 'unwritten', './unwritten.ts') : [];
  return { file, added, insertions: [...imported, ...appendMembers(file, table, rows, '')] };
}

/** What `testOperations` of specwright/testing provokes for every operation. */
const TESTED_EVERYWHERE = ['400', '401'];

/** The statuses in the table of generic.ts, for a project that has one. @throws Error if the file has no such table. */
function readGenericStatuses({ root, contractTests }: ProjectConfig): ReadonlySet<string> {
  const file = `${contractTests}/generic.ts`;
  if (!existsSync(join(root, file))) return new Set(TESTED_EVERYWHERE);
  const table = findConstant(parse(join(root, file)), 'GENERIC');
  if (table === undefined) throw new Error(`${file} has no table GENERIC: --no-tests leaves the tests unchanged`);
  return new Set(membersOf(table).map(({ name }) => name));
}
