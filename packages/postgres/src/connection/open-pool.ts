/** A pool of `pg` whose connections are bounded, and that drops suspect ones. */
import pg from 'pg';
import { boundsOf, clientOptions, type ConnectOptions } from './connect-options.ts';
import type { BoundedClient } from './bounded-client.ts';
import type { BoundedClientConfig, Suspects } from './statement.ts';
import { addressOf } from './connection-problem.ts';
import { refusesSettings } from './session-probe.ts';
import { clientClass } from './traced-client.ts';
import { markNotConnected } from '../store/sqlstate.ts';
import { afterPause, checkPause, gauge, type Metric } from '@specwright/contract/runtime';

type Release = (destroy?: Error | boolean) => void;
type OnConnected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;
export type PooledClient = BoundedClient & { readonly release: Release };

/** SQLSTATE of a client that has no connection (sqlclient_unable_to_establish_sqlconnection). */
const NO_CONNECTION = '08001';
const IDLE_TIMEOUT_MS = 30_000;

/**
 * A client may be given back twice: a library that is stopped while its statement is unanswered, which then fails, does so in a promise that
 * is not awaited, where the error of `pg` would end the process. Nothing is given back where `pg` has passed no client, after a timeout.
 */
export class BoundedPool extends pg.Pool {
  readonly #suspects: { openedBefore: number; silentSince: number };

  constructor(config: Omit<BoundedClientConfig, 'onSuspect'> & pg.PoolConfig) {
    const suspects = { openedBefore: 0, silentSince: 0 };
    const onSuspect = ({ openedBefore = 0, silentSince = 0 }: Suspects) => {
      suspects.openedBefore = Math.max(suspects.openedBefore, openedBefore);
      suspects.silentSince = Math.max(suspects.silentSince, silentSince);
    };
    super({ idleTimeoutMillis: IDLE_TIMEOUT_MS, ...config, onSuspect, Client: clientClass() as never } as pg.PoolConfig);
    this.#suspects = suspects;
    // The statement on a lost connection gets the error; without a listener it would also end the process.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    const client = this.acquire() as unknown as Promise<pg.PoolClient>;
    if (onConnected === undefined) return client;
    client.then(
      (connected) => {
        let isReleased = false;
        onConnected(undefined, connected, (destroy) => {
          if (!isReleased) connected.release(destroy);
          isReleased = true;
        });
      },
      (error: unknown) => onConnected(error as Error, undefined, () => undefined),
    );
  }

  /** @throws an error that is marked as that of no connection, with the code 08001 if it has none. */
  async acquire(): Promise<PooledClient> {
    if (checkPause()) await afterPause();
    const suspects = this.#suspects;
    let isRetry = false;
    for (;;) {
      let client: PooledClient;
      try {
        client = (await super.connect()) as unknown as PooledClient;
      } catch (error) {
        this.#assertRetry(error as Error, isRetry);
        isRetry = true;
        continue;
      }
      const { failure, openedAt, heardAt } = client;
      if (failure === undefined && openedAt >= suspects.openedBefore && heardAt >= suspects.silentSince) return client;
      client.release(true);
    }
  }

  /** @throws the error, unless another connection may succeed: a pooler refuses what is set at the start of one. */
  #assertRetry(error: Error & { code?: string }, isRetry: boolean): void {
    const { connectionString } = this.options;
    // Several may have been opened at once, with settings that the pooler refuses to all of them.
    if (connectionString !== undefined && !isRetry && refusesSettings(addressOf(connectionString), error)) return;
    error.code ??= NO_CONNECTION;
    markNotConnected(error);
    throw error;
  }
}

/**
 * A pool whose connections are as those of `connect`, but for how values are read. A library that uses cursors needs `pipeline: false`.
 *
 * @param options.pool the maximum number of connections. @param more further options of `pg`.
 */
export function openPool(options: ConnectOptions, more: pg.PoolConfig = {}): pg.Pool {
  const { url, name = 'specwright', pool: max = 10 } = options;
  return new BoundedPool({ ...clientOptions(url, name, boundsOf(options)), max, ...more });
}

// What a pool of connections tells `GET /metrics`, by the names of OpenTelemetry's database conventions.

/** The state of a pool: connections in use and idle, the most that there may be, and who waits for one. */
export interface PoolCounts {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  readonly waiting: number;
}

/** @param name of the pool, in the label of each metric. */
export function poolMetrics(name: string, { used, idle, max, waiting }: PoolCounts): Metric[] {
  const labels = { db_client_connection_pool_name: name };
  return [
    gauge('db_client_connections', 'Connections of a pool, by what they do.', [
      { labels: { ...labels, db_client_connection_state: 'used' }, value: used },
      { labels: { ...labels, db_client_connection_state: 'idle' }, value: idle },
    ]),
    gauge('db_client_connection_max', 'The most connections that a pool may have.', [{ labels, value: max }]),
    gauge('db_client_connection_pending_requests', 'Requests that wait for a connection of the pool.', [{ labels, value: waiting }]),
  ];
}
