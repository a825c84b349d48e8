/** A pool of `pg` itself, for a library that needs one. */
import pg from 'pg';
import { boundsOf, clientOptions, type ConnectOptions, type Database } from './connect.ts';
import { clientClass } from './traced-client.ts';
import { afterPause, gauge, inBackground, type Metric } from '@specwright/server';

type Release = (destroy?: Error | boolean) => void;
type OnConnected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/**
 * A client may be given back twice. graphile-worker 0.16.6 does so when it is stopped while its LISTEN is unanswered, which then
 * fails: in a promise that is not awaited, so the error of `pg` would end the process. Nothing is given back where `pg` has
 * passed no client, after a timeout.
 */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    const settled = afterPause();
    if (onConnected === undefined) return settled === undefined ? super.connect() : settled.then(() => super.connect());
    if (settled !== undefined) return inBackground(settled.then(() => this.connect(onConnected)));
    return super.connect((error, client, release: Release | undefined) => {
      let giveBack = release;
      onConnected(error, client, (destroy) => {
        giveBack?.(destroy);
        giveBack = undefined;
      });
    });
  }
}

/**
 * A pool whose connections are as those of `connect`, but for how values are read.
 *
 * @param options.pool the maximum number of connections. @param more further options of `pg`.
 */
export function openPool(options: ConnectOptions, more: pg.PoolConfig = {}): pg.Pool {
  const { url, name = 'specwright', pool: max = 10 } = options;
  const pool = new Pool({ ...clientOptions(url, name, boundsOf(options)), max, Client: clientClass() as never, ...more });
  const ignore = () => undefined;
  // The query on a lost connection gets the error; without a listener it would also end the process.
  return pool.on('error', ignore).on('connect', (client) => void client.on('error', ignore));
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

export function databaseMetrics(db: Database, name = 'database'): () => Metric[] {
  const { pool } = db.client as { pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number; max: number } };
  return () => poolMetrics(name, { used: pool.numUsed(), idle: pool.numFree(), max: pool.max, waiting: pool.numPendingAcquires() });
}
