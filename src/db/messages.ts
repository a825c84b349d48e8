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
import { createDeliveryId, type EndedDelivery, type OnReplay, type Sender } from '@specwright/accounts/webhooks';
import type { Input, Schemas } from '../../generated/contract.ts';
import type { Tables } from '../../generated/database.ts';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
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

/** Makes the functions that send what the contract declares; those of `createSender`. */
export type MessageSender = Sender<Pick<OutgoingTypes, 'messageCreated'>>;

/** Queues a message. Once this has returned, it is delivered or marked `failed`, whatever happens to this process. */
export async function createMessage(
  db: Database,
  accountId: number,
  values: NewMessage,
  sender: MessageSender,
  { traceparent }: { traceparent?: string | undefined },
): Promise<Stored<Message>> {
  return transaction(db, async (trx) => {
    // By the clock of the database, which all servers share. A time in JSON has no microseconds.
    const createdAt: unknown = trx.raw(`date_trunc('milliseconds', now())`);
    const row = { account_id: accountId, id: createDeliveryId(new Date()), ...toColumns(GIVEN, values), created_at: createdAt as Date };
    const [created] = await table(trx, 'messages').insert(row).returning<Row[]>(returning(COLUMNS));
    const stored = toStored(created as Row);
    await sendCreated(sender(trx, { traceparent }), accountId, stored.record);
    return stored;
  });
}

const sendCreated = (send: ReturnType<MessageSender>, accountId: number, { id, message, createdAt }: Message) =>
  send.messageCreated(accountId, { type: 'message.created', timestamp: createdAt, data: { id, message, createdAt } }, { id });

const find = prepare((db, accountId: number, id: string) =>
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
  await read(query.update({ status, attempts, ended_at: trx.fn.now(), version: trx.raw('version + 1') }));
}

/** Has messages queued again with their deliveries. */
export const replayMessages: OnReplay = async (trx, deliveries) => {
  const keys = deliveries.map(({ accountId, id }) => [accountId, id] as const);
  const query = table(trx, 'messages').whereIn(['account_id', 'id'], keys).where({ status: 'failed' });
  await read(query.update({ status: 'queued', ended_at: null, version: trx.raw('version + 1') }));
};
