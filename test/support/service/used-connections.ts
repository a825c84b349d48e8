/** How many connections of a pool are in use. */
import { databaseMetrics, type Database } from '@specwright/postgres';

/** @returns those that a statement or a transaction has, as `GET /metrics` counts them. */
export function usedConnections(db: Database): number {
  const values = databaseMetrics(db)().find(({ name }) => name === 'db_client_connections')?.values ?? [];
  return values.find(({ labels }) => labels?.['db_client_connection_state'] === 'used')?.value ?? NaN;
}
