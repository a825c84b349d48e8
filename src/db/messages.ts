/** Messages: what an account sends, and how far each one is. A message and the job that delivers it commit together. */
import { randomBytes } from 'node:crypto';
import {
  returning,
  toColumns,
  toStored,
  type ColumnMap,
  type Database,
  type RecordOf,
  type RowOf,
  type Transaction,
} from '@specwright/postgres';
import type { Stored } from '@specwright/server';
import { enqueue } from '@specwright/webhooks';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import { AppError } from '../errors.ts';
import { prepare, read, table, transaction } from './store.ts';

export type NewMessage = Input<'sendMessage'>['body'];

/** What a client gives, and what it gets. */
const GIVEN = { message: 'message' } as const satisfies ColumnMap<Tables['messages'], NewMessage>;
const COLUMNS = { id: 'id', ...GIVEN, status: 'status', createdAt: 'created_at', version: 'version' } as const satisfies ColumnMap<
  Tables['messages'],
  Schemas['Message']
>;
const QUEUED = { ...COLUMNS, attempts: 'attempts' } as const;

type Row = RowOf<Tables['messages'], typeof COLUMNS>;
export type Message = RecordOf<Omit<Row, 'version'>>;

/** The tasks of the queue that deliver a message: in time, and once it or its receiver has failed. What their jobs say. */
export const DELIVERY = 'deliver_message';
export const REDELIVERY = 'redeliver_message';
export interface DeliveryJob {
  readonly accountId: number;
  readonly messageId: string;
  /** The trace of the request that sent it. */
  readonly traceparent?: string | undefined;
}

/** `msg_` and a UUID of version 7 (RFC 9562, section 5.7): it cannot be guessed, and new ones are neighbours in the index. */
function createMessageId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `msg_${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

// One queue for each account, so that a receiver that is slow takes one delivery at a time, and no more.
const addDelivery = (trx: Transaction, task: string, job: DeliveryJob, delay = 0) =>
  enqueue(trx, {
    task,
    key: job.messageId,
    queue: `account ${job.accountId}`,
    payload: job,
    delay,
  });

/** Queues a message. Once this has returned, it is delivered or marked `failed`, whatever happens to this process. */
export async function createMessage(
  db: Database,
  accountId: number,
  values: NewMessage,
  now: Date,
  traceparent?: string,
): Promise<Stored<Message>> {
  return transaction(db, async (trx) => {
    const id = createMessageId(now);
    const query = table(trx, 'messages').insert({ account_id: accountId, id, ...toColumns(GIVEN, values), created_at: now });
    const [row] = await query.returning<Row[]>(returning(COLUMNS));
    await addDelivery(trx, DELIVERY, { accountId, messageId: id, traceparent });
    return toStored(row as Row);
  });
}

const find = prepare('messages.get', (db, accountId: number, id: string) =>
  table(db, 'messages').where({ account_id: accountId, id }).first<Row | undefined>(COLUMNS),
);

/** @throws AppError not_found */
export async function getMessage(db: Database, accountId: number, id: string): Promise<Stored<Message>> {
  const row = await find(db, accountId, id);
  if (row === undefined) throw new AppError('not_found', `there is no message ${id}`);
  return toStored(row);
}

const findQueuedRow = prepare('messages.findQueued', (db, accountId: number, id: string) =>
  table(db, 'messages')
    .where({ account_id: accountId, id, status: 'queued' })
    .first<RowOf<Tables['messages'], typeof QUEUED> | undefined>(QUEUED),
);

/** A message that is still to be delivered, and how often that has failed; `undefined` if there is nothing left to do. */
export async function findQueued(db: Database, accountId: number, id: string): Promise<(Message & { attempts: number }) | undefined> {
  const row = await findQueuedRow(db, accountId, id);
  return row && toStored(row).record;
}

/** Ends a message that is queued; one that has ended already is not changed. @param attempts the tries that failed. */
export async function endMessage(
  db: Database,
  accountId: number,
  id: string,
  { status, attempts }: { status: 'sent' | 'failed'; attempts: number },
): Promise<void> {
  const query = table(db, 'messages').where({ account_id: accountId, id, status: 'queued' });
  await read(query.update({ status, attempts, version: db.raw('version + 1') }));
}

/** Has a message that is queued delivered again. @param attempts the tries that failed; @param delay after how long, in ms. */
export async function retryMessage(
  db: Database,
  accountId: number,
  id: string,
  { attempts, delay, traceparent }: { attempts: number; delay: number; traceparent?: string | undefined },
): Promise<void> {
  await transaction(db, async (trx) => {
    const changed = await table(trx, 'messages').where({ account_id: accountId, id, status: 'queued' }).update({ attempts });
    if (changed > 0) await addDelivery(trx, REDELIVERY, { accountId, messageId: id, traceparent }, delay);
  });
}

/** Deletes messages that have ended, a batch at a time. @param days how long they are kept from when they were sent. */
export async function deleteEndedMessages(db: Database, days: number): Promise<void> {
  const BATCH = 1000;
  let deleted: number;
  do {
    const { rowCount } = await read(
      db.raw<{ rowCount: number }>(
        `DELETE FROM messages WHERE (account_id, id) IN (
           SELECT account_id, id FROM messages WHERE status <> 'queued' AND created_at < now() - make_interval(days => ?)
            ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)`,
        [days, BATCH],
      ),
    );
    deleted = rowCount;
  } while (deleted === BATCH);
}
