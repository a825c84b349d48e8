/** Checks whether a database can serve a service, on a separate connection: those of the pool may all be busy or lost. */
import type pg from 'pg';
import { BoundedClient } from './bounded-client.ts';
import { readinessName } from './connect.ts';
import type { DatabaseSchema, RunQuery } from '../schema/database-schema.ts';
import { findSchemaProblem } from '../schema/schema-problem.ts';

export interface DatabaseProbeOptions {
  readonly url: string;
  readonly name?: string;
  readonly schema: DatabaseSchema;
}

/** A `ReadinessProbe` of `@specwright/server`. */
export interface DatabaseProbe {
  /**
   * @param signal aborts a look. @returns undefined if requests can be served; else why none can, or why writes cannot.
   * @throws Error if the database cannot be reached.
   */
  readonly probe: (signal: AbortSignal) => Promise<string | { readonly degraded: string } | undefined>;
  readonly close: () => void;
}

/**
 * How long the server may take for a statement, in ms. Without it a backend that waits for a lock outlives the look that has given
 * up, and there is one more with every look. In a transaction, because a pooler may give the next one to another client.
 */
const BEGIN = 'BEGIN; SET LOCAL statement_timeout = 900';

/**
 * Whether a new session may write: this one may be older than an ALTER DATABASE or ALTER ROLE. The most specific setting decides
 * (PostgreSQL, ALTER ROLE).
 */
const STATE = `
  SELECT pg_is_in_recovery() AS standby,
         current_setting('transaction_read_only') = 'on' OR coalesce((
           SELECT split_part(setting, '=', 2)::boolean
             FROM pg_db_role_setting, unnest(setconfig) AS setting
            WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
              AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
              AND setting LIKE 'default_transaction_read_only=%'
            ORDER BY setrole = 0, setdatabase = 0 LIMIT 1), false) AS "readOnly"`;

/**
 * The probe of a database for `createReadiness`: none of the requests is served on another schema, and a database that takes no
 * writes fails the probe while requests that only read are served.
 */
export function databaseProbe({ url, name, schema }: DatabaseProbeOptions): DatabaseProbe {
  let open: pg.Client | undefined;

  function drop(): void {
    // Not `end`, which waits for a server that may not answer.
    open?.connection.stream.destroy();
    open = undefined;
  }

  async function connect(): Promise<pg.Client> {
    // The caller sets the time limit. What has no names need not find out whether they are kept.
    const options = {
      connectionString: url,
      application_name: readinessName(name),
      keepAlive: true,
      answerTimeoutMs: 0,
      preparedStatements: false,
    };
    const client = new BoundedClient(options) as unknown as pg.Client;
    // A query that needs a lost connection gets the error.
    client.on('error', () => {
      if (open === client) open = undefined;
    });
    open = client;
    await client.connect();
    return client;
  }

  async function look(client: pg.Client) {
    const query: RunQuery = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
    await client.query(BEGIN);
    const [state] = await query<{ standby: boolean; readOnly: boolean }>(STATE);
    const problem = await findSchemaProblem(query, schema);
    await client.query('COMMIT');
    if (problem !== undefined) return problem;
    if (state?.standby) return { degraded: 'the database is a standby, which takes no writes' };
    if (state?.readOnly) return { degraded: 'the database is read-only: default_transaction_read_only is on' };
    return undefined;
  }

  return {
    async probe(signal) {
      signal.addEventListener('abort', drop, { once: true });
      let result: Awaited<ReturnType<typeof look>> = 'unknown';
      try {
        result = await look(open ?? (await connect()));
        return result;
      } finally {
        // The next look may find another server at the same address.
        if (result !== undefined) drop();
        signal.removeEventListener('abort', drop);
      }
    },
    close: drop,
  };
}
