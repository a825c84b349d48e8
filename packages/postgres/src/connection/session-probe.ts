/** Finds out what sessions at an address are: behind some poolers they keep neither the names of prepared statements nor settings. */
import { randomBytes } from 'node:crypto';
import type { Done, Statement } from './statement.ts';
import { MARK, SET_TRACKED } from './session-settings.ts';

/** What the connections to an address have found out: it changes when one finds more. */
export interface FoundSession {
  /** Whether names are kept from one transaction to the next; undefined while it is not known, and none is used. */
  keepsNames?: boolean | undefined;
  /** Whether sessions have the settings of the start-up message. */
  hasSettings?: boolean | undefined;
  /** Whether settings in the start-up message are refused: poolers do (PgBouncer, ignore_startup_parameters). */
  refusesSettings?: boolean | undefined;
}

/** By `host:port/database`. */
const found = new Map<string, FoundSession>();
const distrusted = new Set<string>();

export function findSession(address: string): FoundSession {
  const session = found.get(address) ?? {};
  found.set(address, session);
  return session;
}

/** @returns whether an error of the start is that settings are refused: the next connection to that address sends none. */
export function refusesSettings(address: string, { code, message }: Error & { readonly code?: string }): boolean {
  const session = findSession(address);
  if (code !== '08P01' || !message.includes('startup parameter')) return false;
  session.refusesSettings = true;
  session.hasSettings = false;
  return true;
}

/**
 * The server has not known a name, or known another statement by it: whatever is at that address by now is asked again. PostgreSQL itself
 * is believed, of which all statements may have been deallocated; a pooler is not.
 */
export function distrustNames(address: string): void {
  findSession(address).keepsNames = undefined;
  distrusted.add(address);
}

/** A connection that has just been opened. */
interface Opened {
  readonly address: string;
  /** The process of the session, as the server has told at the start. */
  readonly backend: number;
  send(statement: Statement, done: Done): unknown;
  probe(statement: Statement, done: Done): void;
}

interface Row {
  // As text: a pool may have its own parsers of types.
  readonly pid: string;
  readonly mark: string | null;
  readonly renamed: string | null;
}

/**
 * Asks the first connection to an address, and gives each the settings that it lacks.
 *
 * A connection to PostgreSQL itself keeps names. A pooler reports an invented process at the start. Poolers that keep track of prepared
 * statements (PgBouncer from 1.21 on with `max_prepared_statements`, PgCat, PgDog, Supavisor) prepare them under other names; the rest
 * prepare them under the client's name, on a connection that another client gets next.
 *
 * @param usesNames whether it may be asked under a name. @param done gets the error with which the session cannot be used.
 */
export function prepareSession(client: Opened, usesNames: boolean, done: (problem: Error | null) => void): void {
  const { address } = client;
  const session = findSession(address);
  const finish = (): void => {
    if (session.hasSettings !== false) done(null);
    else client.send({ text: SET_TRACKED }, (error) => done(error));
  };
  const { keepsNames, hasSettings } = session;
  if (hasSettings !== undefined && (keepsNames !== undefined || !usesNames)) return finish();
  const name = `probe_${randomBytes(8).toString('hex')}`;
  const text = `SELECT pg_backend_pid()::text AS pid, current_setting('${MARK}', true) AS mark,
    (SELECT bool_and(name <> '${name}')::text FROM pg_prepared_statements WHERE statement LIKE '%${name}%') AS renamed`;
  client.probe({ text, ...(usesNames && { name }) }, (error, result) => {
    const [row] = (error === null ? result.rows : []) as unknown as readonly Row[];
    if (row === undefined) return finish();
    const isPostgres = row.pid === String(client.backend);
    session.hasSettings = row.mark === 'on';
    if (usesNames) session.keepsNames = isPostgres || (!distrusted.has(address) && row.renamed === 'true');
    finish();
  });
}
