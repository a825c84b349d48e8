/** Pipeline step: finds the caller, by the security requirements of the operation and the authenticators of their schemes. */
import type { Request, RequestHandler } from 'express';
import type { RequiredScheme } from '../contract/security-requirements.ts';
import { FrameworkError, isAppError, type AppError } from '../errors.ts';
import { UNIMPLEMENTED, type Authenticator } from './authenticators.ts';

export interface AuthenticateOptions {
  /** By the names of the schemes. */
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  /** The name in challenges (RFC 9110, section 11.5). */
  readonly realm: string;
}

/**
 * The first alternative whose schemes all accept the request decides; the last of its schemes says who the caller is.
 *
 * Credentials of a scheme that is not implemented let nobody in: the request goes on, so that its other problems are
 * reported, but `callHandler` refuses it.
 */
export function authenticate(requirements: readonly (readonly RequiredScheme[])[], options: AuthenticateOptions): RequestHandler {
  // The alternative without credentials comes last: those who send some want to be recognized.
  const alternatives = [...requirements].sort((a, b) => Number(a.length === 0) - Number(b.length === 0));
  return async (request, _response, next) => {
    const { exchange } = request;
    const refusals: AppError[] = [];
    let unimplemented: string | undefined;
    for (const schemes of alternatives) {
      if (schemes.length === 0 && unimplemented !== undefined) break;
      try {
        const { caller, unimplementedScheme } = await tryAlternative(request, schemes, options);
        if (unimplementedScheme === undefined) {
          if (caller !== undefined) exchange.caller = caller;
          return next();
        }
        unimplemented ??= unimplementedScheme;
      } catch (error) {
        if (!(isAppError(error) && error.code === 'unauthorized')) throw error;
        refusals.push(error);
      }
    }
    if (unimplemented === undefined) throw combineRefusals(refusals);
    exchange.unimplementedScheme = unimplemented;
    next();
  };
}

/** Runs the authenticators of one alternative. @throws AppError unauthorized from the first one that refuses. */
async function tryAlternative(
  request: Request,
  schemes: readonly RequiredScheme[],
  { authenticators, realm }: AuthenticateOptions,
): Promise<{ caller?: unknown; unimplementedScheme?: string }> {
  const result: { caller?: unknown; unimplementedScheme?: string } = {};
  for (const scheme of schemes) {
    const authenticator = authenticators[scheme.name];
    if (authenticator === undefined) throw new Error(`the security scheme ${scheme.name} has no authenticator`);
    const caller = await authenticator(request, { ...scheme, realm });
    if (caller === UNIMPLEMENTED) result.unimplementedScheme = scheme.name;
    else result.caller = caller;
  }
  return result;
}

/** One refusal for all alternatives, each challenge once (RFC 9110, section 11.6.1). */
function combineRefusals(refusals: readonly AppError[]): AppError {
  const [first] = refusals;
  if (first !== undefined && refusals.length === 1) return first;
  const unique = (texts: (string | undefined)[]) => [...new Set(texts.filter((text) => text !== undefined))];
  const challenges = unique(refusals.map(({ headers }) => headers['WWW-Authenticate']));
  return new FrameworkError('unauthorized', unique(refusals.map(({ message }) => message)).join('; or '), {
    headers: { 'WWW-Authenticate': challenges.join(', ') },
  });
}
