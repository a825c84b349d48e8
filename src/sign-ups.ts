/** Sign-ups: open to all, or confirmed by mail if SIGN_UP_ACCOUNT is set. */
import { getWebhook } from '@specwright/accounts/webhooks';
import type { Database } from '@specwright/postgres';
import type { Log, OmitOperations, ServerPart } from '@specwright/server';
import type { ContractTypes, OperationId } from '../generated/contract.ts';
import type { Config } from './config.ts';

type SignUpConfig = Pick<Config, 'signUpAccount'>;

export type SignUpOperation = Extract<OperationId, 'createAccount' | 'requestSignUp' | 'confirmSignUp'>;

/** The contract's, whichever way of signing up is served. */
export type PetStoreTypes = OmitOperations<ContractTypes, SignUpOperation>;

/** The operations of the other way, which the contract of the service does not have. */
export const omittedOperations = ({ signUpAccount }: SignUpConfig): readonly SignUpOperation[] =>
  signUpAccount === undefined ? ['requestSignUp', 'confirmSignUp'] : ['createAccount'];

/** Warns at the start if nothing sends the mails. */
export const checkSignUps = (db: Database, log: Pick<Log, 'warn'>, { signUpAccount }: SignUpConfig): ServerPart => ({
  async start() {
    const warn = (err: unknown) => log.warn({ err }, 'mails of sign-ups are not sent: SIGN_UP_ACCOUNT needs a webhook');
    if (signUpAccount !== undefined) await getWebhook(db, signUpAccount).catch(warn);
  },
});
