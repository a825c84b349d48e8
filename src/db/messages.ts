/** Messages: what an account sends, and how far each one is. A message and its delivery commit together. */
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
import { createDeliveryId, queueDelivery, type EndedDelivery } from '@specwright/webhooks';
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

type Row = RowOf<Tables['messages'], typeof COLUMNS>;
export type Message = RecordOf<Omit<Row, 'version'>>;

/** Queues a message. Once this has returned, it is delivered or marked `failed`, whatever happens to this process. */
export async function createMessage(
  db: Database,
  accountId: number,
  values: NewMessage,
  now: Date,
  traceparent?: string,
): Promise<Stored<Message>> {
  return transaction(db, async (trx) => {
    const id = createDeliveryId(now);
    const query = table(trx, 'messages').insert({ account_id: accountId, id, ...toColumns(GIVEN, values), created_at: now });
    const [row] = await query.returning<Row[]>(returning(COLUMNS));
    const stored = toStored(row as Row);
    await sendMessage(trx, accountId, stored.record, now, traceparent);
    return stored;
  });
}

async function sendMessage(trx: Transaction, accountId: number, { id, message, createdAt }: Message, now: Date, traceparent?: string) {
  const body = JSON.stringify({ type: 'message.created', timestamp: createdAt, data: { id, message, createdAt } });
  await queueDelivery(trx, { accountId, id, name: 'messageCreated', body, createdAt: now, traceparent });
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

/** Ends a message as its delivery has ended; one that has ended already is not changed. */
export async function endMessage(trx: Transaction, { accountId, id, status, attempts }: EndedDelivery): Promise<void> {
  const query = table(trx, 'messages').where({ account_id: accountId, id, status: 'queued' });
  await read(query.update({ status, attempts, version: trx.raw('version + 1') }));
}

/** What was queued before messages had deliveries, by the tasks of the queue that delivered it: such a job makes the delivery. */
export const FORMER_TASKS = { deliver_message: deliverFormer, redeliver_message: deliverFormer };

async function deliverFormer(db: Database, payload: unknown): Promise<void> {
  const { accountId, messageId, traceparent } = payload as { accountId: number; messageId: string; traceparent?: string };
  await transaction(db, async (trx) => {
    const query = table(trx, 'messages').where({ account_id: accountId, id: messageId, status: 'queued' });
    const row = await query.forUpdate().first<Row | undefined>(COLUMNS);
    if (row !== undefined) await sendMessage(trx, accountId, toStored(row).record, new Date(row.createdAt), traceparent);
  });
}
