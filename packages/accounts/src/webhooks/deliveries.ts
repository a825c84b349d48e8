/** What is sent: each delivery with its body, and how far it is. It is queued if and only if the transaction commits that sends it. */
import { randomBytes } from 'node:crypto';
import { notify, type Database, type Transaction } from '@specwright/postgres';
import { CHANNEL, UNLEASED, type DeliveryKey, type LeasedDelivery } from './queue.ts';
import { withTextDates } from '../text-dates.ts';
import { read, transaction } from './store.ts';

export interface NewDelivery extends DeliveryKey {
  readonly name: string;
  /** JSON, as it is signed and sent. */
  readonly body: string;
  /** The trace of the request that sends it. */
  readonly traceparent?: string | undefined;
  /** Of a callback: where it is sent, instead of to the webhook of the account, and what it is signed with, if it is. */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
}

interface DeliveryResult {
  readonly attempts: number;
  /** The status of the last response, if there was one, and whether the contract declares it. */
  readonly answer?: number | undefined;
  readonly isDeclared?: boolean | undefined;
}

/** A delivery that has ended, as `onEnd` of a worker gets it. */
export interface EndedDelivery extends DeliveryKey, DeliveryResult {
  readonly name: string;
  readonly status: 'sent' | 'failed';
}

/** What a sender may ask how far a delivery is. */
export interface DeliveryState {
  readonly status: 'queued' | 'sent' | 'failed';
  readonly attempts: number;
  readonly answer: number | null;
  readonly isDeclared: boolean | null;
}

/** `msg_` and a UUID of version 7 (RFC 9562, section 5.7): it cannot be guessed, and new ones are neighbours in the index. */
export function createDeliveryId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `msg_${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/**
 * Queues a delivery. Once its transaction has committed, it is `sent` or `failed` some time, whatever happens to this process.
 *
 * One whose id the account has used already is not queued again.
 */
export async function queueDelivery(db: Database, delivery: NewDelivery): Promise<void> {
  const { accountId, id, name, body, traceparent = null, url = null, secret = null } = delivery;
  const work = async (trx: Transaction) => {
    const row = { account_id: accountId, id, name, body, url, secret, traceparent, created_at: trx.fn.now() };
    const query = trx('webhook_deliveries').insert(row).onConflict(['account_id', 'id']).ignore();
    const inserted = await read(query.returning('id'));
    if (inserted.length > 0) await notify(trx, CHANNEL, '');
  };
  // The caller's transaction, without a savepoint: whatever fails here, fails it.
  await (db.isTransaction === true ? work(db as Transaction) : transaction(db, work));
}

const STATE = { status: 'status', attempts: 'attempts', answer: 'answer', isDeclared: 'is_declared' };

/** How far a delivery is; `undefined` if the account has none of that id, or not any more. */
export const findDelivery = (db: Database, accountId: number, id: string): Promise<DeliveryState | undefined> =>
  read(db('webhook_deliveries').where({ account_id: accountId, id }).first<DeliveryState | undefined>(STATE));

/** Whether the webhook of its account was deleted while it was queued. */
export async function isWebhookDeleted(db: Database, { accountId, id }: DeliveryKey): Promise<boolean> {
  const query = db('webhook_deliveries').where({ account_id: accountId, id, webhook_deleted: true });
  return (await read(query.first<{ id: string } | undefined>('id'))) !== undefined;
}

const resultColumns = ({ attempts, answer, isDeclared }: DeliveryResult) => ({
  attempts,
  ...(answer !== undefined && { answer, is_declared: isDeclared ?? null }),
});

/** What a service does when a delivery has ended, in the transaction that ends it. */
export type OnEnd = (trx: Transaction, delivery: EndedDelivery) => Promise<void>;

export async function endDelivery(db: Database, ended: EndedDelivery, onEnd?: OnEnd): Promise<void> {
  const { accountId, id, status } = ended;
  const query = (on: Database) => on('webhook_deliveries').where({ account_id: accountId, id, status: 'queued' });
  const columns = { status, ended_at: db.fn.now(), ...UNLEASED, ...resultColumns(ended) };
  if (onEnd === undefined) {
    await read(query(db).update(columns));
    return;
  }
  await transaction(db, async (trx) => {
    const changed = await query(trx).update(columns);
    if (changed > 0) await onEnd(trx, ended);
  });
}

/** How a delivery is made again. */
interface Retry extends DeliveryResult {
  /** After how long at the least, in ms. */
  readonly delay?: number;
}

/** Has a delivery made again, among those that follow a failure. It does nothing once the lease is lost. */
export async function retryDelivery(db: Database, leased: LeasedDelivery, { delay = 0, ...result }: Retry): Promise<void> {
  const { accountId, id, leasedBy } = leased;
  const query = db('webhook_deliveries').where({ account_id: accountId, id, status: 'queued', leased_by: leasedBy });
  const due = db.raw(`now() + ?::float8 * interval '1 millisecond'`, [delay]);
  await read(query.update({ lane: 'retries', due_at: due, ...UNLEASED, ...resultColumns(result) }));
}

export interface ListedDelivery extends DeliveryKey, DeliveryState {
  readonly name: string;
  readonly createdAt: string;
}

/** Which deliveries: of an account or of all, made since a moment. */
export interface DeliveryFilter {
  readonly accountId?: number | undefined;
  readonly since?: Date | undefined;
  readonly status?: DeliveryState['status'] | undefined;
}

function filtered(db: Database, { accountId, since, status }: DeliveryFilter) {
  const query = db('webhook_deliveries');
  if (accountId !== undefined) void query.where({ account_id: accountId });
  if (since !== undefined) void query.where('created_at', '>=', since);
  if (status !== undefined) void query.where({ status });
  return query;
}

/** The newest first. */
export async function listDeliveries(db: Database, filter: DeliveryFilter, limit: number): Promise<ListedDelivery[]> {
  const rows = await read(
    filtered(db, filter)
      .orderBy([{ column: 'created_at', order: 'desc' }, 'account_id', 'id'])
      .limit(limit)
      .select<ListedDelivery[]>({ accountId: 'account_id', id: 'id', name: 'name', ...STATE, createdAt: 'created_at' }),
  );
  return rows.map(withTextDates);
}

/** What a service does when deliveries are queued again, in the transaction that does it. */
export type OnReplay = (trx: Transaction, deliveries: readonly Pick<ListedDelivery, 'accountId' | 'id' | 'name'>[]) => Promise<void>;

const REPLAY_BATCH = 500;

/**
 * Queues deliveries again that were given up, under their ids, as if they were new. An interruption leaves whole batches done.
 *
 * @returns how many.
 */
export async function replayDeliveries(db: Database, filter: Omit<DeliveryFilter, 'status'>, onReplay?: OnReplay): Promise<number> {
  let replayed = 0;
  let batch: number;
  do {
    batch = await transaction(db, async (trx) => {
      const given = filtered(trx, { ...filter, status: 'failed' })
        .orderBy('created_at')
        .limit(REPLAY_BATCH)
        .select('account_id', 'id', trx.raw('row_number() OVER (ORDER BY created_at) AS rank'));
      // Due in the order in which they were sent, and all of them by now.
      const { rows } = await trx.raw<{ rows: { accountId: number; id: string; name: string }[] }>(
        `UPDATE webhook_deliveries d
            SET status = 'queued', attempts = 0, created_at = now(), ended_at = NULL, lane = 'first',
                due_at = now() + (given.rank - ?) * interval '1 microsecond'
           FROM ? AS given
          WHERE d.account_id = given.account_id AND d.id = given.id AND d.status = 'failed'
         RETURNING d.account_id AS "accountId", d.id, d.name`,
        [REPLAY_BATCH, given],
      );
      if (rows.length > 0) await notify(trx, CHANNEL, '');
      await onReplay?.(trx, rows);
      return rows.length;
    });
    replayed += batch;
  } while (batch === REPLAY_BATCH);
  return replayed;
}

/**
 * Deletes rows that have ended, a batch at a time. Without FOR UPDATE, which Citus runs in no statement over all shards.
 *
 * @param table of deliveries, or of the service: with `account_id` and `id` as its key, `status`, which is `queued` until then, `created_at`
 *   and `ended_at`. @param days how long they are kept from when they ended.
 */
export async function deleteEnded(db: Database, table: string, days: number): Promise<void> {
  const BATCH = 1000;
  let deleted: number;
  do {
    const { rowCount } = await read(
      db.raw<{ rowCount: number }>(
        `DELETE FROM ?? WHERE (account_id, id) IN (
           SELECT account_id, id FROM ?? WHERE status <> 'queued' AND ended_at < now() - make_interval(days => ?)
            ORDER BY ended_at LIMIT ?)`,
        [table, table, days, BATCH],
      ),
    );
    deleted = rowCount;
  } while (deleted === BATCH);
}
