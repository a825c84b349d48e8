// The one error of the embedded database: what is wrong, and what the reader can do about it.

const OWN_DATABASE = 'To use a PostgreSQL of your own instead: DATABASE_URL=postgres://user:password@localhost:5432/name npm start';

/** The embedded PostgreSQL cannot be used. The message names the problem, the remedy, and DATABASE_URL as the way round. */
export class EmbeddedError extends Error {
  constructor(problem: string, remedy = '', cause?: unknown) {
    super([`Embedded PostgreSQL: ${problem}`, remedy, OWN_DATABASE].filter(Boolean).join('\n'), cause === undefined ? {} : { cause });
    this.name = 'EmbeddedError';
  }
}

/**
 * The errno name of a failed system call (`ENOENT`), the SQLSTATE of a failed query (`57P03`), else undefined. Not by
 * `instanceof Error`: under jest the errors of Node's own modules are made by another realm's class.
 */
export function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** The message of an error, in the same way. */
export function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

const REMEDIES: Record<string, string> = {
  ENOSPC: 'The disk is full: free some space (a new database takes about 40 MB).',
  EDQUOT: 'The disk quota is used up: free some space (a new database takes about 40 MB).',
  EROFS: 'The file system is read-only: the database needs a folder it can write to.',
  EACCES: 'This user may not write there: the database needs a folder it can write to.',
  EPERM: 'This user may not write there: the database needs a folder it can write to.',
};

/** `error` as an EmbeddedError; `doing` completes "cannot ...". One that already is an EmbeddedError stays as it is. */
export function explain(error: unknown, doing: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error;
  return new EmbeddedError(`cannot ${doing}: ${messageOf(error)}`, REMEDIES[codeOf(error) ?? ''], error);
}

/** The remedy for a failure that PostgreSQL's programs report as text only; empty when the text says it all. */
export function remedyIn(output: string): string {
  return (/No space left on device|Check free disk space/.test(output) && REMEDIES.ENOSPC) || '';
}
