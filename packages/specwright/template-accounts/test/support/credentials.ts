/** The credentials that tests send: the API key of an account that is made for them. */
import { createAccount } from '@specwright/accounts';
import type { Database } from '@specwright/postgres';
import type { Credentials, RefusedCredentials } from 'specwright/testing';

/** Makes an account of the plan Free, in a new database. @returns its key, for every security scheme. */
export const createCredentials = async (db: Database, email = 'test@example.com'): Promise<Credentials> => {
  const { apiKey } = await createAccount(db, { email, plan: 'free' }, new Date());
  return (_scheme, definition) => (definition.type === 'http' && definition.scheme === 'basic' ? `${apiKey}:` : apiKey);
};

/** Those of another account, which must not see what belongs to the first one. */
export const createOtherCredentials: typeof createCredentials | undefined = (db) => createCredentials(db, 'other@example.com');

/** Further credentials that every operation has to refuse, beside wrong ones: `weak` ones without scopes (403). */
export const refusedCredentials: RefusedCredentials = {};
