/** Step 3: who calls. Built from the operation's security requirements; each scheme of the contract has an authenticator. */
import type { Request, RequestHandler } from 'express';
import type { Operation } from '../contract/load.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../service/caller.ts';

/** @returns the caller; @throws AppError unauthorized if the credentials are missing or not accepted. */
export type Authenticator = (request: Request) => Promise<Caller>;

/**
 * The requirements are alternatives (OpenAPI 3.0.3, section 4.7.30): the first whose schemes all accept decides. An empty
 * one lets anybody in.
 */
export function authenticate(operation: Operation, authenticators: Readonly<Record<string, Authenticator>>): RequestHandler {
  return async (request, _response, next) => {
    let refusal: unknown;
    for (const schemes of operation.security) {
      try {
        for (const scheme of schemes) {
          const authenticator = authenticators[scheme];
          if (authenticator === undefined) throw new Error(`nothing enforces the security scheme ${scheme}`);
          request.exchange.caller = await authenticator(request);
        }
        return next();
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unauthorized')) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  };
}

/**
 * The authenticator of `type: http, scheme: bearer` (RFC 6750, section 2.1).
 *
 * @param find looks a token up; `undefined` if it is not, or no longer, good.
 */
export function bearer(realm: string, find: (token: string) => Promise<Caller | undefined>): Authenticator {
  const challenge = `Bearer realm="${realm}"`;
  return async (request) => {
    // Node joins repeated fields only for some names and drops the others, this one among them; two are one too many.
    const given = request.headersDistinct['authorization'] ?? [];
    if (given.length === 0) throw refuse('send the API key as "Authorization: Bearer <API_KEY>"', challenge);
    // RFC 6750, section 3: the error is told only to those who sent credentials.
    const invalid = `${challenge}, error="invalid_token"`;
    const token = given.length === 1 ? /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(given[0] ?? '')?.[1] : undefined;
    if (token === undefined) throw refuse('the Authorization header must be "Bearer <API_KEY>"', invalid);
    const caller = await find(token);
    if (caller === undefined) throw refuse('the API key is not valid', invalid);
    return caller;
  };
}

const refuse = (message: string, challenge: string) =>
  new AppError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });
