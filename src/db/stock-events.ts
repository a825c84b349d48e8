/** Events of the stock: every change of it in the order in which the changes were committed, kept for a while. */
import { afterCommit, type Database, type Transaction } from '@specwright/postgres';
import { read, table } from './store.ts';
import { inBackground } from '@specwright/server';

/** Its notifications name the account. PostgreSQL has separate channels for each database. */
export const STOCK_CHANNEL = 'stock_events';

/** A pet's stock and status as a change left them; both `null` if the pet was deleted. */
export interface StockEvent {
  readonly id: number;
  readonly petId: number;
  readonly quantity: number | null;
  readonly status: 'available' | 'pending' | 'sold' | null;
}

/**
 * The number of the account's next event. Its row stays locked until the transaction ends, so the events of an account are numbered in the
 * order in which they are committed, and without gaps: a reader that has seen one will never find another before it. Numbers from a sequence
 * are taken in one order and committed in another, and a snapshot's `xmin` waits for the oldest transaction of the whole server.
 *
 * It costs the account's changes of stock the time of a commit, one after another. A transaction that takes it waits for no other lock after it, so it is
 * in no deadlock.
 */
export const NEXT_EVENTS = `INSERT INTO stock_event_counters (account_id, last_id) VALUES (?, ?)
  ON CONFLICT (account_id) DO UPDATE SET last_id = stock_event_counters.last_id + excluded.last_id
  RETURNING account_id, last_id`;

/**
 * Adds an event for each pet, as it is after the changes of the transaction: the last statement of a transaction that changes stock or a
 * status.
 *
 * What changes either has locked the pet's inventory row, so what this statement reads of them is what will be committed.
 */
export async function recordStockEvents(trx: Transaction, accountId: number, petIds: readonly number[]): Promise<void> {
  if (petIds.length === 0) return;
  await trx.raw(
    `WITH counter AS (${NEXT_EVENTS})
     INSERT INTO stock_events (account_id, id, pet_id, quantity, status)
     SELECT counter.account_id, counter.last_id - ? + changed.n, changed.pet_id, inventory.quantity, pets.status
       FROM counter CROSS JOIN unnest(?::bigint[]) WITH ORDINALITY AS changed (pet_id, n)
       LEFT JOIN inventory ON inventory.account_id = ? AND inventory.pet_id = changed.pet_id
       LEFT JOIN pets ON pets.account_id = ? AND pets.id = changed.pet_id`,
    [accountId, petIds.length, petIds.length, [...petIds], accountId, accountId],
  );
  notifyStreams(trx, accountId);
}

/** The accounts whose notification is to be sent over a pool, while one is under way. */
const waiting = new WeakMap<Database, Set<number>>();

/**
 * Wakes the streams of an account when its events are committed; nobody waits for it. Not in the transaction itself, because PostgreSQL lets
 * transactions that notify commit one at a time, each with its write to the disk. Streams look for what was not notified every few seconds.
 */
export function notifyStreams(db: Database, accountId: number): void {
  const notify = (pool: Database) => {
    const accounts = waiting.get(pool);
    if (accounts === undefined) inBackground(sendNotifications(pool, new Set([accountId])));
    else accounts.add(accountId);
  };
  if (db.isTransaction === true) afterCommit(db as Transaction, async (pool) => notify(pool));
  else notify(db);
}

async function sendNotifications(pool: Database, accounts: Set<number>): Promise<void> {
  waiting.set(pool, accounts);
  while (accounts.size > 0) {
    const ids = [...accounts];
    accounts.clear();
    await pool.raw('SELECT pg_notify(?, id::text) FROM unnest(?::bigint[]) id', [STOCK_CHANNEL, ids]).catch(() => undefined);
  }
  waiting.delete(pool);
}

interface Page {
  /** The id of the account's newest event, deleted ones included; 0 if there was none. */
  readonly lastId: number;
  readonly events: StockEvent[];
}

/** Events after one, in the order of their ids. @param after 0 for the oldest. */
export async function readStockEvents(db: Database, accountId: number, after: number, limit: number): Promise<Page> {
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
