/** Looks at a database from outside, by one connection that only reads: whether a service could use it. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { formatServerVersion, isSupportedVersion } from './connect.ts';
import type { DatabaseSchema, RunQuery } from '../schema/database-schema.ts';
import { findSchemaProblem } from '../schema/schema-problem.ts';

export interface DatabaseState {
  readonly version: string;
  readonly isSupported: boolean;
  /** Whether it takes no writes. */
  readonly standby: boolean;
  /** Whether something is between, which may be a pooler: the server sees another port of the client than the client has. */
  readonly isRelayed: boolean;
  /** What is wrong with its migrations, and what to do. */
  readonly schemaProblem: string | undefined;
}

/** @param timeoutMs for the connection and for each statement. @throws Error of `pg`, for `connectionProblem`. */
export async function inspectDatabase(url: string, schema: DatabaseSchema | undefined, timeoutMs: number): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  // Of a connection that is lost: the statement that needs it fails too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const query: RunQuery = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
    const [state] = await query<{ version: number; port: number | null; standby: boolean }>(
      `SELECT current_setting('server_version_num')::int AS version, inet_client_port() AS port, pg_is_in_recovery() AS standby`,
    );
    const { version = 0, port = null, standby = false } = state ?? {};
    const { localPort } = client.connection.stream as Duplex & { readonly localPort?: number };
    return {
      version: formatServerVersion(version),
      isSupported: isSupportedVersion(version),
      standby,
      // By a socket of the file system there is no port at either end.
      isRelayed: port !== (localPort ?? null),
      schemaProblem: schema && (await findSchemaProblem(query, schema)),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
