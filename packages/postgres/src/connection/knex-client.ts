/** Knex's dialect for PostgreSQL with connections that cannot hang, a pool that drops suspect ones, and a bound on who waits for one. */
import type { Knex } from 'knex';
// @ts-expect-error Knex has no types for its dialects.
import PostgresDialect from 'knex/lib/dialects/postgres/index.js';
import { afterPause } from '@specwright/server';
import pg from 'pg';
import type { BoundedClient } from './bounded-client.ts';
import { FAILED_TRANSACTION, markNotConnected } from '../store/sqlstate.ts';
import { statementName } from '../statements/prepared-statement.ts';
import { clientClass } from './traced-client.ts';

/** What a pool knows about its connections; it is in the configuration of Knex, which transactions share with their pool. */
export interface PoolState {
  /** Connections that were opened or last heard before are dropped when they would be used again. */
  openedBefore: number;
  silentSince: number;
  /** The most that may wait for a connection. */
  readonly maxWaiting: number;
  /** The `lock_timeout` that connections ask for when they start, in ms. */
  readonly lockTimeoutMs: number;
  readonly beginWithTimeouts: string;
  /** Whether sessions ignore the timeouts of the start-up message, as those behind a pooler do. */
  needsTimeouts: boolean;
}

/** SQLSTATE of a client that has no connection (sqlclient_unable_to_establish_sqlconnection). */
const NO_CONNECTION = '08001';

interface Query {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  readonly options?: { readonly name?: string };
}

/** What this file uses of Knex's client; its types have only a part of it. */
interface Dialect extends Omit<Knex.Client, 'pool' | 'config' | 'validateConnection'> {
  readonly config: Knex.Config & { readonly poolState: PoolState };
  readonly pool: { numPendingAcquires(): number };
  _query(connection: BoundedClient, query: Query): Promise<unknown>;
  _parseVersion(text: string): string;
  acquireConnection(): Promise<BoundedClient>;
  releaseConnection(connection: BoundedClient): Promise<void>;
  acquireRawConnection(): Promise<BoundedClient>;
  validateConnection(connection: BoundedClient): boolean;
}

const Dialect = PostgresDialect as new (config: Knex.Config) => Dialect;

/** What Knex begins and ends transactions with. */
const BEGIN = /^BEGIN( TRANSACTION [\w ]+)?;$/;
const END = /^(COMMIT;|ROLLBACK)$/;
const COMMIT = 'COMMIT;';
const SAVEPOINT = /^(RELEASE )?SAVEPOINT /;
/** The result of a statement that need not be sent, or not yet. */
const NOTHING = { command: '', rowCount: null, rows: [], fields: [] };

// Answered by one row: Knex asks the first connection of a pool for the version.
const VERSION = `select version(), (SELECT setting FROM pg_settings WHERE name = 'lock_timeout') AS lock_timeout`;

/** PostgreSQL answers COMMIT with ROLLBACK where a statement has failed, which the callback of the transaction has not told. */
function assertCommitted(query: unknown): unknown {
  const { response } = query as { readonly response?: { readonly command?: string } };
  if (response?.command !== 'ROLLBACK') return query;
  const problem = 'nothing was committed: a statement of the transaction had failed, and its error was caught inside of it';
  throw Object.assign(new Error(problem), { code: FAILED_TRANSACTION });
}

/** COMMIT may have been sent with the last statements, or be needless. */
async function endTransaction(connection: BoundedClient, query: Query, run: () => Promise<unknown>): Promise<unknown> {
  const isCommit = query.sql === COMMIT;
  const sent = connection.takeCommit();
  if (sent !== undefined) {
    // After a failure PostgreSQL has answered it with ROLLBACK, and the failed statement has told why.
    const response = await (isCommit ? sent : sent.catch(() => NOTHING));
    return isCommit ? assertCommitted(Object.assign(query, { response })) : Object.assign(query, { response: NOTHING });
  }
  if (connection.forgetBegin()) return Object.assign(query, { response: NOTHING });
  const done = await run();
  return isCommit ? assertCommitted(done) : done;
}

/** What has values is prepared once by each connection, and only bound from then on. */
function withName(query: Query): Query {
  if (query.options?.name !== undefined || query.bindings === undefined || query.bindings.length === 0) return query;
  const name = statementName(query.sql);
  return name === undefined ? query : Object.assign(query, { options: { ...query.options, name } });
}

/** Knex calls its methods on transactions too, which no constructor has made: it has no fields. */
export class KnexClient extends Dialect {
  _driver(): object {
    return { ...pg, Client: clientClass() };
  }

  override async acquireConnection(): Promise<BoundedClient> {
    const waiting = this.pool.numPendingAcquires();
    if (waiting >= this.config.poolState.maxWaiting)
      throw Object.assign(new Error(`unable to acquire a connection: ${waiting} others are waiting for one`), { code: NO_CONNECTION });
    const settled = afterPause();
    if (settled !== undefined) await settled;
    try {
      const connection = await super.acquireConnection();
      connection.forgetBegin();
      return connection;
    } catch (error) {
      // Such as a timeout of the pool, or of a connection that is being made.
      (error as { code?: string }).code ??= NO_CONNECTION;
      markNotConnected(error);
      throw error;
    }
  }

  override async acquireRawConnection(): Promise<BoundedClient> {
    try {
      return await super.acquireRawConnection();
    } catch (error) {
      // A pooler refuses the timeouts in the start-up message: the next connection to it has none.
      if ((error as { code?: string }).code !== '08P01') throw error;
      return super.acquireRawConnection();
    }
  }

  override validateConnection(connection: BoundedClient): boolean {
    const { openedBefore, silentSince } = this.config.poolState;
    return connection.openedAt >= openedBefore && connection.heardAt >= silentSince;
  }

  override _query(connection: BoundedClient, query: Query): Promise<unknown> {
    const { needsTimeouts, beginWithTimeouts } = this.config.poolState;
    const { sql } = query;
    if (needsTimeouts && sql === 'BEGIN;') return super._query(connection, Object.assign(query, { sql: beginWithTimeouts }));
    if (END.test(sql)) return endTransaction(connection, query, () => super._query(connection, query));
    if (BEGIN.test(sql)) connection.beginWithNext(sql.slice(0, -1));
    else if (SAVEPOINT.test(sql) && connection.isInTransaction) {
      // Nobody waits for it: where it fails, its transaction has failed already, and what follows fails with it.
      void connection.query(sql, () => undefined);
    } else return super._query(connection, withName(query));
    return Promise.resolve(Object.assign(query, { response: NOTHING }));
  }

  async checkVersion(connection: BoundedClient): Promise<string> {
    const { poolState } = this.config;
    const { rows } = (await connection.query(VERSION)) as { rows: { version: string; lock_timeout: string }[] };
    poolState.needsTimeouts = poolState.beginWithTimeouts !== '' && rows[0]?.lock_timeout !== String(poolState.lockTimeoutMs);
    return this._parseVersion(rows[0]?.version ?? '');
  }
}
