/** Keys that are no longer valid are kept for a while, for inspection, and then deleted. */
import type { Database } from '@specwright/postgres';
import { read } from '../store.ts';

export const KEY_RETENTION_DAYS = 90;

/** How often, and how many by one statement. */
export const KEY_CLEANUP_INTERVAL_MS = 3_600_000;
const MAX_ROWS = 1000;

// LEAST ignores a NULL. With a key go its strikes and bans.
const DELETE_ENDED = `
  DELETE FROM api_keys WHERE (account_id, id) IN (
    SELECT account_id, id FROM api_keys
     WHERE least(revoked_at, expires_at) < now() - ? * interval '1 day' ORDER BY account_id, id LIMIT ${MAX_ROWS})`;

/** Removes keys that were revoked or have expired so many days ago. @returns how many. */
export async function deleteEndedKeys(db: Database, days: number): Promise<number> {
  let removed = 0;
  for (let rows = MAX_ROWS; rows === MAX_ROWS; removed += rows)
    ({ rowCount: rows } = await read(db.raw<{ rowCount: number }>(DELETE_ENDED, [days])));
  return removed;
}
