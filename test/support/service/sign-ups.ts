/** Sign-ups that are confirmed by mail: the account whose webhook sends the mails, and tokens for tests. */
import { createAccount, findAccount, openSignUps, type SignUps } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import { setWebhook } from '@specwright/accounts/webhooks';

const EMAIL = 'mails@example.com';
const SECRET = 'a secret of thirty-two characters';

/** @param accountId whose webhook gets the messages; for tokens alone any. */
export const signUpsOf = (accountId = 1): SignUps => openSignUps({ signUpAccount: accountId, signUpSecret: SECRET }) as SignUps;

/** Sign-ups of a database, with their account, which may be there. */
export async function withMails(db: Database): Promise<SignUps> {
  await createAccount(db, { email: EMAIL, plan: 'free' }, new Date()).catch(() => undefined);
  return signUpsOf((await findAccount(db, EMAIL)).id);
}

/** Has the messages sent to an address. @returns the secret of the webhook. */
export async function sendMailsTo(db: Database, url: string): Promise<string> {
  const { id } = await findAccount(db, EMAIL);
  return (await setWebhook(db, id, { url }, new Date())).secret;
}
