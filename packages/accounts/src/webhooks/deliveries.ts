/** What is sent: each delivery with its body, and how far it is. A delivery and its job commit with the transaction that sends it. */
import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@specwright/postgres';
import { DELIVERY, enqueue, hastenJobs, REDELIVERY } from './queue.ts';
import { read, transaction } from './store.ts';

export interface DeliveryJob {
  readonly accountId: number;
  readonly deliveryId: string;
  /** The trace of the request that sent it. */
  readonly traceparent?: string | undefined;
}

export interface NewDelivery {
  readonly accountId: number;
  /** `webhook-id`: a receiver gets it again with each further attempt. */
  readonly id: string;
  readonly name: string;
  /** JSON, as it is signed and sent. */
  readonly body: string;
  readonly traceparent?: string | undefined;
  /** Of a callback: where it is sent, instead of to the webhook of the account, and what it is signed with, if it is. */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
}

export interface QueuedDelivery {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly url: string | null;
  readonly secret: string | null;
  /** The tries that have failed. */
  readonly attempts: number;
  /** Whether the webhook of its account was deleted while it was queued. */
  readonly webhookDeleted: boolean;
  /** For how long it has been queued, in ms, by the clock of the database. */
  readonly age: number;
}

interface DeliveryResult {
  readonly attempts: number;
  /** The status of the last response, if there was one, and whether the contract declares it. */
  readonly answer?: number | undefined;
  readonly isDeclared?: boolean | undefined;
}

/** A delivery that has ended, as `onEnd` of a worker gets it. */
export interface EndedDelivery extends DeliveryResult {
  readonly accountId: number;
  readonly id: string;
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
 * The queue of an account in a lane, so that a receiver that is slow takes one delivery at a time, and no more. Those of the two lanes do
 * not wait for each other: a message that is to change lanes does so at once.
 */
const queueOf = (accountId: number, task: string) => `account ${accountId}${task === DELIVERY ? '' : ' again'}`;

/** Accounts choose ids, and the keys of the queue are those of all accounts. */
const keyOf = ({ accountId, deliveryId }: DeliveryJob) => `${accountId} ${deliveryId}`;

const addJob = (
  trx: Transaction,
  task: string,
  job: DeliveryJob,
  when: { delay?: number | undefined; priority?: number | undefined } = {},
) => enqueue(trx, { task, key: keyOf(job), queue: queueOf(job.accountId, task), payload: job, ...when });

/** Lets the deliveries of an account go first that were behind those of other slow receivers: its own is not slow any more. */
export const hastenRedeliveries = (db: Database, accountId: number): Promise<void> => hastenJobs(db, queueOf(accountId, REDELIVERY));

/**
 * Queues a delivery. Once its transaction has committed, it is `sent` or `failed` some time, whatever happens to this process.
 *
 * One whose id the account has used already is not queued again.
 */
export async function queueDelivery(db: Database, delivery: NewDelivery): Promise<void> {
  const { accountId, id, name, body, traceparent, url = null, secret = null } = delivery;
  const work = async (trx: Transaction) => {
    const row = { account_id: accountId, id, name, body, url, secret, created_at: trx.fn.now() };
    const query = trx('webhook_deliveries').insert(row).onConflict(['account_id', 'id']).ignore();
    const inserted = await read(query.returning('id'));
    if (inserted.length > 0) await addJob(trx, DELIVERY, { accountId, deliveryId: id, traceparent });
  };
  // The caller's transaction, without a savepoint: whatever fails here, fails it.
  await (db.isTransaction === true ? work(db as Transaction) : transaction(db, work));
}

const STATE = { status: 'status', attempts: 'attempts', answer: 'answer', isDeclared: 'is_declared' };

/** How far a delivery is; `undefined` if the account has none of that id, or not any more. */
export const findDelivery = (db: Database, accountId: number, id: string): Promise<DeliveryState | undefined> =>
  read(db('webhook_deliveries').where({ account_id: accountId, id }).first<DeliveryState | undefined>(STATE));

/** A delivery that is still to be made; `undefined` if there is nothing left to do. */
export const findQueued = (db: Database, accountId: number, id: string): Promise<QueuedDelivery | undefined> =>
  read(
    db('webhook_deliveries')
      .where({ account_id: accountId, id, status: 'queued' })
      .first<QueuedDelivery | undefined>(
        'id',
        'name',
        'body',
        'url',
        'secret',
        'attempts',
        { webhookDeleted: 'webhook_deleted' },
        db.raw<{ age: number }>('extract(epoch FROM now() - created_at)::float8 * 1000 AS age'),
      ),
  );

const resultColumns = ({ attempts, answer, isDeclared }: DeliveryResult) => ({
  attempts,
  ...(answer !== undefined && { answer, is_declared: isDeclared ?? null }),
});

/** What a service does when a delivery has ended, in the transaction that ends it. */
export type OnEnd = (trx: Transaction, delivery: EndedDelivery) => Promise<void>;

export async function endDelivery(db: Database, ended: EndedDelivery, onEnd?: OnEnd): Promise<void> {
  const { accountId, id, status } = ended;
  const query = (on: Database) => on('webhook_deliveries').where({ account_id: accountId, id, status: 'queued' });
  const columns = { status, ended_at: db.fn.now(), ...resultColumns(ended) };
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
  /** Of the queue: 0 goes first. */
  readonly priority?: number;
  readonly traceparent?: string | undefined;
}

/** Has a delivery that is queued made again. */
export async function retryDelivery(
  db: Database,
  accountId: number,
  id: string,
  { delay, priority, traceparent, ...result }: Retry,
): Promise<void> {
  await transaction(db, async (trx) => {
    const query = trx('webhook_deliveries').where({ account_id: accountId, id, status: 'queued' });
    const changed = await query.update(resultColumns(result));
    if (changed > 0) await addJob(trx, REDELIVERY, { accountId, deliveryId: id, traceparent }, { delay, priority });
  });
}

export interface ListedDelivery extends DeliveryState {
  readonly accountId: number;
  readonly id: string;
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
export const listDeliveries = (db: Database, filter: DeliveryFilter, limit: number): Promise<ListedDelivery[]> =>
  read(
    filtered(db, filter)
      .orderBy([{ column: 'created_at', order: 'desc' }, 'account_id', 'id'])
      .limit(limit)
      .select<ListedDelivery[]>({ accountId: 'account_id', id: 'id', name: 'name', ...STATE, createdAt: 'created_at' }),
  );

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
        .select('account_id', 'id');
      const query = trx('webhook_deliveries').whereIn(['account_id', 'id'], given).where({ status: 'failed' });
      const rows = await query
        .update({ status: 'queued', attempts: 0, created_at: trx.fn.now(), ended_at: null })
        .returning<{ accountId: number; id: string; name: string }[]>(['account_id AS accountId', 'id', 'name']);
      for (const { accountId, id } of rows) await addJob(trx, DELIVERY, { accountId, deliveryId: id });
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
