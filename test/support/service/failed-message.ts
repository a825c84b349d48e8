/** A message that was given up, of a new account. */
import type { Database } from '@specwright/postgres';
import { createMessage, endMessage, type getMessage } from '../../../src/db/messages.ts';
import { newAccount } from './app.ts';
import { sender } from './sender.ts';

type Message = Awaited<ReturnType<typeof getMessage>>['record'];

/** Nothing was sent: its delivery has no receiver. */
export async function newFailedMessage(db: Database): Promise<Message & { readonly accountId: number; readonly key: string }> {
  const { accountId, key } = await newAccount(db);
  const { record } = await createMessage(db, accountId, { message: 'x' }, sender, {});
  const ended = { accountId, id: record.id, name: 'messageCreated', status: 'failed', attempts: 1 } as const;
  await db.transaction(async (trx) => {
    const delivery = trx('webhook_deliveries').where({ account_id: accountId, id: record.id });
    await delivery.update({ status: 'failed', attempts: 1, ended_at: trx.fn.now() });
    await endMessage(trx, ended);
  });
  return { ...record, accountId, key };
}
