/** Finds out whether names of prepared statements are kept from one transaction to the next: behind some poolers they are not. */
import { randomBytes } from 'node:crypto';

interface Session {
  /** The process of the session, as the server has told at the start. */
  readonly processID?: number | undefined;
  query(statement: object, done: (error: Error | null, result: { rows: readonly Row[] }) => void): unknown;
}

interface Row {
  // As text: a pool may have its own parsers of types.
  readonly pid: string;
  readonly renamed: string | null;
}

/** Servers, as `host:port`, and whether they keep names. */
const found = new Map<string, boolean>();
const distrusted = new Set<string>();

/** @returns whether a server is known to keep names, or not; undefined if it was not asked yet, or its answer was an error: none is used meanwhile. */
export const keepsNames = (address: string): boolean | undefined => found.get(address);

/**
 * The server has not known a name, or known another statement by it: whatever is at that address by now is asked again. PostgreSQL itself
 * is believed, of which all statements may have been deallocated; a pooler is not.
 */
export function distrustNames(address: string): void {
  found.delete(address);
  distrusted.add(address);
}

/**
 * A connection to PostgreSQL itself keeps names. A pooler reports an invented process at the start. Poolers that keep track of prepared
 * statements (PgBouncer from 1.21 on with `max_prepared_statements`, PgCat, PgDog, Supavisor) prepare them under other names; the rest
 * prepare them under the client's name, on a connection that another client gets next.
 *
 * @param done is called when it is known, or could not be found out, as while the server starts: the next connection asks again.
 */
export function probeNames(address: string, session: Session, done: () => void): void {
  const mark = `probe_${randomBytes(8).toString('hex')}`;
  const text = `SELECT pg_backend_pid()::text AS pid, (SELECT bool_and(name <> '${mark}')::text FROM pg_prepared_statements WHERE statement LIKE '%${mark}%') AS renamed`;
  session.query({ name: mark, text }, (error, result) => {
    const [row] = error === null ? result.rows : [];
    if (row !== undefined) {
      const isRenamed = !distrusted.has(address) && row.renamed === 'true';
      found.set(address, row.pid === String(session.processID) || isRenamed);
    }
    done();
  });
}
