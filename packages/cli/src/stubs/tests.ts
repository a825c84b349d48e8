/** Adds to the table of test/contract what a new operation has to be tried with: a row that fails until it is written. */
import ts from 'typescript';
import { propertyName, quoted } from './names.ts';
import type { SpecOperation } from './operations.ts';
import { addImport, appendMembers, membersOf, objectLiteral, parse, walk, type Insertion } from './source.ts';

export const SCENARIOS = 'test/contract/scenarios.ts';
const GENERIC = 'test/contract/generic.ts';

/** The object literal that a file gives a constant. */
export function constant(file: ts.SourceFile, name: string): ts.ObjectLiteralExpression | undefined {
  let found: ts.ObjectLiteralExpression | undefined;
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) found ??= objectLiteral(node.initializer);
  });
  return found;
}

/**
 * The rows that are missing, each with every status that is not provoked in the same way everywhere.
 *
 * @returns the operations that got a row, and how the file changes.
 * @throws Error if the project has no such table.
 */
export function scenarioRows(
  root: string,
  operations: readonly SpecOperation[],
): { file: ts.SourceFile; added: SpecOperation[]; insertions: Insertion[] } {
  const file = parse(`${root}/${SCENARIOS}`);
  const table = constant(file, 'SCENARIOS');
  const generic = constant(parse(`${root}/${GENERIC}`), 'GENERIC');
  if (table === undefined || generic === undefined) {
    throw new Error(`${SCENARIOS} has no table SCENARIOS, or ${GENERIC} no table GENERIC: --no-tests leaves the tests alone`);
  }
  const everywhere = new Set(membersOf(generic).map(({ name }) => name));
  const known = new Set(membersOf(table).map(({ name }) => name));
  const added = operations.filter(({ id }) => !known.has(id));
  const rows = added.map(({ id, statuses }) => {
    // A range stands for statuses of which nobody can say which ones there are.
    const own = statuses.filter((status) => /^\d+$/.test(status) && !everywhere.has(status));
    return [`${propertyName(id)}: { ${own.map((status) => `${status}: unwritten(${quoted(id)}, ${status})`).join(', ')} },`];
  });
  if (added.length === 0) return { file, added, insertions: [] };
  const imported = rows.some(([row]) => row?.includes('unwritten(')) ? addImport(file, 'unwritten', './unwritten.ts') : [];
  return { file, added, insertions: [...imported, ...appendMembers(file, table, rows, '')] };
}
