/** What a pool of connections tells `GET /metrics`, by the names of OpenTelemetry's database conventions. */
import type { Metric, MetricSource } from '@specwright/server';
import type { Database } from './connect.ts';

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
  const gauge = (metric: string, help: string, values: Metric['values']): Metric => ({ name: metric, help, type: 'gauge', values });
  return [
    gauge('db_client_connections', 'Connections of a pool, by what they do.', [
      { labels: { ...labels, db_client_connection_state: 'used' }, value: used },
      { labels: { ...labels, db_client_connection_state: 'idle' }, value: idle },
    ]),
    gauge('db_client_connection_max', 'The most connections that a pool may have.', [{ labels, value: max }]),
    gauge('db_client_connection_pending_requests', 'Requests that wait for a connection of the pool.', [{ labels, value: waiting }]),
  ];
}

/** The pool of a database, for `metricSources` of `createServer`. */
export function databaseMetrics(db: Database, name = 'database'): MetricSource {
  const { pool } = db.client as { pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number; max: number } };
  return () => poolMetrics(name, { used: pool.numUsed(), idle: pool.numFree(), max: pool.max, waiting: pool.numPendingAcquires() });
}
