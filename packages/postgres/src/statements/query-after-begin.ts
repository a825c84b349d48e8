/** A statement that begins its transaction: one message to the server, and one round trip, instead of two. */
import pg from 'pg';

/** What this file uses of `pg.Connection` 8; its types have only a part of it. */
interface Connection {
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}
/** What this file uses of `pg.Query` 8; its types have only a part of it. */
interface PgQuery {
  text: string | undefined;
  requiresPreparation(): boolean;
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleCommandComplete(message: object, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

const PgQuery = pg.Query as unknown as new (...args: unknown[]) => PgQuery;

/**
 * BEGIN is in the same message as the statement, or before the same Sync: if it fails, PostgreSQL skips the statement, which would
 * otherwise be a separate transaction (PostgreSQL, 54.2.3 and 54.2.2.1).
 */
export class QueryAfterBegin extends PgQuery {
  readonly #begin: string;
  readonly #isInTransaction: () => boolean;
  readonly #abandon: (error: Error) => void;
  #hasBegun = false;

  /**
   * @param begin BEGIN, with the mode of the transaction. @param args those of `pg`'s query.
   * @param isInTransaction whether the server has said last that the session is in a transaction. @param abandon gives up the connection.
   */
  constructor(begin: string, args: readonly unknown[], isInTransaction: () => boolean, abandon: (error: Error) => void) {
    super(...args);
    this.#begin = begin;
    this.#isInTransaction = isInTransaction;
    this.#abandon = abandon;
  }

  override submit(connection: Connection): Error | null {
    if (!this.requiresPreparation()) this.text = `${this.#begin};${this.text ?? ''}`;
    return super.submit(connection);
  }

  override prepare(connection: Connection): void {
    connection.parse({ text: this.#begin });
    connection.bind({});
    connection.execute({});
    super.prepare(connection);
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#hasBegun) super.handleCommandComplete(message, connection);
    this.#hasBegun = true;
  }

  /** A statement that has succeeded outside of a transaction is committed already: the rest of its transaction must not follow. */
  override handleReadyForQuery(connection: Connection): void {
    if (this.#isInTransaction()) return super.handleReadyForQuery(connection);
    const error = new Error(`a statement was run outside of its transaction: ${this.#begin} has not begun one`);
    this.handleError(error, connection);
    this.#abandon(error);
  }
}
