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

/** Begins a statement, exactly one. */
type Begin = () => PromiseLike<unknown>;
/** `false` for one that there is not this time. */
type Result<Statement> = Statement extends () => PromiseLike<infer T> ? T : undefined;
type Results<Statements extends readonly unknown[]> = { -readonly [N in keyof Statements]: Result<Statements[N]> };

/** How many turns of the queue of microtasks a query builder may take until it sends its statement. */
const MAX_TURNS = 100;

/**
 * Runs the last statements of a transaction, none of which needs a result of another: they are sent in their order and in one write, with
 * COMMIT behind them. The first that fails ends the transaction, and nothing of it is committed.
 *
 * What follows in the function that was given to `transaction` must not fail. In a savepoint nothing is committed here.
 *
 * @returns their results. @throws as the first that has failed.
 */
export async function lastOf<const Statements extends readonly (Begin | false)[]>(
  trx: Transaction,
  ...statements: Statements
): Promise<Results<Statements>> {
  const connection = await (trx.client as KnexClient).acquireConnection();
  if (trx.parentTransaction === undefined) connection.commitAfter(statements.filter((begin) => begin !== false).length);
  const results: PromiseLike<unknown>[] = [];
  for (const begin of statements) {
    const { submitted } = connection;
    // A query of Knex is run when somebody waits for it.
    results.push(begin === false ? Promise.resolve(undefined) : begin().then((result) => result));
    for (let turn = 0; begin !== false && connection.submitted === submitted && turn < MAX_TURNS; turn++) await Promise.resolve();
  }
  return (await Promise.all(results)) as Results<Statements>;
}
