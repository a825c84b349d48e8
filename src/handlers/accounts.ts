/** Accounts, and sign-ups that are confirmed by mail: their answers do not tell who has an account, because nothing is looked up. */
import { createAccount, getAccount, type SignUps } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { etag, replyWithRecord } from '@specwright/server';
import type { Sender } from '@specwright/accounts/webhooks';
import type { Handlers } from '../../generated/contract.ts';
import type { OutgoingTypes } from '../../generated/outgoing.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../security.ts';

/** Open to all, so the plan is not the caller's to choose: a higher one is given by the command line. */
async function create(db: Database, email: string, now: Date) {
  const account = await createAccount(db, { email, plan: 'free' }, now);
  return { headers: { Location: '/account', ETag: etag(account) }, body: { ...account.record, apiKey: account.apiKey } };
}

export const accountHandlers = {
  createAccount: async ({ body }, reply, { db, now }) => reply(201, await create(db, body.email, now)),

  getAccount: async ({ headers }, reply, { db, caller }) => replyWithRecord(reply, headers, await getAccount(db, caller.accountId)),
} satisfies Partial<Handlers<Caller, Database>>;

/** In place of `createAccount`, where sign-ups are confirmed by mail. */
export const signUpHandlers = (signUps: SignUps, sender: Sender<Pick<OutgoingTypes, 'signUpRequested'>>) =>
  ({
    requestSignUp: async ({ body: { email } }, reply, context) => {
      const timestamp = context.now.toISOString();
      const data = { email, ...signUps.issue(email, context.now) };
      await sender(context.db, context).signUpRequested(signUps.accountId, { type: 'sign_up.requested', timestamp, data });
      return reply(204);
    },

    confirmSignUp: async ({ body }, reply, { db, now }) => {
      const email = signUps.emailOf(body.token, now);
      if (email === undefined) throw new AppError('invalid_request', 'the token is not valid, or has expired: sign up again');
      return reply(201, await create(db, email, now));
    },
  }) satisfies Partial<Handlers<Caller, Database>>;
