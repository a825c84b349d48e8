/** The webhook of an account. */
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';
import type { Database } from '@specwright/postgres';
import type { WebhookRules } from '../messages/webhook-url.ts';
import { deleteWebhook, getWebhook, setWebhook } from '../db/webhooks.ts';
import { etag, ifMatch, isFresh } from '@specwright/server';

export const webhookHandlers = (db: Database, rules: WebhookRules) =>
  ({
    getWebhook: async ({ headers }, reply, { caller }) => {
      const webhook = await getWebhook(db, caller.accountId);
      if (isFresh(headers['If-None-Match'], webhook)) return reply(304, { headers: { ETag: etag(webhook) } });
      return reply(200, { headers: { ETag: etag(webhook) }, body: webhook.record });
    },

    setWebhook: async ({ headers, body }, reply, { caller, now }) => {
      const precondition = ifMatch(headers['If-Match']);
      const webhook = await setWebhook(db, caller.accountId, body.url, now, { ...rules, precondition });
      return reply(200, { headers: { ETag: etag(webhook) }, body: { ...webhook.record, secret: webhook.secret } });
    },

    deleteWebhook: async ({ headers }, reply, { caller }) => {
      await deleteWebhook(db, caller.accountId, ifMatch(headers['If-Match']));
      return reply(204);
    },
  }) satisfies Partial<Handlers<Caller>>;
