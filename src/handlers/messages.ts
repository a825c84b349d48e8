/** Messages. */
import type { Database } from '@specwright/postgres';
import { etag, isFresh } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createMessage, getMessage } from '../db/messages.ts';
import type { Caller } from '../security.ts';

export const messageHandlers = (db: Database) =>
  ({
    sendMessage: async ({ body }, reply, { caller, now }) => {
      const message = await createMessage(db, caller.accountId, body, now);
      return reply(202, { headers: { Location: `/messages/${message.record.id}`, ETag: etag(message) }, body: message.record });
    },

    getMessage: async ({ path, headers }, reply, { caller }) => {
      const message = await getMessage(db, caller.accountId, path.messageId);
      if (isFresh(headers['If-None-Match'], message)) return reply(304, { headers: { ETag: etag(message) } });
      return reply(200, { headers: { ETag: etag(message) }, body: message.record });
    },
  }) satisfies Partial<Handlers<Caller>>;
