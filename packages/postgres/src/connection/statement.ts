/** What a connection is given, and what it answers. */
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

/**
 * A statement as `pg` takes it (node-postgres.com/apis/client, QueryConfig), which copies the properties that an object has itself, one by one: this
 * one has a single such property, and is copied in a third of the time.
 */
export class PreparedConfig implements Statement {
  readonly given: readonly [statement: Statement, values: readonly unknown[] | undefined, name: string | undefined];

  constructor(...given: PreparedConfig['given']) {
    this.given = given;
  }

  get text(): string {
    return this.given[0].text;
  }
  get values(): readonly unknown[] | undefined {
    return this.given[1];
  }
  get name(): string | undefined {
    return this.given[2];
  }
  get types(): Statement['types'] {
    return this.given[0].types;
  }
  get rowMode(): string | undefined {
    return this.given[0].rowMode;
  }
  get queryMode(): string | undefined {
    return this.given[0].queryMode;
  }
  get query_timeout(): number | undefined {
    return this.given[0].query_timeout;
  }
}

/** A cursor or another query of `pg` that sends itself (`pg.Submittable`). */
export interface Submittable {
  submit(connection: unknown): void;
  once?(event: string, listener: () => void): unknown;
  destroy?(error: Error): unknown;
}

export const isSubmittable = (statement: unknown): statement is Submittable =>
  typeof (statement as Partial<Submittable> | null)?.submit === 'function';

/** Its command is null if it is that of no statement. */
export type Result = Omit<pg.QueryResult<Record<string, unknown>>, 'command'> & { readonly command: string | null };
/** The result of a statement that has failed, or that need not be sent. */
export const NOTHING: Result = { command: '', rowCount: null, oid: 0, rows: [], fields: [] };
/** @param error null if there is none. */
export type Done = (error: Error | null, result: Result) => void;
