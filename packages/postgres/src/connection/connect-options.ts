/** The options of a pool, and what they are for its connections. */
import type { BoundedClientConfig } from './statement.ts';

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

export const ACQUIRE_TIMEOUT_MS = 1000;
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

export const clientOptions = (url: string, name: string, bounds: Bounds): BoundedClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: bounds.connectTimeoutMs,
  keepAlive: true,
  pipeline: true,
  preparedStatements: new URL(url).searchParams.get('prepared_statements') !== 'off',
  answerTimeoutMs: bounds.statementTimeoutMs === 0 ? 0 : bounds.statementTimeoutMs + ANSWER_MARGIN_MS,
  settings: settingsOf(bounds),
});

export const boundsOf = ({
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  acquireTimeoutMs = ACQUIRE_TIMEOUT_MS,
}: ConnectOptions): Bounds => ({
  statementTimeoutMs,
  lockTimeoutMs,
  connectTimeoutMs: Math.max(CONNECT_TIMEOUT_MS, acquireTimeoutMs),
});
