/** What is sent: each delivery with its body, and how far it is. A delivery and its job commit with the transaction that sends it. */
import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '@specwright/postgres';
import { DELIVERY, enqueue, REDELIVERY } from './queue.ts';
import { prepare, read, transaction } from './store.ts';

/** What a job says. */
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
  /** Which webhook or callback of the contract it is. */
  readonly name: string;
  /** JSON, as it is signed and sent. */
  readonly body: string;
  readonly traceparent?: string | undefined;
  /** Of a callback: where it is sent, instead of to the webhook of the account, and what it is signed with, if it is. */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
}

/** A delivery that is queued. */
export interface QueuedDelivery {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly url: string | null;
  readonly secret: string | null;
  /** The tries that have failed. */
  readonly attempts: number;
}

/** How a delivery has ended, or a try of it. */
export interface DeliveryResult {
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

// One queue for each account, so that a receiver that is slow takes one delivery at a time, and no more.
const addJob = (trx: Transaction, task: string, job: DeliveryJob, delay = 0) =>
  enqueue(trx, { task, key: job.deliveryId, queue: `account ${job.accountId}`, payload: job, delay });

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

const findQueuedRow = prepare((db, accountId: number, id: string) =>
  db('webhook_deliveries')
    .where({ account_id: accountId, id, status: 'queued' })
    .first<QueuedDelivery | undefined>('id', 'name', 'body', 'url', 'secret', 'attempts'),
);

/** A delivery that is still to be made; `undefined` if there is nothing left to do. */
export const findQueued = (db: Database, accountId: number, id: string): Promise<QueuedDelivery | undefined> =>
  findQueuedRow(db, accountId, id);

const resultColumns = ({ attempts, answer, isDeclared }: DeliveryResult) => ({
  attempts,
  ...(answer !== undefined && { answer, is_declared: isDeclared ?? null }),
});

/** What a service does when a delivery has ended, in the transaction that ends it. */
export type OnEnd = (trx: Transaction, delivery: EndedDelivery) => Promise<void>;

/** Ends a delivery that is queued; one that has ended already is not changed. */
export async function endDelivery(db: Database, ended: EndedDelivery, onEnd?: OnEnd): Promise<void> {
  const { accountId, id, status } = ended;
  const query = (on: Database) => on('webhook_deliveries').where({ account_id: accountId, id, status: 'queued' });
  const columns = { status, ...resultColumns(ended) };
  if (onEnd === undefined) {
    await read(query(db).update(columns));
    return;
  }
  await transaction(db, async (trx) => {
    const changed = await query(trx).update(columns);
    if (changed > 0) await onEnd(trx, ended);
  });
}

/** Has a delivery that is queued made again. @param options.delay after how long, in ms. */
export async function retryDelivery(
  db: Database,
  accountId: number,
  id: string,
  { delay, traceparent, ...result }: DeliveryResult & { delay: number; traceparent?: string | undefined },
): Promise<void> {
  await transaction(db, async (trx) => {
    const query = trx('webhook_deliveries').where({ account_id: accountId, id, status: 'queued' });
    const changed = await query.update(resultColumns(result));
    if (changed > 0) await addJob(trx, REDELIVERY, { accountId, deliveryId: id, traceparent }, delay);
  });
}

/**
 * Deletes rows that have ended, a batch at a time. Without FOR UPDATE, which Citus runs in no statement over all shards.
 *
 * @param table of deliveries, or of the service: with `account_id` and `id` as its key, `status`, which is `queued` until then, and `created_at`.
 * @param days how long they are kept from when they were made.
 */
export async function deleteEnded(db: Database, table: string, days: number): Promise<void> {
  const BATCH = 1000;
  let deleted: number;
  do {
    const { rowCount } = await read(
      db.raw<{ rowCount: number }>(
        `DELETE FROM ?? WHERE (account_id, id) IN (
           SELECT account_id, id FROM ?? WHERE status <> 'queued' AND created_at < now() - make_interval(days => ?)
            ORDER BY created_at LIMIT ?)`,
        [table, table, days, BATCH],
      ),
    );
    deleted = rowCount;
  } while (deleted === BATCH);
}
