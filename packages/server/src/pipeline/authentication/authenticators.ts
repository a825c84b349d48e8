/** Authenticators for the kinds of security schemes: each verifies credentials by a function of the service. */
import type { Request } from 'express';
import { type Find, type LookUpLimit, type MaybePromise, schemeCredentials, type SchemeContext } from './credentials.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** The result of `unimplementedScheme`: there are credentials, but nothing verifies them. */
export const UNIMPLEMENTED = Symbol('unimplemented');

export interface Authenticator<Caller = unknown> {
  /**
   * @returns the caller; a promise only if something has to be waited for. `undefined` is refused with 401.
   * @throws AppError unauthorized if the credentials are missing or not valid, directly or by the promise.
   */
  (request: Request, scheme: SchemeContext): MaybePromise<Caller | undefined | typeof UNIMPLEMENTED>;
  /** How often callers are looked up again while a stream or an upload of theirs goes on, in ms. Default: 30,000. */
  readonly recheckMs?: number | undefined;
  /** What its access tokens are for, which clients that log in by themselves look up (RFC 9728). Default: they are not told. */
  readonly resource?: ProtectedResource | undefined;
  /** Prepares a scheme, once at boot. Default: the authenticator looks at the scheme with each request. */
  readonly forScheme?: (scheme: SchemeContext) => Authenticator<Caller>;
}

export type AuthenticatorOptions = Pick<Authenticator, 'recheckMs' | 'resource'>;

/** An authenticator of several schemes. @param choose says how a scheme is authenticated; called once for each. */
export function byScheme<Caller>(
  choose: (scheme: SchemeContext) => Authenticator<Caller>,
  options: AuthenticatorOptions = {},
): Authenticator<Caller> {
  const prepared = new WeakMap<SchemeContext, Authenticator<Caller>>();
  const forScheme = (scheme: SchemeContext): Authenticator<Caller> => {
    const known = prepared.get(scheme);
    if (known !== undefined) return known;
    const chosen = choose(scheme);
    const made = chosen.forScheme?.(scheme) ?? chosen;
    prepared.set(scheme, made);
    return made;
  };
  const authenticate: Authenticator<Caller> = (request, scheme) => forScheme(scheme)(request, scheme);
  // Not enumerable: an authenticator that wraps this one and copies its options must not be passed over.
  return Object.defineProperty(Object.assign(authenticate, options), 'forScheme', { value: forScheme });
}

/**
 * The authenticator of bearer tokens: `http` `bearer`, `oauth2` and `openIdConnect` (RFC 6750, section 2.1).
 *
 * @param find returns the caller of a token, `undefined` if the token is not valid. Where the contract requires scopes, the caller
 *   has `scopes`, and the pipeline compares them. @param name what the token is called in messages.
 */
export const bearer = <Caller>(find: Find<Caller>, name = 'token', options?: AuthenticatorOptions): Authenticator<Caller> =>
  byScheme((scheme) => {
    const credentials = schemeCredentials({ ...scheme, definition: { type: 'http', scheme: 'bearer' } }, name);
    return credentials.verifyBy(find, `the ${name} is not valid`);
  }, options);

/** The authenticator of `http` `basic` (RFC 7617). @param find returns the caller with this name and password. */
export const basic = <Caller>(
  find: (name: string, password: string, scheme: SchemeContext, limit: LookUpLimit) => MaybePromise<Caller | undefined>,
  options?: AuthenticatorOptions,
): Authenticator<Caller> =>
  byScheme((scheme) => {
    const credentials = schemeCredentials({ ...scheme, definition: { type: 'http', scheme: 'basic' } });
    return credentials.verifyBy((value, required, limit) => {
      const colon = value.indexOf(':');
      return find(value.slice(0, colon), value.slice(colon + 1), required, limit);
    }, 'the name or the password is wrong');
  }, options);

/** The authenticator of `apiKey`, in a header, the query or a cookie. @param find returns the caller of a key. */
export const apiKey = <Caller>(find: Find<Caller>, options?: AuthenticatorOptions): Authenticator<Caller> =>
  byScheme((scheme) => schemeCredentials(scheme).verifyBy(find, 'the API key is not valid'), options);

/** For a scheme that is not implemented yet: 401 without credentials, 501 with them, and no handler is called. */
export const unimplementedScheme: Authenticator<never> = byScheme<never>((scheme) =>
  schemeCredentials(scheme).verifyBy(() => UNIMPLEMENTED as never, 'not implemented'),
);
