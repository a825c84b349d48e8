/** Finds out whether names of prepared statements are kept from one transaction to the next: behind some poolers they are not. */
import { randomBytes } from 'node:crypto';

interface Session {
  /** The process of the session, as the server has told at the start. */
  readonly processID?: number | undefined;
  query(statement: object, done: (error: Error | null, result: { rows: readonly Row[] }) => void): unknown;
}

interface Row {
  readonly pid: number;
  readonly names: readonly string[] | null;
}

/** Servers, as `host:port`, and whether they keep names. */
const found = new Map<string, boolean>();

/** @returns whether a server is known to keep names, or not; undefined if it was not asked yet. */
export const keepsNames = (address: string): boolean | undefined => found.get(address);

/**
 * A connection to PostgreSQL itself keeps names. A pooler reports an invented process at the start. Poolers that keep track of prepared
 * statements (PgBouncer from 1.21 on with `max_prepared_statements`, PgCat, PgDog, Supavisor) prepare them under other names; the rest
 * prepare them under the client's name, on a connection that another client gets next.
 *
 * @param done is called when it is known, or could not be found out, as while the server starts: the next connection asks again.
 */
export function probeNames(address: string, session: Session, done: () => void): void {
  const mark = `probe_${randomBytes(8).toString('hex')}`;
  const text = `SELECT pg_backend_pid() AS pid, (SELECT array_agg(name) FROM pg_prepared_statements WHERE statement LIKE '%${mark}%') AS names`;
  session.query({ name: mark, text }, (error, result) => {
    const [row] = error === null ? result.rows : [];
    if (row !== undefined) found.set(address, row.pid === session.processID || (row.names ?? [mark]).every((name) => name !== mark));
    done();
  });
}
