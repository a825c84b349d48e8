/** Pools of connections to PostgreSQL, through Knex. */
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { FrameworkError } from '@specwright/server';

export type Database = Knex;
export type Transaction = Knex.Transaction;

export interface ConnectOptions {
  readonly url: string;
  /** The `application_name` of the connections. */
  readonly name?: string;
  /** The maximum number of connections; 10 if it is not given. */
  readonly pool?: number;
  /** How long to wait for a free connection, in ms; 6000 if it is not given. */
  readonly acquireTimeoutMs?: number;
}

/** The oldest supported PostgreSQL, as `server_version_num`. */
const MIN_SERVER_VERSION = 140000;
const ACQUIRE_TIMEOUT_MS = 6000;
/** A server that does not answer is noticed in this time rather than in the minutes that TCP would take. */
const CONNECT_TIMEOUT_MS = 5000;

// Both are read as what JSON has: a bigint as a number, exact up to 2^53 - 1, and a timestamp as ISO 8601.
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, (text) => readTimestamp(text).toISOString()],
]);

type Oid = Parameters<typeof pg.types.getTypeParser>[0];

// Not `new Date(text)`, which reads the year 0099 as 1999 and rejects an offset with seconds, as time zones had before 1900.
const readTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

const ignore = () => undefined;

/**
 * Creates a pool. Nothing connects before the first query.
 *
 * `bigint` is read as a number, so a schema should end its values at 2^53 - 1, and `timestamptz` as ISO 8601 in UTC.
 */
export function connect({ url, name = 'specwright', pool = 10, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS }: ConnectOptions): Database {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types: {
        getTypeParser: (oid: Oid, format?: 'text') =>
          PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
      },
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: pool },
    acquireConnectionTimeout: acquireTimeoutMs,
    // Knex would print a lost connection on standard output; the query that needed it gets the error.
    log: { warn: ignore, error: ignore },
  });
}

/** The URL that a pool was created with, for another pool to the same database. */
export const connectionUrl = (db: Database): string =>
  ((db.client as Knex.Client).config as { connection: { connectionString: string } }).connection.connectionString;

/**
 * Connects once, and checks the version of the server.
 *
 * @throws AppError service_unavailable if there is no database at `url`; Error if it is older than PostgreSQL 14.
 */
export async function assertSupportedServer(db: Database, url: string): Promise<void> {
  let version: number;
  try {
    const { rows } = await db.raw<{ rows: { version: number }[] }>(`SELECT current_setting('server_version_num')::int AS version`);
    version = rows[0]?.version ?? 0;
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    const { hostname, port, pathname } = new URL(url);
    const address = `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
    throw new FrameworkError('service_unavailable', `PostgreSQL at ${address} cannot be used: ${code ?? ''} ${message}`.trim(), { cause });
  }
  if (version < MIN_SERVER_VERSION) {
    throw new Error(`the database is PostgreSQL ${Math.floor(version / 10000)}: use PostgreSQL ${MIN_SERVER_VERSION / 10000} or later`);
  }
}
