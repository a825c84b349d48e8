/** Opens the pool of connections to PostgreSQL, through Knex. */
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { FrameworkError } from '@specwright/server';

export type Database = Knex;
export type Transaction = Knex.Transaction;

export interface ConnectOptions {
  readonly url: string;
  /** What PostgreSQL calls the connections (`application_name`). */
  readonly name?: string;
  /** The most connections at once. */
  readonly pool?: number;
  /** How long to wait for one of them to be free, in ms. */
  readonly acquireTimeout?: number;
}

/** The oldest PostgreSQL that is supported, as `server_version_num` counts. */
const OLDEST = 140000;

// Every bigint of this schema ends at 2^53 - 1, and timestamps leave as JSON: both are read as what JSON has.
const TYPES = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, (text) => readTimestamp(text).toISOString()],
]);

type Oid = Parameters<typeof pg.types.getTypeParser>[0];

// Not `new Date(text)`: that takes the year 0099 for 1999, and cannot read an offset with seconds, as zones had before 1900.
const readTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

const ignore = () => undefined;

/** Makes a pool. Nothing connects yet. */
export function connect({ url, name = 'specwright', pool = 10, acquireTimeout = 6000 }: ConnectOptions): Database {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: name,
      // A server that is not there is noticed in this time, in ms, rather than in the minutes TCP would take.
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      types: {
        getTypeParser: (oid: Oid, format?: 'text') => TYPES.get(oid) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
      },
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: pool },
    acquireConnectionTimeout: acquireTimeout,
    // Knex would print a lost connection on standard output; whoever needed it gets the error.
    log: { warn: ignore, error: ignore },
  });
}

/** Where the database of a pool is, for a pool beside it. */
export const urlOf = (db: Database): string =>
  ((db.client as Knex.Client).config as { connection: { connectionString: string } }).connection.connectionString;

/**
 * Sees whether the database can be used at all.
 *
 * @throws Error with what to do, if there is none or it is older than PostgreSQL 14.
 */
export async function requireServer(db: Database, url: string): Promise<void> {
  let version: number;
  try {
    const { rows } = await db.raw<{ rows: { version: number }[] }>(`SELECT current_setting('server_version_num')::int AS version`);
    version = rows[0]?.version ?? 0;
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    const { hostname, port, pathname } = new URL(url);
    const place = `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
    throw new FrameworkError('service_unavailable', `PostgreSQL at ${place} cannot be used: ${code ?? ''} ${message}`.trim(), { cause });
  }
  if (version < OLDEST) throw new Error(`the database is PostgreSQL ${Math.floor(version / 10000)}; this server needs 14 or later`);
}
