/** Who calls this service, and what verifies their credentials: one authenticator for each security scheme of the contract. */
import { unimplementedScheme } from '@specwright/server';
import type { Security } from '../generated/contract.ts';

/** Who calls, once a scheme has accepted the credentials. Add what handlers have to know. */
export interface Caller {
  readonly id: string;
}

/** What the log says of a caller. Never a credential. */
export const logCaller = ({ id }: Caller): object => ({ caller: id });

/**
 * `unimplementedScheme` stands for a scheme until it is written: without credentials the answer is 401, with any 501, and no
 * handler is called. To write one, replace it by one of these functions of `@specwright/server`:
 *
 *     apiKey(async (key) => findByKey(key))                   type: apiKey, wherever the contract has it
 *     basic(async (name, password) => logIn(name, password))  type: http, scheme: basic
 *     bearer(async (token) => verify(token))                  type: http, scheme: bearer; oauth2; openIdConnect
 *
 * each with a function that gives a `Caller`, or `undefined` for credentials that are not valid. Where the contract requires
 * scopes, a `Caller` has `scopes: readonly string[]`, which are compared before a handler is called. Tests send the credentials in test/support/credentials.ts.
 */
export const createSecurity = (): Security<Caller> => ({
  templateKey: unimplementedScheme,
});
