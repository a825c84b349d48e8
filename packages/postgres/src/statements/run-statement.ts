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

type Results<Statements extends readonly PromiseLike<unknown>[]> = { -readonly [N in keyof Statements]: Awaited<Statements[N]> };

/**
 * Runs the last statements of a transaction: they need no result of each other, and are sent in one write with COMMIT behind them. The first
 * that fails ends the transaction, and nothing of it is committed.
 *
 * What follows them in the function that was given to `transaction` must not fail. In a savepoint nothing is committed here.
 *
 * @param begin begins the statements, one for each promise. @returns their results. @throws as the first that has failed.
 */
export async function lastOf<const Statements extends readonly PromiseLike<unknown>[]>(
  trx: Transaction,
  begin: () => Statements,
): Promise<Results<Statements>> {
  const isOuter = trx.parentTransaction === undefined;
  const connection = isOuter ? await (trx.client as KnexClient).acquireConnection() : undefined;
  const statements = begin();
  connection?.commitAfter(statements.length);
  return (await Promise.all(statements)) as Results<Statements>;
}
