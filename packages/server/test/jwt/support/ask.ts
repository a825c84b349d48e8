/** Asks an authenticator without a server: what does not depend on HTTP can be asked ten thousand times. */
import { isAppError, type Authenticator, type LookUpLimit } from '@specwright/server';

const SCHEME = { name: 'login', realm: 'songs', scopes: [], definition: { type: 'oauth2' } } as const;

const UNLIMITED: LookUpLimit = { lookUp: (run) => run() };

/** @returns the caller, or the code and the message of the error. */
export async function ask(authenticator: Authenticator, token: string, limit: LookUpLimit = UNLIMITED): Promise<unknown> {
  const request = { rawHeaders: ['Authorization', `Bearer ${token}`], exchange: limit };
  try {
    return await authenticator(request as never, SCHEME);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
