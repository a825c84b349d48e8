/** Sends a statement that was built before over one connection, past Knex. */
import { inBackground } from '@specwright/server';
import type { QueryResult } from 'pg';
import type { PreparedQuery } from '../connection/bounded-client.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import type { KnexClient } from '../connection/knex-client.ts';

/** Over a connection of the pool, or over that of a transaction. @throws the error of `pg`, or of the pool. */
export async function runStatement(db: Database, query: PreparedQuery): Promise<QueryResult> {
  const client = db.client as KnexClient;
  const connection = await client.acquireConnection();
  try {
    return await new Promise<QueryResult>((resolve, reject) => {
      connection.query({ ...query }, (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result)));
    });
  } finally {
    inBackground(client.releaseConnection(connection));
  }
}

type Begin = () => PromiseLike<unknown>;
/** `false` for one that there is not this time. */
type Result<Statement> = Statement extends () => PromiseLike<infer T> ? T : undefined;
type Results<Statements extends readonly unknown[]> = { -readonly [N in keyof Statements]: Result<Statements[N]> };

/** How many turns of the queue of microtasks a query builder may take until it sends its statement. */
const MAX_TURNS = 100;

/** The last statements of a transaction, which the function that was given to `transaction` returns: nothing of it is done after them. */
export class LastStatements<T> {
  readonly #statements: readonly (Begin | false)[];
  readonly #toResult: (results: readonly unknown[]) => T;

  constructor(statements: readonly (Begin | false)[], toResult: (results: readonly unknown[]) => T) {
    this.#statements = statements;
    this.#toResult = toResult;
  }

  /** @returns what makes the result, once the transaction has committed. @throws as the first statement that has failed. */
  async run(trx: Transaction): Promise<() => T> {
    const connection = await (trx.client as KnexClient).acquireConnection();
    const first = connection.submitted;
    const results: Promise<unknown>[] = [];
    let sent = 0;
    for (const begin of this.#statements) {
      const { submitted } = connection;
      // A query of Knex is run when somebody waits for it.
      results.push(begin === false ? Promise.resolve() : (async () => begin())());
      if (begin === false) continue;
      for (let turn = 0; connection.submitted === submitted && turn < MAX_TURNS; turn++) await Promise.resolve();
      sent += 1;
      // Behind a BEGIN that fails the others would be run outside of the transaction.
      if (!connection.isInTransaction) await results.at(-1);
    }
    // Where one could not be sent, none of them is committed.
    if (trx.parentTransaction === undefined && connection.submitted === first + sent) connection.sendCommit();
    const all = await Promise.all(results);
    return () => this.#toResult(all);
  }
}

/**
 * Ends a transaction with statements none of which needs a result of another: return it from the function that is given to `transaction`.
 * They are sent in their order and in one write, with COMMIT behind them. The first that fails ends the transaction, and nothing of it is
 * committed. In a savepoint they are sent together, and committed with the outer transaction.
 *
 * @param statements each of them begins exactly one: a second one would be sent after COMMIT, and is refused.
 * @param toResult makes the result of the transaction of theirs. It is called after COMMIT, and must not throw.
 */
export const commitWith = <const Statements extends readonly (Begin | false)[], T = void>(
  statements: Statements,
  toResult?: (results: Results<Statements>) => T,
): LastStatements<T> => new LastStatements(statements, (results) => toResult?.(results as Results<Statements>) as T);
