/** Who calls this service, and what verifies their credentials: one authenticator for each security scheme of the contract. */
import { jwt } from '@specwright/server/jwt';
import { unimplementedScheme } from '@specwright/server';
import type { Authenticator } from '@specwright/server';
import type { Security } from '../generated/contract.ts';
import type { ServiceOptions } from './service-options.ts';

/** Who calls, once a scheme has accepted the credentials. Add what handlers have to know. */
export interface Caller {
  readonly id: string;
  /** What the credentials allow. Those that the contract requires of an operation are compared before its handler is called. */
  readonly scopes: readonly string[];
}

/** What the log says of a caller. Never a credential. */
export const logCaller = ({ id }: Caller): object => ({ caller: id });

type Options = Pick<ServiceOptions, 'config' | 'log'>;

/**
 * `token` accepts the access tokens that the identity provider at TOKEN_ISSUER has issued for TOKEN_AUDIENCE; without these no token is
 * accepted: 401 without one, 501 with one.
 *
 * `unimplementedScheme` stands for a scheme until it is written. To write one, replace it by one of these functions of `@specwright/server`:
 *
 *     apiKey(async (key) => findByKey(key))                   type: apiKey, wherever the contract has it
 *     basic(async (name, password) => logIn(name, password))  type: http, scheme: basic
 *     bearer(async (token) => verify(token))                  type: http, scheme: bearer
 *
 * each with a function that gives a `Caller`, or `undefined` for credentials that are not valid. Tests send the credentials in
 * test/support/credentials.ts.
 */
export function createSecurity(options: Options): Security<Caller> {
  const token = accessTokens(options);
  return {
    templateKey: token,
  };
}

/** Roles in other claims than `scope` and `scp`: the option `scopes` of `jwt`. */
function accessTokens({ config: { tokenIssuer, tokenAudience, tokenType }, log }: Options): Authenticator<Caller> {
  if (tokenIssuer === undefined || tokenAudience === undefined) {
    log.error(
      {},
      'no access token is accepted: set TOKEN_ISSUER to the URL of the identity provider and TOKEN_AUDIENCE to the name of this API there',
    );
    return unimplementedScheme;
  }
  return jwt({
    issuer: tokenIssuer,
    audience: tokenAudience,
    type: tokenType,
    log,
    caller: ({ sub, client_id: client = 'unknown' }, scopes) => ({ id: sub ?? client, scopes }),
  });
}
