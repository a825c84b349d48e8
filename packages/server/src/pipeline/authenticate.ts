/** Pipeline step: finds the caller, by the security requirements of the operation and the authenticators of their schemes. */
import type { RequiredScheme } from '../contract/security-requirements.ts';
import { FrameworkError, isAppError, type AppError } from '../errors.ts';
import { UNIMPLEMENTED, type Authenticator } from './authenticators.ts';
import type { SchemeContext } from './credentials.ts';
import type { Step } from './exchange.ts';

export interface AuthenticateOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly realm: string;
}

interface BoundScheme {
  readonly context: SchemeContext;
  readonly authenticator: Authenticator;
}

/**
 * The first alternative whose schemes all accept the request decides; the last of its schemes says who the caller is.
 *
 * Credentials of a scheme that is not implemented let nobody in: the request goes on, so that its other problems are
 * reported, but `callHandler` refuses it.
 *
 * @returns `undefined` for an operation without security requirements.
 */
export function authenticate(
  requirements: readonly (readonly RequiredScheme[])[],
  { authenticators, realm }: AuthenticateOptions,
): Step | undefined {
  if (requirements.length === 0) return undefined;
  const bind = (scheme: RequiredScheme): BoundScheme => {
    const authenticator = authenticators[scheme.name];
    if (authenticator === undefined) throw new Error(`the security scheme ${scheme.name} has no authenticator`);
    return { context: { ...scheme, realm }, authenticator };
  };
  // The alternative without credentials comes last: those who send some want to be recognized.
  const alternatives = [...requirements]
    .sort((a, b) => Number(a.length === 0) - Number(b.length === 0))
    .map((schemes) => schemes.map(bind));
  return async (exchange) => {
    const refusals: AppError[] = [];
    let unimplemented: string | undefined;
    for (const schemes of alternatives) {
      if (schemes.length === 0 && unimplemented !== undefined) break;
      try {
        let caller: unknown;
        let unverified: string | undefined;
        for (const { context, authenticator } of schemes) {
          const found = await authenticator(exchange.request, context);
          if (found === UNIMPLEMENTED) unverified = context.name;
          else caller = found;
        }
        if (unverified === undefined) {
          exchange.caller = caller;
          return;
        }
        unimplemented ??= unverified;
      } catch (error) {
        if (!(isAppError(error) && error.code === 'unauthorized')) throw error;
        refusals.push(error);
      }
    }
    if (unimplemented === undefined) throw combineRefusals(refusals);
    exchange.unimplementedScheme = unimplemented;
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
