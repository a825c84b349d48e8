/** Says who holds the lock that a migration waits for. A migration is not bounded: it would wait in silence. */
import type { Knex } from 'knex';
import type { WaitLog } from '../connection/command-log.ts';
import type { Database } from '../connection/connect.ts';
import { inBackground } from '@specwright/server';

/** Who holds a lock is said again after this time, in ms. */
const REPORT_INTERVAL_MS = 30_000;

/** How the sessions of migrations are called. */
const MIGRATION = / migration [0-9a-f]{6}( |$)/;

interface Holder {
  readonly pid: number;
  readonly name: string;
  readonly address: string | null;
  /** `null` if this role may not see it. */
  readonly state: string | null;
  /** How long its transaction has lasted, or how long it has been idle, in seconds. */
  readonly seconds: number | null;
}

// Those at whose end the others go on: not those that wait for a lock themselves.
const HOLDERS = `
  WITH RECURSIVE waiting AS (
    SELECT pid, ARRAY[pid] AS path FROM pg_stat_activity WHERE starts_with(application_name, ?)
    UNION ALL
    SELECT blocker, path || blocker FROM waiting, unnest(pg_blocking_pids(waiting.pid)) AS blocker WHERE blocker <> ALL(path)
  )
  SELECT DISTINCT s.pid, coalesce(s.application_name, '') AS name, host(s.client_addr) AS address, s.state,
         extract(epoch FROM now() - coalesce(s.xact_start, s.state_change))::float8 AS seconds
    FROM waiting JOIN pg_stat_activity s USING (pid)
   WHERE NOT starts_with(coalesce(s.application_name, ''), ?) AND pg_blocking_pids(s.pid) = '{}'
   ORDER BY seconds DESC`;

/**
 * Looks every now and then whether sessions of a pool wait for a lock.
 *
 * @param db a pool of sessions whose `application_name` begins with what no other has: `name`. @param afterMs how long a wait is
 *   usual, in ms. @returns ends the watch.
 */
export function reportLockWait(db: Database, name: string, log: WaitLog, afterMs: number): () => void {
  const client = db.client as Knex.Client;
  let isEnded = false;
  let timer = setTimeout(() => inBackground(look()), afterMs);

  async function look(): Promise<void> {
    let session: unknown;
    // A migration may come to a lock at any time.
    let nextMs = afterMs;
    try {
      // Not from the pool, whose sessions may all be waiting.
      session = await client.acquireRawConnection();
      const { rows } = await db.raw<{ rows: Holder[] }>(HOLDERS, [name, name]).connection(session);
      if (rows.length > 0) {
        nextMs = REPORT_INTERVAL_MS;
        if (!isEnded) log.warn({ reason: rows.map(describe).join('; ') }, 'migrations wait for a lock');
      }
    } catch {
      // The database is gone, which the migration notices itself.
    } finally {
      if (session !== undefined) await client.destroyRawConnection(session).catch(() => undefined);
    }
    if (!isEnded) timer = setTimeout(() => inBackground(look()), nextMs);
  }
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

function describe({ pid, name, address, state, seconds }: Holder): string {
  const who = [name || 'without a name', state ?? 'of another role', ...(address === null ? [] : [`from ${address}`])].join(', ');
  const time = seconds === null ? '' : ` for ${Math.max(0, Math.round(seconds))} s`;
  // Another migration is not to be ended: it does the work.
  const fix = MIGRATION.test(name) ? '' : `; to end it: SELECT pg_terminate_backend(${pid})`;
  return `held${time} by session ${pid} (${who})${fix}`;
}
