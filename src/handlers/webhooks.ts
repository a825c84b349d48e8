/** The webhook of an account. */
import type { Database } from '@specwright/postgres';
import { etag, precondition, replyWithRecord } from '@specwright/server';
import { checkWebhookUrl, deleteWebhook, getWebhook, setWebhook, type WebhookRules } from '@specwright/accounts/webhooks';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

export const webhookHandlers = (rules: WebhookRules) =>
  ({
    getWebhook: async ({ headers }, reply, { db, caller }) => replyWithRecord(reply, headers, await getWebhook(db, caller.accountId)),

    setWebhook: async ({ headers, body }, reply, { db, caller, now }) => {
      checkWebhookUrl(body.url, rules);
      const webhook = await setWebhook(db, caller.accountId, body, now, precondition(headers));
      return reply(200, { headers: { ETag: etag(webhook) }, body: { ...webhook.record, secret: webhook.secret } });
    },

    deleteWebhook: async ({ headers }, reply, { db, caller }) => {
      await deleteWebhook(db, caller.accountId, precondition(headers));
      return reply(204);
    },
  }) satisfies Partial<Handlers<Caller, Database>>;
