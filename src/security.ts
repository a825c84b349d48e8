/** Callers of this service: holders of an API key of an account. */
import { type Caller, type CallerCache, accountKey } from '@specwright/accounts';
import type { Security } from '../generated/contract.ts';

export type { Caller } from '@specwright/accounts';

/** What the log says of a caller. Never a credential. */
export const logCaller = ({ accountId, keyId }: Caller): object => ({ accountId, keyId });

/** One authenticator for each security scheme of the contract. @param findCaller whose a key is; `undefined` if it is not good. */
export const createSecurity = (findCaller: CallerCache['find']): Security<Caller> => ({
  bearerAuth: accountKey(findCaller),
});
