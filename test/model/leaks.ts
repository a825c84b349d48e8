/** What must be left of nothing: slots, bytes, streams and connections while the service runs, sessions and handles behind its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@specwright/postgres';
import { scaleTimeout } from 'specwright/testing';

/** Gauges that are 0 while nothing is under way; the request for the metrics is one itself. */
const GAUGES: Readonly<Record<string, number>> = {
  http_server_active_requests: 1,
  http_server_admission_running: 1,
  http_server_admission_expired: 0,
  http_server_admission_waiting: 0,
  http_server_open_streams: 0,
  http_server_body_bytes: 0,
  http_server_spooled_bytes: 0,
  db_client_connection_pending_requests: 0,
};
/** Figures may be a second old. */
const TIMEOUT_MS = 6000;

/** Waits until a server at rest has nothing. @returns the gauges that are above what is right. */
export async function findTaken(url: string): Promise<string[]> {
  const end = performance.now() + scaleTimeout(TIMEOUT_MS);
  for (;;) {
    const text = await fetch(`${url}/metrics`).then(
      (response) => response.text(),
      () => '',
    );
    const problems = Object.entries(GAUGES).flatMap(([name, most]) => {
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
      return Math.max(0, ...values) > most ? [`${name} is ${Math.max(...values)} at ${url} where nothing is under way`] : [];
    });
    if ((problems.length === 0 && text !== '') || performance.now() > end) return text === '' ? [`${url} has no metrics`] : problems;
    await sleep(20);
  }
}

/** Sessions of the service that its end has left. */
export async function findSessions(db: Database): Promise<string[]> {
  const end = performance.now() + scaleTimeout(TIMEOUT_MS);
  for (;;) {
    const { rows } = await db.raw<{ rows: { name: string; query: string }[] }>(
      `SELECT application_name AS name, query FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'petstore%' AND pid <> pg_backend_pid()`,
    );
    if (rows.length === 0 || performance.now() > end) return rows.map(({ name, query }) => `a session is left: ${name}: ${query}`);
    await sleep(20);
  }
}

/** Sockets, servers and timers that keep a process alive, by kind. */
export function countHandles(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Handles of which there are more than before. Sockets take a moment to end. */
export async function findHandles(before: ReadonlyMap<string, number>): Promise<string[]> {
  const end = performance.now() + scaleTimeout(TIMEOUT_MS);
  for (;;) {
    const more = [...countHandles()].filter(
      ([kind, count]) => /^(TCP|Pipe|Timeout|FSReqPromise)/.test(kind) && count > (before.get(kind) ?? 0),
    );
    if (more.length === 0 || performance.now() > end)
      return more.map(([kind, count]) => `${count} handles of the kind ${kind} are left, ${before.get(kind) ?? 0} were there before`);
    await sleep(20);
  }
}
