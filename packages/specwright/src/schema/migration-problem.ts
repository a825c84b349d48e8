/** What whoever develops can do about migrations that are not those of the checkout. */
import type { MigrationState } from '@specwright/postgres';

/** A problem, and the one thing to do about it. */
export interface MigrationProblem {
  readonly message: string;
  readonly fix: string;
}

/** What keeps a server from using a database. @param embedded whether it is the embedded one, which may be emptied. */
export function migrationProblems({ unknown, edited, missing }: MigrationState, embedded: boolean): MigrationProblem[] {
  const reset = embedded ? 'empty the database: `npm run db -- reset --yes`' : 'use another DATABASE_URL';
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
