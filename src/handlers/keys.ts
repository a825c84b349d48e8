/** API keys of the caller's account. */
import { getKey, issueKey, listKeys, revokeKey, rotateKey, type IssuedKey } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { etag, pageResponse, parsePage, precondition, replyWithRecord } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

const created = (key: IssuedKey) => ({
  headers: { Location: `/account/keys/${key.record.id}`, ETag: etag(key) },
  body: { ...key.record, apiKey: key.apiKey },
});

export const keyHandlers = {
  listKeys: async ({ query }, reply, { db, caller }) => {
    const found = await listKeys(db, caller.accountId, parsePage(query));
    return reply(200, pageResponse('/account/keys', query, found));
  },

  createKey: async ({ body }, reply, { db, caller, now }) => {
    return reply(201, created(await issueKey(db, caller, body, now)));
  },

  getKey: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getKey(db, caller.accountId, path.keyId)),

  revokeKey: async ({ path, headers }, reply, { db, caller, now }) => {
    await revokeKey(db, caller, path.keyId, now, { precondition: precondition(headers) });
    return reply(204);
  },

  rotateKey: async ({ path, body }, reply, { db, caller, now }) => {
    return reply(201, created(await rotateKey(db, caller, path.keyId, body.gracePeriod, now)));
  },
} satisfies Partial<Handlers<Caller, Database>>;
