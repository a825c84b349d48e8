/** Messages. */
import type { Database } from '@specwright/postgres';
import { replayDeliveries } from '@specwright/accounts/webhooks';
import { createdResponse, replyWithRecord, toUtc } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createMessage, getMessage, replayMessages, type MessageSender } from '../db/messages.ts';
import type { Caller } from '../security.ts';

export const messageHandlers = (sender: MessageSender) =>
  ({
    sendMessage: async ({ body }, reply, context) => {
      const message = await createMessage(context.db, context.caller.accountId, body, sender, context);
      return reply(202, createdResponse(`/messages/${message.record.id}`, message));
    },

    replayMessages: async ({ body }, reply, { db, caller }) => {
      const since = new Date(toUtc(body.since, 'body/since'));
      return reply(200, {
        body: { replayed: await replayDeliveries(db, { accountId: caller.accountId, since }, replayMessages) },
      });
    },

    getMessage: async ({ path, headers }, reply, { db, caller }) =>
      replyWithRecord(reply, headers, await getMessage(db, caller.accountId, path.messageId)),
  }) satisfies Partial<Handlers<Caller, Database>>;
