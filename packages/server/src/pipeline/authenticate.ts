/** Step 3: who calls. Built from the operation's security requirements; each scheme of the contract has an authenticator. */
import type { Request, RequestHandler } from 'express';
import type { RequiredScheme } from '../contract/security-requirements.ts';
import { FrameworkError, isAppError, type AppError } from '../errors.ts';
import { requireCredentials } from './credentials.ts';

/** What an authenticator is told of the scheme that it stands for. */
export interface SchemeContext extends RequiredScheme {
  /** For the challenge (RFC 9110, section 11.5). */
  readonly realm: string;
}

/** There are credentials, but nobody has written what verifies them. */
export const UNIMPLEMENTED = Symbol('unverified');

/** @returns the caller; @throws AppError unauthorized if the credentials are missing or not accepted. */
export type Authenticator<Caller = unknown> = (request: Request, use: SchemeContext) => Promise<Caller | typeof UNIMPLEMENTED>;

export interface AuthenticateOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly realm: string;
}

/**
 * The first requirement whose schemes all accept decides; of several schemes that must all hold, the last one says who calls.
 *
 * Credentials that nobody can verify let nobody in: the request goes on, so that all that is wrong with it is told, but
 * no handler is called (`handle`).
 */
export function authenticate(
  requirements: readonly (readonly RequiredScheme[])[],
  { authenticators, realm }: AuthenticateOptions,
): RequestHandler {
  // Who may call without credentials is asked last: those who send some want them to be looked at.
  const alternatives = [...requirements].sort((a, b) => Number(a.length === 0) - Number(b.length === 0));
  return async (request, _response, next) => {
    const { exchange } = request;
    const refusals: AppError[] = [];
    let unverified: string | undefined;
    for (const schemes of alternatives) {
      if (schemes.length === 0 && unverified !== undefined) break;
      try {
        let caller: unknown;
        let doubtful: string | undefined;
        for (const scheme of schemes) {
          const authenticator = authenticators[scheme.name];
          if (authenticator === undefined) throw new Error(`nothing enforces the security scheme ${scheme.name}`);
          const found = await authenticator(request, { ...scheme, realm });
          if (found === UNIMPLEMENTED) doubtful = scheme.name;
          else caller = found;
        }
        if (doubtful === undefined) {
          if (caller !== undefined) exchange.caller = caller;
          return next();
        }
        unverified ??= doubtful;
      } catch (error) {
        if (!(isAppError(error) && error.code === 'unauthorized')) throw error;
        refusals.push(error);
      }
    }
    if (unverified === undefined) throw combineRefusals(refusals);
    exchange.unimplementedScheme = unverified;
    next();
  };
}

/** All alternatives in one refusal, each challenge once (RFC 9110, section 11.6.1). */
function combineRefusals(refusals: readonly AppError[]): AppError {
  const [first] = refusals;
  if (first !== undefined && refusals.length === 1) return first;
  const once = (texts: (string | undefined)[]) => [...new Set(texts.filter((text) => text !== undefined))];
  const challenges = once(refusals.map(({ headers }) => headers['WWW-Authenticate']));
  return new FrameworkError('unauthorized', once(refusals.map(({ message }) => message)).join('; or '), {
    headers: { 'WWW-Authenticate': challenges.join(', ') },
  });
}

/** Stands for a scheme until somebody writes what verifies its credentials. */
export const unimplementedScheme: Authenticator<never> = async (request, use) => {
  requireCredentials(request, use);
  return UNIMPLEMENTED;
};

/**
 * The authenticator of bearer tokens: `http` `bearer`, `oauth2`, `openIdConnect` (RFC 6750, section 2.1).
 *
 * @param find whose a token is; `undefined` if it is not, or no longer, good. One that is good, but not for the scopes of
 *   the operation, is refused by an error of kind `forbidden`. @param what what the token is called, for messages.
 */
export const bearer =
  <Caller>(find: (token: string, use: SchemeContext) => Promise<Caller | undefined>, what = 'token'): Authenticator<Caller> =>
  async (request, use) => {
    const { value, refuse } = requireCredentials(request, { ...use, definition: { type: 'http', scheme: 'bearer' } }, what);
    return (await find(value, use)) ?? refuse(`the ${what} is not valid`);
  };

/** The authenticator of `http` `basic` (RFC 7617). @param find who has this name and password. */
export const basic =
  <Caller>(find: (name: string, password: string, use: SchemeContext) => Promise<Caller | undefined>): Authenticator<Caller> =>
  async (request, use) => {
    const { value, refuse } = requireCredentials(request, { ...use, definition: { type: 'http', scheme: 'basic' } });
    const colon = value.indexOf(':');
    return (await find(value.slice(0, colon), value.slice(colon + 1), use)) ?? refuse('the name or the password is wrong');
  };

/** The authenticator of `apiKey`, wherever the contract has it. @param find whose a key is. */
export const apiKey =
  <Caller>(find: (key: string, use: SchemeContext) => Promise<Caller | undefined>): Authenticator<Caller> =>
  async (request, use) => {
    const { value, refuse } = requireCredentials(request, use);
    return (await find(value, use)) ?? refuse('the API key is not valid');
  };
