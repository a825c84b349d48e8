/** The credentials that tests send: once a scheme in src/security.ts is written, they have to be valid ones. */
import type { Database } from '@specwright/postgres';
import type { Credentials, RefusedCredentials } from 'specwright/testing';

/** Makes what they belong to, in a new database. @returns the credentials by security scheme; those of `basic` are `name:password`. */
export const createCredentials: (db: Database) => Promise<Credentials> = async () => (_scheme, definition) =>
  definition.type === 'http' && definition.scheme === 'basic' ? 'name:password' : 'sample';

/** Those of another account, which must not see what belongs to the first one; `undefined` while there is one only. */
export const createOtherCredentials: typeof createCredentials | undefined = undefined;

/** Further credentials that every operation has to refuse, beside wrong ones: `expired` tokens (401), and `weak` ones without scopes (403). */
export const refusedCredentials: RefusedCredentials = {};
