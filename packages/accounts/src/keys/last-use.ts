/** Records when API keys were last used. */
import type { Database } from '@specwright/postgres';

/**
 * Records that keys were used now: at most once a minute for each, however many servers see it used. A key that another
 * transaction is changing is skipped. It is no change of the key: `version`, its ETag, stays.
 */
export async function writeLastUse(db: Database, keys: readonly (readonly [keyId: number, accountId: number])[]): Promise<void> {
  await db.raw(
    // Not with a CTE: Citus (13.0) reads its rows back in another format than it has written them (22P02).
    `UPDATE api_keys SET last_used_at = now()
      WHERE (account_id, id) IN (
        SELECT k.account_id, k.id
          FROM api_keys k JOIN unnest(?::bigint[], ?::bigint[]) AS u(account_id, id) ON (k.account_id, k.id) = (u.account_id, u.id)
         WHERE k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute'
           FOR UPDATE OF k SKIP LOCKED)`,
    [keys.map(([, accountId]) => accountId), keys.map(([keyId]) => keyId)],
  );
}
