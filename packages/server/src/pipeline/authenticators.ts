/** Authenticators for the kinds of security schemes: each verifies credentials by a function of the service. */
import type { Request } from 'express';
import { requireCredentials, type SchemeContext } from './credentials.ts';

/** The result of `unimplementedScheme`: there are credentials, but nothing verifies them. */
export const UNIMPLEMENTED = Symbol('unimplemented');

/** @returns the caller. @throws AppError unauthorized if the credentials are missing or not valid. */
export type Authenticator<Caller = unknown> = (request: Request, scheme: SchemeContext) => Promise<Caller | typeof UNIMPLEMENTED>;

/**
 * The authenticator of bearer tokens: `http` `bearer`, `oauth2` and `openIdConnect` (RFC 6750, section 2.1).
 *
 * @param find returns the caller of a token, `undefined` if the token is not valid. If it does not have the scopes of the
 *   operation, throw an AppError of your service (`forbidden`). @param name what the token is called in messages.
 */
export const bearer =
  <Caller>(find: (token: string, scheme: SchemeContext) => Promise<Caller | undefined>, name = 'token'): Authenticator<Caller> =>
  async (request, scheme) => {
    const { value, refuse } = requireCredentials(request, { ...scheme, definition: { type: 'http', scheme: 'bearer' } }, name);
    return (await find(value, scheme)) ?? refuse(`the ${name} is not valid`);
  };

/** The authenticator of `http` `basic` (RFC 7617). @param find returns the caller with this name and password. */
export const basic =
  <Caller>(find: (name: string, password: string, scheme: SchemeContext) => Promise<Caller | undefined>): Authenticator<Caller> =>
  async (request, scheme) => {
    const { value, refuse } = requireCredentials(request, { ...scheme, definition: { type: 'http', scheme: 'basic' } });
    const colon = value.indexOf(':');
    return (await find(value.slice(0, colon), value.slice(colon + 1), scheme)) ?? refuse('the name or the password is wrong');
  };

/** The authenticator of `apiKey`, in a header, the query or a cookie. @param find returns the caller of a key. */
export const apiKey =
  <Caller>(find: (key: string, scheme: SchemeContext) => Promise<Caller | undefined>): Authenticator<Caller> =>
  async (request, scheme) => {
    const { value, refuse } = requireCredentials(request, scheme);
    return (await find(value, scheme)) ?? refuse('the API key is not valid');
  };

/** For a scheme that is not implemented yet: 401 without credentials, 501 with them, and no handler is called. */
export const unimplementedScheme: Authenticator<never> = async (request, scheme) => {
  requireCredentials(request, scheme);
  return UNIMPLEMENTED;
};
