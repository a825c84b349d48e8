/** Accounts. */
import { createAccount, getAccount } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { etag, isFresh, notModifiedResponse, recordResponse } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';

export const accountHandlers = (db: Database) =>
  ({
    // Open to all, so the plan is not the caller's to choose: a higher one is given by the command line.
    createAccount: async ({ body }, reply, { now }) => {
      const account = await createAccount(db, { email: body.email, plan: 'free' }, now);
      return reply(201, { headers: { Location: '/account', ETag: etag(account) }, body: { ...account.record, apiKey: account.apiKey } });
    },

    getAccount: async ({ headers }, reply, { caller }) => {
      const account = await getAccount(db, caller.accountId);
      if (isFresh(headers['If-None-Match'], account)) return reply(304, notModifiedResponse(account));
      return reply(200, recordResponse(account));
    },
  }) satisfies Partial<Handlers<Caller>>;
