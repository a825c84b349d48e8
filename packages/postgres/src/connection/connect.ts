/** Pools of connections to PostgreSQL, through Knex. */
import { FrameworkError, type Metric } from '@specwright/contract/runtime';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { ACQUIRE_TIMEOUT_MS, boundsOf, clientOptions, type ConnectOptions } from './connect-options.ts';
import { formatConnectionProblem } from './connection-problem.ts';
import { BoundedPool, poolMetrics } from './open-pool.ts';
import { clientClass } from './traced-client.ts';
import { parserFor } from './values.ts';
import { DatabasePool, poolOf } from '../statements/database-pool.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

/** The oldest supported PostgreSQL, as `server_version_num`. */
const MIN_SERVER_VERSION = 140000;
const ignore = () => undefined;

/** What of Knex's client is set here: the class of its connections that are not of the pool, and their configuration. */
type Client = Knex.Client & {
  readonly config: Knex.Config & { readonly connectOptions: ConnectOptions };
};
const clientOf = (db: Database): Client => db.client as Client;

/**
 * Creates a pool. Nothing connects before the first query.
 *
 * `bigint` is read as a number, so a schema should end its values at 2^53 - 1, and `date` and `timestamptz` as ISO 8601, the latter in UTC, or with `dates: 'date'` as a `Date`.
 */
export function connect(options: ConnectOptions): Database {
  const { url, name = 'specwright', pool: max = 10, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS } = options;
  const bounds = boundsOf(options);
  const config = { ...clientOptions(url, name, bounds), types: { getTypeParser: parserFor(options.dates) as never } };
  const bounded = new BoundedPool({ ...config, max, connectionTimeoutMillis: acquireTimeoutMs });
  const pool = new DatabasePool(bounded, acquireTimeoutMs);
  const db = knex({
    client: 'pg',
    // The oldest that is supported: Knex would ask the first connection.
    version: '14.0',
    connectionPool: pool,
    // Knex would print a lost connection on standard output; the query that needed it gets the error.
    log: { warn: ignore, error: ignore },
    connectOptions: options,
  } as Knex.Config);
  const client = clientOf(db);
  client.driver = { ...pg, Client: clientClass() };
  client.connectionSettings = config;
  // Knex does not close a pool that it was given.
  return Object.defineProperty(db, 'destroy', { value: async () => pool.end() });
}

export const databaseMetrics =
  (db: Database, name = 'database'): (() => Metric[]) =>
  () =>
    poolMetrics(name, poolOf(db).counts);

/** The options that a pool was created with, for another pool to the same database. */
export const connectOptions = (db: Database): ConnectOptions => clientOf(db).config.connectOptions;

/** What the session of a server's readiness probe is called: it tells that the server serves. */
export const readinessName = (service = 'specwright'): string => `${service} readiness`;

/** As `connectOptions`, for connections that are sessions: for LISTEN, advisory locks that outlive a transaction, and migrations. */
export function directOptions(db: Database): ConnectOptions {
  const options = connectOptions(db);
  return { ...options, url: options.directUrl ?? options.url };
}

/** The client whose raw connections are sessions; see `directOptions`. Nothing connects before the first of them. */
export const directClient = (db: Database): Knex.Client =>
  (connectOptions(db).directUrl === undefined ? db : connect(directOptions(db))).client as Knex.Client;

/** The URL that a pool was created with, for another pool to the same database. */
export const connectionUrl = (db: Database): string => connectOptions(db).url;

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
    throw new FrameworkError('service_unavailable', formatConnectionProblem(cause, url), { cause });
  }
  if (!isSupportedVersion(version))
    throw new Error(`the database is PostgreSQL ${formatServerVersion(version)}: use PostgreSQL ${MIN_SERVER_VERSION / 10000} or later`);
}

/** @param version `server_version_num`. */
export const isSupportedVersion = (version: number): boolean => version >= MIN_SERVER_VERSION;

/** `18.4` of `180004`. */
export const formatServerVersion = (version: number): string => `${Math.floor(version / 10000)}.${version % 10000}`;
