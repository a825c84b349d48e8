/** Messages: what an account sends, and how far each one is. A message and its delivery commit together. */
import { toColumns, type ColumnMap, type Database, type Transaction } from '@specwright/postgres';
import { createDeliveryId, type EndedDelivery, type OnReplay, type Sender } from '@specwright/accounts/webhooks';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import { AppError } from '../errors.ts';
import { recordTable, table, transaction } from './store.ts';

export type NewMessage = Input<'sendMessage'>['body'];

const WRITABLE = { message: 'message' } as const satisfies ColumnMap<Tables['messages'], NewMessage>;
const READABLE = { id: 'id', ...WRITABLE, status: 'status', createdAt: 'created_at', version: 'version' } as const satisfies ColumnMap<
  Tables['messages'],
  Schemas['Message']
>;

const messages = recordTable('messages', READABLE, (id) => new AppError('not_found', `there is no message ${id}`));

/** Makes the functions that send what the contract declares; those of `createSender`. */
export type MessageSender = Sender<Pick<OutgoingTypes, 'messageCreated'>>;

/** Queues a message. Once this has returned, it is delivered or marked `failed`, whatever happens to this process. */
export const createMessage = (
  db: Database,
  accountId: number,
  values: NewMessage,
  sender: MessageSender,
  { traceparent }: { traceparent?: string | undefined },
) =>
  transaction(db, async (trx) => {
    const created = await messages.create(trx, accountId, { id: createDeliveryId(new Date()), ...toColumns(WRITABLE, values) });
    const { id, message, createdAt } = created.record;
    const event = { type: 'message.created', timestamp: createdAt, data: { id, message, createdAt } } as const;
    await sender(trx, { traceparent }).messageCreated(accountId, event, { id });
    return created;
  });

/** @throws AppError not_found */
export const getMessage = (db: Database, accountId: number, id: string) => messages.get(db, accountId, id);

/** Ends a message as its delivery has ended; one that has ended already is not changed. */
export async function endMessage(trx: Transaction, { accountId, id, status, attempts }: EndedDelivery): Promise<void> {
  const query = table(trx, 'messages').where({ account_id: accountId, id, status: 'queued' });
  await query.update({ status, attempts, ended_at: trx.fn.now() }).increment('version', 1);
}

/** Has messages queued again with their deliveries. */
export const replayMessages: OnReplay = async (trx, deliveries) => {
  const keys = deliveries.map(({ accountId, id }) => [accountId, id] as const);
  const query = table(trx, 'messages').whereIn(['account_id', 'id'], keys).where({ status: 'failed' });
  await query.update({ status: 'queued', ended_at: null }).increment('version', 1);
};
