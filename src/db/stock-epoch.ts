/** Ids of stock events after a recovery to an earlier moment: none is given again that a client may have seen. */
import type { RunQuery } from '@specwright/postgres';

/**
 * Ids go on far above any that was given: from the seconds since 1970, times as many as there cannot be events in a second. Of every account,
 * since one without events now may have had some. A stream that goes on from an id in the gap begins with `reset`.
 */
export async function renewStockEventIds(query: RunQuery): Promise<void> {
  const [{ present } = { present: false }] = await query<{ present: boolean }>(
    `SELECT to_regclass('stock_event_counters') IS NOT NULL AS present`,
  );
  if (!present) return;
  await query(`
    INSERT INTO stock_event_counters AS c (account_id, last_id) SELECT account_id, extract(epoch FROM now())::bigint << 20 FROM accounts
    ON CONFLICT (account_id) DO UPDATE SET last_id = greatest(c.last_id + 1, excluded.last_id)`);
}
