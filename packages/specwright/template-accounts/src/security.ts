/** Who calls this service: whoever holds an API key of an account. One authenticator for each security scheme of the contract. */
import { accountKey, type Caller, type CallerCache } from '@specwright/accounts';
import type { Security } from '../generated/contract.ts';

export type { Caller } from '@specwright/accounts';

/** What the log says of a caller. Never a credential. */
export const logCaller = ({ accountId, keyId }: Caller): object => ({ accountId, keyId });

/**
 * `accountKey` takes the API key from where a scheme has it: a header, the query, a cookie, `Authorization: Bearer`, or the name or the
 * password of `basic`. A key may do everything, or what its scopes allow (`npm run -s administer -- keys create --scopes`), where the contract requires some.
 *
 * @param findCaller whose a key is; `undefined` if it is not valid.
 */
export const createSecurity = (findCaller: CallerCache['find']): Security<Caller> => ({
  templateKey: accountKey(findCaller),
});
