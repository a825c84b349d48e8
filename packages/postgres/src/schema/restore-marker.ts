/** A row among the migrations of a database that is being restored, by which no server is ready and no migration runs. */

export const RESTORE_MARKER = 'unfinished restore';

export const UNFINISHED_RESTORE =
  'a restore into this database has not ended: run it again (`npm run db -- restore FILE`, or `move --to URL`), or make the database anew';

/** Whether a restore into a database was begun and has not ended. */
export const isRestoreUnfinished = (applied: readonly { readonly name: string }[]): boolean =>
  applied.some(({ name }) => name === RESTORE_MARKER);
