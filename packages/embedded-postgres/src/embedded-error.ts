/** The error of the embedded database: what is wrong, and how to fix it. */

export const OWN_DATABASE = 'Use a PostgreSQL of your own: DATABASE_URL=postgres://user:password@localhost:5432/name npm start';

/** The embedded PostgreSQL cannot be used. The message has the problem and the fix, which is another database if there is none. */
export class EmbeddedError extends Error {
  constructor(problem: string, fix = '', cause?: unknown) {
    super(`Embedded PostgreSQL: ${problem}\n${fix || OWN_DATABASE}`, cause === undefined ? {} : { cause });
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

/** The message of an error, which need not be an `Error` of this realm either. */
export function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

const FIXES: Record<string, string> = {
  ENOSPC: 'The disk is full: free some space (a new database takes about 40 MB).',
  EDQUOT: 'The disk quota is used up: free some space (a new database takes about 40 MB).',
  EROFS: 'The file system is read-only: choose a folder that can be written with DATA_DIR.',
  EACCES: 'This user may not write there: choose a folder that it may write to with DATA_DIR.',
  ENOENT: 'Create the folder above it, or choose another with DATA_DIR.',
  ENOTDIR: 'There is a file where the folder should be: choose another folder with DATA_DIR.',
  EPERM: 'This user may not write there: choose a folder that it may write to with DATA_DIR.',
};

/** `error` as an EmbeddedError, unchanged if it is one already. @param action completes "cannot ...". */
export function toEmbeddedError(error: unknown, action: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error;
  return new EmbeddedError(`cannot ${action}: ${messageOf(error)}`, FIXES[codeOf(error) ?? ''], error);
}

/** The fix for a failure that PostgreSQL's programs report only as text; empty if the text says enough. */
export function fixFor(output: string): string {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(output) ?? [];
  if (uid !== undefined)
    return `PostgreSQL needs a name for the user that it runs as: add one, such as by useradd --uid ${uid} app, or run as another. ${OWN_DATABASE}`;
  return (/No space left on device|Check free disk space/.test(output) && FIXES.ENOSPC) || '';
}
