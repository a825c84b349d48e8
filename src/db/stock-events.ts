/** Events of the stock: every change of it, for each pet in the order of the commits, kept for a while. */
import { afterCommit, type Database, type Transaction } from '@specwright/postgres';
import { prepareWrite, read, table } from './store.ts';

/** A pet's stock and status as a change left them; both `null` if the pet was deleted. */
export interface StockEvent {
  readonly id: number;
  readonly petId: number;
  readonly quantity: number | null;
  readonly status: 'available' | 'pending' | 'sold' | null;
}

const record = prepareWrite((db, accountId: number, petIds: readonly number[]) =>
  db.raw<{ rows: object[] }>(
    `INSERT INTO pending_stock_events (account_id, pet_id, version, quantity, status)
     SELECT ?, changed.pet_id, coalesce(pets.version, 9007199254740991), pets.quantity, pets.status
       FROM unnest(?::bigint[]) changed (pet_id)
       LEFT JOIN pets ON pets.account_id = ? AND pets.id = changed.pet_id
     ON CONFLICT DO NOTHING`,
    [accountId, petIds as never, accountId],
  ),
);

/**
 * Adds an event for each pet, as it is after the changes of the transaction: one of the last statements of a transaction that changes stock
 * or a status. It gets its number when it is committed (`stock-numbers.ts`): no row that every change of an account would lock.
 *
 * What changes either has locked the pet's row with a statement before, so what this one reads is what will be committed. A state that has an
 * event already gets no other.
 */
export async function recordStockEvents(trx: Transaction, accountId: number, petIds: readonly number[]): Promise<void> {
  wakeNumbering(trx);
  await record(trx, accountId, petIds);
}

/** Who gives numbers to the events that are committed over a pool. */
const numberers = new WeakMap<Database, Set<() => void>>();

/** @param wake is called when there are events without a number. @returns what ends that. */
export function onStockEvents(db: Database, wake: () => void): () => void {
  const ofPool = numberers.get(db) ?? new Set();
  numberers.set(db, ofPool.add(wake));
  return () => void ofPool.delete(wake);
}

/** Has events numbered, once they are committed. */
export function wakeNumbering(db: Database): void {
  const wake = (pool: Database) => numberers.get(pool)?.forEach((one) => one());
  if (db.isTransaction === true) afterCommit(db as Transaction, async (pool) => wake(pool));
  else wake(db);
}

export interface EventPage {
  /** The id of the account's newest event, deleted ones included; 0 if there was none. */
  readonly lastId: number;
  readonly events: readonly StockEvent[];
}

/** Events after one, in the order of their ids. @param after 0 for the oldest. */
export async function readStockEvents(db: Database, accountId: number, after: number, limit: number): Promise<EventPage> {
  // One statement, so that the newest id is that of the moment at which the events were read.
  const { rows } = await read(
    db.raw<{ rows: { lastId: number; id: number | null; petId: number; quantity: number | null; status: StockEvent['status'] }[] }>(
      `SELECT counter.last_id AS "lastId", event.id, event.pet_id AS "petId", event.quantity, event.status
         FROM stock_event_counters counter
         LEFT JOIN LATERAL (SELECT * FROM stock_events
                             WHERE account_id = ? AND id > ? ORDER BY account_id, id LIMIT ?) event ON true
        WHERE counter.account_id = ? ORDER BY event.id`,
      [accountId, after, limit, accountId],
    ),
  );
  const events = rows.flatMap(({ id, petId, quantity, status }) => (id === null ? [] : [{ id, petId, quantity, status }]));
  return { lastId: rows[0]?.lastId ?? 0, events };
}

/** The ids of the newest events of accounts, by account. */
export async function readLastIds(db: Database, accountIds: readonly number[]): Promise<{ accountId: number; lastId: number }[]> {
  const query = table(db, 'stock_event_counters').whereIn('account_id', accountIds);
  return read(query.select<{ accountId: number; lastId: number }[]>({ accountId: 'account_id', lastId: 'last_id' }));
}

/** Deletes events, a batch at a time, without FOR UPDATE: Citus runs it in no statement over all shards. @param hours how long they are kept. */
export async function deleteOldStockEvents(db: Database, hours: number): Promise<void> {
  const BATCH = 1000;
  let deleted: number;
  do {
    const { rowCount } = await read(
      db.raw<{ rowCount: number }>(
        `DELETE FROM stock_events WHERE (account_id, id) IN (
           SELECT account_id, id FROM stock_events WHERE created_at < now() - make_interval(hours => ?)
            ORDER BY created_at LIMIT ?)`,
        [hours, BATCH],
      ),
    );
    deleted = rowCount;
  } while (deleted === BATCH);
}
