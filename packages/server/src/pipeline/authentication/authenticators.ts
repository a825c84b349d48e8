/** Authenticators for the kinds of security schemes: each verifies credentials by a function of the service. */
import type { Request } from 'express';
import { isThenable } from '@specwright/contract';
import { createCredentialReader, type CredentialReader, type SchemeContext } from './credentials.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** The result of `unimplementedScheme`: there are credentials, but nothing verifies them. */
export const UNIMPLEMENTED = Symbol('unimplemented');

/** A query builder is waited for like a promise. */
type MaybePromise<T> = T | PromiseLike<T>;

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
}

/** Whom a look-up of credentials is for. */
export interface LookUpLimit {
  /**
   * Runs a look-up of credentials that are not known to have been valid, if the client's address may have another one: those
   * that find no caller are limited as requests without credentials are, before the database is asked.
   *
   * @throws AppError rate_limited
   */
  lookUp<T>(run: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Finds whose credentials these are; `undefined` if they are not valid. What asks a database should do so by `limit.lookUp`. */
type Find<Caller> = (credentials: string, scheme: SchemeContext, limit: LookUpLimit) => MaybePromise<Caller | undefined>;

export type AuthenticatorOptions = Pick<Authenticator, 'recheckMs' | 'resource'>;

/** @param createReader makes the reader of a scheme, when the scheme is first used. */
function authenticator<Caller>(
  createReader: (scheme: SchemeContext) => CredentialReader,
  find: Find<Caller>,
  invalid: string,
  options: AuthenticatorOptions = {},
): Authenticator<Caller> {
  const readers = new WeakMap<SchemeContext, CredentialReader>();
  const authenticate = (request: Request, scheme: SchemeContext) => {
    let reader = readers.get(scheme);
    if (reader === undefined) readers.set(scheme, (reader = createReader(scheme)));
    const { refuse } = reader;
    const found = find(reader.read(request), scheme, request.exchange);
    return isThenable(found) ? Promise.resolve(found).then((caller) => caller ?? refuse(invalid)) : (found ?? refuse(invalid));
  };
  return Object.assign(authenticate, options);
}

/**
 * The authenticator of bearer tokens: `http` `bearer`, `oauth2` and `openIdConnect` (RFC 6750, section 2.1).
 *
 * @param find returns the caller of a token, `undefined` if the token is not valid. Where the contract requires scopes, the caller
 *   has `scopes`, and the pipeline compares them. @param name what the token is called in messages.
 */
export const bearer = <Caller>(find: Find<Caller>, name = 'token', options?: AuthenticatorOptions): Authenticator<Caller> =>
  authenticator(
    (scheme) => createCredentialReader({ ...scheme, definition: { type: 'http', scheme: 'bearer' } }, name),
    find,
    `the ${name} is not valid`,
    options,
  );

/** The authenticator of `http` `basic` (RFC 7617). @param find returns the caller with this name and password. */
export const basic = <Caller>(
  find: (name: string, password: string, scheme: SchemeContext, limit: LookUpLimit) => MaybePromise<Caller | undefined>,
  options?: AuthenticatorOptions,
): Authenticator<Caller> =>
  authenticator(
    (scheme) => createCredentialReader({ ...scheme, definition: { type: 'http', scheme: 'basic' } }),
    (value, scheme, limit) => {
      const colon = value.indexOf(':');
      return find(value.slice(0, colon), value.slice(colon + 1), scheme, limit);
    },
    'the name or the password is wrong',
    options,
  );

/** The authenticator of `apiKey`, in a header, the query or a cookie. @param find returns the caller of a key. */
export const apiKey = <Caller>(find: Find<Caller>, options?: AuthenticatorOptions): Authenticator<Caller> =>
  authenticator((scheme) => createCredentialReader(scheme), find, 'the API key is not valid', options);

/** For a scheme that is not implemented yet: 401 without credentials, 501 with them, and no handler is called. */
export const unimplementedScheme: Authenticator<never> = authenticator<never>(
  (scheme) => createCredentialReader(scheme),
  () => UNIMPLEMENTED as never,
  'not implemented',
);
