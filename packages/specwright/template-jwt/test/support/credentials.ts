/** The credentials that tests send: once a scheme in src/security.ts is written, they have to be valid ones. */
import type { Database } from '@specwright/postgres';
import { isTokenScheme, startTokenIssuer, type Credentials, type RefusedCredentials, type TokenOptions } from 'specwright/testing';

let started: ReturnType<typeof startTokenIssuer> | undefined;

/** The identity provider of the tests: `(await tokenIssuer()).issueToken({ subject: 'ada', scopes: ['songs:read'] })` is accepted there. */
export const tokenIssuer = () => (started ??= startTokenIssuer());

/** Of schemes that are no access tokens. */
const otherCredentials: Credentials = (_scheme, definition) =>
  definition.type === 'http' && definition.scheme === 'basic' ? 'name:password' : 'sample';

/** Makes what they belong to, in a new database. @returns the credentials by security scheme; those of `basic` are `name:password`. */
export const createCredentials: (db: Database) => Promise<Credentials> = async () => {
  const { issueToken } = await tokenIssuer();
  return (scheme, definition, scopes) =>
    isTokenScheme(definition) ? issueToken({ scopes }) : otherCredentials(scheme, definition, scopes);
};

/** Those of another account, which must not see what belongs to the first one; `undefined` while there is one only. */
export const createOtherCredentials: typeof createCredentials | undefined = undefined;

/** @param options of the token, which has the scopes unless they say otherwise. */
const tokenWith =
  (options: TokenOptions) =>
  async (...[scheme, definition, scopes]: Parameters<Credentials>): Promise<string> =>
    isTokenScheme(definition) ? (await tokenIssuer()).issueToken({ scopes, ...options }) : otherCredentials(scheme, definition, scopes);

/** Those that every operation has to refuse: 401, and 403 where scopes are missing. */
export const refusedCredentials: RefusedCredentials = {
  wrong: async (scheme, definition, scopes) =>
    isTokenScheme(definition) ? tokenWith({ audience: 'another' })(scheme, definition, scopes) : 'wrong:wrong',
  expired: tokenWith({ expiresIn: -3600 }),
  weak: tokenWith({ scopes: [] }),
};
