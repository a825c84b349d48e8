/** Reads and deletes published events. */
import type { Database } from '../connection/connect.ts';
import { createStoreAccess } from '../store/store-access.ts';

export const { read, transaction } = createStoreAccess();

export interface PublishedEvent {
  readonly id: number;
  readonly previousId: number;
  /** As it was appended. */
  readonly event: object;
}

export interface EventPage {
  /** The id of the newest event of the account's log, deleted ones included; 0 if there was none. */
  readonly lastId: number;
  readonly events: readonly PublishedEvent[];
}

type PageRow = { lastId: number } & ({ id: number; previousId: number; event: string } | { id: null });

/** Events after one, in the order of their ids. */
export async function readEvents(db: Database, log: string, accountId: number, after: number, limit: number): Promise<EventPage> {
  // One statement, so that the newest id is that of the moment at which the events were read.
  const { rows } = await read(
    db.raw<{ rows: PageRow[] }>(
      `SELECT head.last_id AS "lastId", event.id, event.previous_id AS "previousId", event.event
         FROM event_log_last_ids head
         LEFT JOIN LATERAL (SELECT id, previous_id, event::text FROM event_log
                             WHERE account_id = :accountId AND log = :log AND id > :after
                             ORDER BY account_id, log, id LIMIT :limit) event ON true
        WHERE head.account_id = :accountId AND head.log = :log ORDER BY event.id`,
      { accountId, log, after, limit },
    ),
  );
  const events = rows.flatMap((row) =>
    row.id === null ? [] : [{ id: row.id, previousId: row.previousId, event: JSON.parse(row.event) as object }],
  );
  return { lastId: rows[0]?.lastId ?? 0, events };
}

/** The ids of the newest events of all logs of accounts. */
export async function readLastIds(
  db: Database,
  accountIds: readonly number[],
): Promise<readonly { log: string; accountId: number; lastId: number }[]> {
  const { rows } = await read(
    db.raw<{ rows: { log: string; accountId: number; lastId: number }[] }>(
      'SELECT log, account_id AS "accountId", last_id AS "lastId" FROM event_log_last_ids WHERE account_id = ANY (?::bigint[])',
      [accountIds as never],
    ),
  );
  return rows;
}

/** How long the oldest committed event has waited to be published, in s. */
export async function readPendingAge(db: Database): Promise<number> {
  const { rows } = await read(
    db.raw<{ rows: { age: number }[] }>(
      'SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM event_log_pending',
    ),
  );
  return rows[0]?.age ?? 0;
}

/** The most events that one statement deletes. */
const BATCH = 1000;

/** Deletes events of all logs, a batch at a time, without FOR UPDATE: Citus runs it in no statement over all shards. @param hours how long they are kept. */
export async function deleteOldEvents(db: Database, hours: number): Promise<void> {
  let deleted: number;
  do {
    const { rowCount } = await read(
      db.raw<{ rowCount: number }>(
        `DELETE FROM event_log WHERE (account_id, log, id) IN (
           SELECT account_id, log, id FROM event_log WHERE created_at < now() - make_interval(hours => ?)
            ORDER BY created_at LIMIT ?)`,
        [hours, BATCH],
      ),
    );
    deleted = rowCount;
  } while (deleted === BATCH);
}
