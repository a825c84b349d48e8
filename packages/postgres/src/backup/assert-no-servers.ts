/** Whether servers use a database that is about to be left: what they write after its snapshot would be lost. */
import type { Database } from '../connection/connect.ts';

/** @param db a pool of one connection. @throws Error if sessions of the service are connected. */
export async function assertNoServers(db: Database, service: string): Promise<void> {
  const { rows } = await db.raw<{ rows: { pids: number[] | null }[] }>(
    `SELECT array_agg(pid ORDER BY pid) AS pids FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND starts_with(application_name, ?)
        AND application_name NOT LIKE '% backup'`,
    [service],
  );
  const pids = rows[0]?.pids ?? [];
  if (pids.length > 0)
    throw new Error(
      `servers of ${service} are connected to the database (sessions ${pids.slice(0, 5).join(', ')}), and what they write now would be lost:\n` +
        'stop them, or copy what is there now with --online',
    );
}
