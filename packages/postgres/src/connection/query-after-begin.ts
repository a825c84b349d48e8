/** A statement that begins its transaction: with it, before the same Sync message, so that it is never run without. */
import pg from 'pg';
import type { Done, Result, StatementConfig } from './statement.ts';

/** `pg.Query` with what its types leave out: its callback gets the results of several statements as a list. */
const Query = pg.Query as unknown as new (
  config: string | StatementConfig,
  values: readonly unknown[] | undefined,
  done: (error: Error | null, results?: Result | Result[]) => void,
) => pg.Query;

/**
 * If BEGIN fails, PostgreSQL skips the statement, which would otherwise be a separate transaction (PostgreSQL, 54.2.3). Sent before it as a query
 * of its own, BEGIN would not stop it. A query sends itself over the connection that `pg` gives to it (node-postgres.com/apis/client, Submittable).
 */
export class QueryAfterBegin extends Query {
  /** @param begin BEGIN, and what sets up its transaction. @param config the statement, or its text. */
  constructor(begin: readonly string[], config: string | StatementConfig, values: readonly unknown[] | undefined, done: Done) {
    const { text, name, rowMode, types } = typeof config === 'string' ? { text: config } : config;
    const isSimple = name === undefined && (values ?? []).length === 0;
    super(isSimple ? { text: [...begin, text].join(';'), rowMode, types } : config, values, (error, results) => {
      const own = Array.isArray(results) ? results.slice(begin.length) : [];
      done(error, (own.length > 1 ? own : own[0]) as Result);
    });
    if (isSimple) return;
    const { submit } = this;
    this.submit = (connection) => {
      for (const text of begin) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.bind({}, true);
        connection.execute({}, true);
      }
      return submit.call(this, connection);
    };
  }
}
