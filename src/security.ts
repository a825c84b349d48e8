/** What enforces the security schemes of the contract: one authenticator for each. */
import type { SecurityScheme } from '@specwright/server';
import { bearer, type Authenticator } from '@specwright/server';
import type { Caller } from './caller.ts';

/** @param findCaller whose an API key is; `undefined` if it is nobody's. */
export const createAuthenticators = (
  findCaller: (key: string) => Promise<Caller | undefined>,
): Readonly<Record<SecurityScheme, Authenticator>> => ({ bearerAuth: bearer(findCaller, 'API key') });
