/** What a connection is given, and what it answers. */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';

export interface BoundedClientConfig extends pg.ClientConfig {
  /** How long a statement may remain unanswered, in ms, before the connection is cut; 0 for no bound. */
  readonly answerTimeoutMs: number;
  /** The settings of the session beside those that each has, such as `statement_timeout`. */
  readonly settings?: Readonly<Record<string, number>>;
  /** Whether statements may have names; true if it is not given. Behind a pooler that does not keep them they have none all the same. */
  readonly preparedStatements?: boolean;
  /** Called when the failure of this connection makes the rest of the pool suspect. */
  readonly onSuspect?: (suspects: Suspects) => void;
}

/** Which connections are suspect, on the clock of `performance.now()`, in ms. */
export interface Suspects {
  /** Those that were opened before. */
  readonly openedBefore?: number;
  /** Those that have not been heard since. */
  readonly silentSince?: number;
}

/** As `pg.QueryConfig`, which Knex passes on (`options`). */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  readonly types?: pg.QueryConfig['types'] | undefined;
  readonly rowMode?: string | undefined;
  readonly queryMode?: string | undefined;
  readonly query_timeout?: number | undefined;
  /** Under which it is prepared once by each connection, and then only bound. */
  readonly name?: string | undefined;
}

export type StatementConfig = Omit<Statement, 'values'>;

/** A cursor or another query of `pg` that sends itself (`pg.Submittable`). */
export interface Submittable {
  submit(connection: unknown): void;
  once?(event: string, listener: () => void): unknown;
  destroy?(error: Error): unknown;
}

/** Its command is null if it is that of no statement. */
export type Result = Omit<pg.QueryResult<Record<string, unknown>>, 'command'> & { readonly command: string | null };
/** The result of a statement that has failed, or that need not be sent. */
export const NOTHING: Result = { command: '', rowCount: null, oid: 0, rows: [], fields: [] };
/** @param error null if there is none. */
export type Done = (error: Error | null, result: Result) => void;

export interface ServerError extends Error {
  readonly code?: string;
}

/** `pg.Client` with one signature for each of its methods that is overridden. */
export interface PgClient extends EventEmitter {
  readonly host: string;
  readonly port: number;
  readonly connection: pg.Connection;
  pipeline: boolean;
  connect(callback?: (error: Error | null, client?: unknown) => void): unknown;
  query(...args: unknown[]): unknown;
  end(callback?: () => void): Promise<void> | void;
  getTransactionStatus(): 'I' | 'T' | 'E' | null;
}
