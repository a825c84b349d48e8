/** Compares the tables of a backup with those of the database that it is restored into. */
import type { BackupTable } from './backup.ts';

/** The most problems that are listed. */
const MAX_LISTED = 20;

/** @throws Error with every table and column of the backup that the database does not have, and every column that the backup lacks. */
export function compareColumns(backup: readonly BackupTable[], database: readonly BackupTable[]): void {
  const present = new Map(database.map((table) => [table.name, table]));
  const problems = backup.flatMap(({ name, columns }) => {
    const other = present.get(name);
    if (other === undefined) return [`${name}: the database has no such table`];
    const [saved, current] = [typesByName(columns), typesByName(other.columns)];
    return [...new Set([...saved.keys(), ...current.keys()])].flatMap((column) => {
      const [type, otherType] = [saved.get(column), current.get(column)];
      return type === otherType ? [] : [`${name}.${column}: ${type ?? 'missing'} in the backup, ${otherType ?? 'missing'} in the database`];
    });
  });
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
  if (problems.length > MAX_LISTED) listed.push(`  and ${problems.length - MAX_LISTED} more`);
  throw new Error(`the tables are not those of the backup; make what no migration makes by hand, then try again:\n${listed.join('\n')}`);
}

const typesByName = (columns: BackupTable['columns']): Map<string, string> => new Map(columns.map(({ name, type }) => [name, type]));
