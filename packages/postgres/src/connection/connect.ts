/** Pools of connections to PostgreSQL, through Knex. */
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { FrameworkError } from '@specwright/server';
import type { Suspects } from './bounded-client.ts';
import { checkLibraries } from './check-libraries.ts';
import { formatConnectionProblem } from './connection-problem.ts';
import { KnexClient, type PoolState } from './knex-client.ts';
import { LOCAL_SETTINGS } from './session-settings.ts';
import { DEFAULT_PARSERS, type TextParser } from './type-parsers.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

export interface ConnectOptions {
  /** With the parameter `prepared_statements=off` no statement has a name: PgBouncer before 1.21 loses them in transaction mode. */
  readonly url: string;
  /** The URL of the same database without a pooler, if `url` is that of one: for what needs a session. */
  readonly directUrl?: string | undefined;
  readonly name?: string;
  /** The maximum number of connections; 10 if it is not given. */
  readonly pool?: number;
  /** How long to wait for a free connection, in ms; 1000 if it is not given. */
  readonly acquireTimeoutMs?: number;
  /**
   * How long a statement may take, in ms; 1500 if it is not given, 0 for no bound, as migrations need. A connection that has
   * not answered a little later is closed and replaced.
   */
  readonly statementTimeoutMs?: number;
  /** How long a statement may wait for a lock, in ms; 500 if it is not given, 0 for no bound. */
  readonly lockTimeoutMs?: number;
  /** `date`: `timestamptz` is read as a `Date`, which has milliseconds; otherwise as ISO 8601. */
  readonly dates?: 'date' | undefined;
}

/** The oldest supported PostgreSQL, as `server_version_num`. */
const MIN_SERVER_VERSION = 140000;
const ACQUIRE_TIMEOUT_MS = 1000;
const STATEMENT_TIMEOUT_MS = 1500;
/**
 * Each request for a row that somebody keeps locked holds a connection for this long: the pool is used up by `pool / timeout` of
 * them per second. It is less than PostgreSQL's deadlock_timeout (1 s), so one of two that deadlock usually ends with 55P03.
 */
const LOCK_TIMEOUT_MS = 500;
/** Short enough that a connection can be made soon after a network that was silent is back; who waits longer for one lets it take so long. */
const CONNECT_TIMEOUT_MS = 1500;
/** A server that is alive ends a statement itself within this time after its timeout, in ms. */
const ANSWER_MARGIN_MS = 250;
/** How long a request holds a connection, in ms, when the database is quick: who waits behind too many of these waits in vain. */
const TYPICAL_HOLD_MS = 20;

// Both are read as what JSON has: a bigint as a number, exact up to 2^53 - 1, and a timestamp as ISO 8601.
const { builtins } = pg.types;
// Not `new Date(text)`, which reads the year 0099 as 1999 and rejects an offset with seconds, as time zones had before 1900.
const readTimestamp = DEFAULT_PARSERS.get(builtins.TIMESTAMPTZ) as (text: string) => Date;
const PARSERS = new Map<number, TextParser>([
  ...DEFAULT_PARSERS,
  [builtins.INT8, Number],
  // As it is: a day has no zone, and a `Date` would be its midnight in that of the server.
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMPTZ, (text) => readTimestamp(text).toISOString()],
]);

const DATE_PARSERS = new Map<number, TextParser>([...PARSERS, [builtins.TIMESTAMPTZ, readTimestamp]]);

const ignore = () => undefined;

/** The bounds of a session of ours, in ms; 0 for none. */
interface Bounds {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * The settings of a connection with these bounds, for the start-up message. Behind a pooler they have no effect: there
 * `SET LOCAL` gives them to transactions, and other statements have the client's bound alone, or the role's own settings.
 *
 * A process that is frozen in a transaction loses its locks after twice the statement timeout.
 */
const settingsOf = ({ statementTimeoutMs, lockTimeoutMs }: Bounds) => ({
  statement_timeout: statementTimeoutMs,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
});

export const clientOptions = (url: string, name: string, bounds: Bounds) => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: bounds.connectTimeoutMs,
  keepAlive: true,
  preparedStatements: new URL(url).searchParams.get('prepared_statements') !== 'off',
  answerTimeoutMs: bounds.statementTimeoutMs === 0 ? 0 : bounds.statementTimeoutMs + ANSWER_MARGIN_MS,
  ...settingsOf(bounds),
});

/**
 * Creates a pool. Nothing connects before the first query.
 *
 * `bigint` is read as a number, so a schema should end its values at 2^53 - 1, and `date` and `timestamptz` as ISO 8601, the latter in UTC, or with `dates: 'date'` as a `Date`.
 */
export function connect(options: ConnectOptions): Database {
  checkLibraries();
  const { url, name = 'specwright', pool = 10, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS } = options;
  const parsers = options.dates === 'date' ? DATE_PARSERS : PARSERS;
  const bounds = boundsOf(options);
  const settings = Object.entries(settingsOf(bounds)).filter(([, ms]) => ms > 0);
  const poolState: PoolState = {
    openedBefore: 0,
    silentSince: 0,
    maxWaiting: Math.max(pool, Math.ceil((pool * acquireTimeoutMs) / TYPICAL_HOLD_MS)),
    lockTimeoutMs: bounds.lockTimeoutMs,
    beginWithTimeouts:
      settings.length === 0
        ? ''
        : [
            'BEGIN ISOLATION LEVEL READ COMMITTED;',
            ...settings.map(([setting, ms]) => `SET LOCAL ${setting} = ${ms};`),
            ...LOCAL_SETTINGS,
          ].join(' '),
    needsTimeouts: false,
  };
  return knex({
    client: KnexClient,
    connection: {
      ...clientOptions(url, name, bounds),
      onSuspect({ openedBefore = 0, silentSince = 0 }: Suspects) {
        poolState.openedBefore = Math.max(poolState.openedBefore, openedBefore);
        poolState.silentSince = Math.max(poolState.silentSince, silentSince);
      },
      types: {
        getTypeParser: (oid: number) => parsers.get(oid) ?? String,
      },
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: pool },
    acquireConnectionTimeout: acquireTimeoutMs,
    // Knex would print a lost connection on standard output; the query that needed it gets the error.
    log: { warn: ignore, error: ignore },
    poolState,
    connectOptions: options,
  } as unknown as Knex.Config);
}

export const boundsOf = ({
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
}: ConnectOptions): Bounds => ({
  statementTimeoutMs,
  lockTimeoutMs,
  connectTimeoutMs: Math.max(CONNECT_TIMEOUT_MS, acquireTimeoutMs),
});

/** The options that a pool was created with, for another pool to the same database. */
export const connectOptions = (db: Database): ConnectOptions =>
  ((db.client as Knex.Client).config as { connectOptions: ConnectOptions }).connectOptions;

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
