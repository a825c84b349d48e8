/** Pipeline step: finds the caller, by the security requirements of the operation and the authenticators of their schemes. */
import { type RequiredScheme, isThenable } from '@specwright/contract';
import { AppError, FrameworkError, isAppError, type ErrorStatuses, FRAMEWORK_ERRORS } from '@specwright/contract/runtime';
import { UNIMPLEMENTED, type Authenticator } from './authenticators.ts';
import { type Challenges, schemeCredentials, type SchemeContext } from './credentials.ts';
import { metadataUrlOf } from './protected-resource.ts';
import { createScopeCheck, type CheckScopes } from './scopes.ts';
import type { Sets } from '../exchange.ts';
import type { Step } from '../step.ts';

export interface AuthenticateOptions {
  readonly authenticators: Readonly<Record<string, Authenticator>>;
  readonly realm: string;
  /** The statuses of error codes: what is 401 or 403 refuses an alternative, any other error ends the request. */
  readonly statuses?: ErrorStatuses | undefined;
}

interface BoundScheme {
  readonly context: SchemeContext;
  /** The authenticator, prepared for the scheme. */
  readonly verify: Authenticator;
  readonly checkScopes: CheckScopes | undefined;
}

interface Alternative {
  readonly schemes: readonly BoundScheme[];
  readonly challenges: Required<Omit<Challenges, 'unimplementedScheme'>>;
}

/**
 * The first alternative whose schemes all accept the request, each with the scopes that it requires, decides; the last of its
 * schemes says who the caller is.
 *
 * Credentials of a scheme that is not implemented do not authenticate: the request goes on, so that its other problems are
 * reported, but `callHandler` refuses it.
 *
 * @returns `undefined` for an operation without security requirements.
 */
export function authenticate(
  requirements: readonly (readonly RequiredScheme[])[],
  { authenticators, realm, statuses = FRAMEWORK_ERRORS }: AuthenticateOptions,
): AuthenticateStep | undefined {
  if (requirements.length === 0) return undefined;
  const bind = (scheme: RequiredScheme): BoundScheme => {
    const authenticator = authenticators[scheme.name];
    if (authenticator === undefined) throw new Error(`the security scheme ${scheme.name} has no authenticator`);
    const { resource } = authenticator;
    const context = { ...scheme, realm, ...(resource && { resourceMetadata: metadataUrlOf(resource.identifier).href }) };
    return { context, verify: authenticator.forScheme?.(context) ?? authenticator, checkScopes: createScopeCheck(context) };
  };
  // The alternative without credentials comes last: those who send some want to be recognized.
  const alternatives: Alternative[] = [...requirements]
    .sort((a, b) => Number(a.length === 0) - Number(b.length === 0))
    .map((required) => {
      const schemes = required.map(bind);
      return { schemes, challenges: createChallenges(schemes) };
    });
  const [only] = alternatives;
  const [scheme] = only?.schemes ?? [];
  if (only !== undefined && scheme !== undefined && alternatives.length === 1 && only.schemes.length === 1)
    return authenticateByScheme(scheme, only.challenges);
  return authenticateByAlternatives(alternatives, statuses);
}

/** Those of all schemes, for what a handler refuses. */
function createChallenges(schemes: readonly BoundScheme[]): Alternative['challenges'] {
  const credentials = schemes.map(({ context }) => schemeCredentials(context));
  return {
    unauthorized: credentials.map(({ challenge }) => challenge).join(', '),
    insufficient_scope: credentials.map(({ insufficientScope }) => insufficientScope('')).join(', '),
  };
}

/** Sets who calls, and what an error needs to challenge it. */
type AuthenticateStep = Step<'caller' | 'challenges'>;

/** One scheme, as most operations have: it waits for nothing if the authenticator does not. */
function authenticateByScheme({ context, verify, checkScopes }: BoundScheme, challenges: Alternative['challenges']): AuthenticateStep {
  const withoutVerifying = { ...challenges, unimplementedScheme: context.name };
  const accept = (exchange: Sets<'caller' | 'challenges'>, found: unknown): void => {
    if (found === UNIMPLEMENTED) return void (exchange.challenges = withoutVerifying);
    exchange.caller = requireCaller(found, context.name, challenges.unauthorized);
    // Who calls is known: a refusal is counted for the caller.
    const refusal = checkScopes?.(found);
    if (refusal !== undefined) throw refusal;
  };
  return (exchange) => {
    exchange.challenges = challenges;
    const found = verify(exchange.request, context);
    return isThenable(found) ? Promise.resolve(found).then((later) => accept(exchange, later)) : accept(exchange, found);
  };
}

/**
 * An authenticator that finds nobody, such as one that returns `req.user`, or `false`, does not authenticate.
 *
 * @throws AppError unauthorized. TypeError for a value that is no caller, whatever the credentials are: a query that was not run, or all of its rows.
 */
function requireCaller(found: unknown, scheme: string, challenge: string): unknown {
  if (found !== undefined && found !== null && found !== false) {
    const mistake = (typeof found === 'object' || typeof found === 'function') && mistakenCaller(found);
    if (mistake === false) return found;
    throw new TypeError(`the authenticator of ${scheme} returned ${mistake}: return the caller, or undefined`);
  }
  throw new FrameworkError('unauthorized', 'authentication is required', { headers: { 'WWW-Authenticate': challenge } });
}

/** Methods of query builders: of Kysely, Knex, TypeORM and Mongoose. */
const QUERY_METHODS = ['execute', 'toSQL', 'getQuery', 'exec'] as const;

/** @returns what an authenticator returned instead of a caller; `false` for a caller. */
function mistakenCaller(found: object): string | false {
  if (typeof found === 'function') return 'a function';
  // No row is an empty list, which would be a caller for any credentials.
  if (Array.isArray(found)) return 'a list';
  const methods = found as { readonly [Name in (typeof QUERY_METHODS)[number]]?: unknown };
  // A loop: callers are looked at in each request.
  for (const name of QUERY_METHODS) if (typeof methods[name] === 'function') return 'a query that was not run';
  return false;
}

function authenticateByAlternatives(alternatives: readonly Alternative[], statuses: Readonly<Record<string, number>>): AuthenticateStep {
  return async (exchange) => {
    const refusals: AppError[] = [];
    let unimplemented: string | undefined;
    let callerWithoutScopes: unknown;
    for (const { schemes, challenges } of alternatives) {
      if (schemes.length === 0 && unimplemented !== undefined) break;
      try {
        let caller: unknown;
        let unverified: string | undefined;
        const lacking: AppError[] = [];
        for (const { context, verify, checkScopes } of schemes) {
          const found = await verify(exchange.request, context);
          if (found === UNIMPLEMENTED) unverified = context.name;
          else caller = requireCaller(found, context.name, challenges.unauthorized);
          const refusal = found === UNIMPLEMENTED ? undefined : checkScopes?.(found);
          if (refusal !== undefined) lacking.push(refusal);
        }
        // Only once all of its schemes have accepted their credentials: before, what is missing are credentials.
        if (lacking.length > 0) {
          callerWithoutScopes ??= caller;
          throw combineRefusals(lacking);
        }
        if (unverified === undefined) {
          exchange.caller = caller;
          exchange.challenges = challenges;
          return;
        }
        unimplemented ??= unverified;
      } catch (error) {
        if (!isAppError(error) || !isRefusal(statuses[error.code])) throw error;
        refusals.push(error);
      }
    }
    // Credentials that are valid but not sufficient say more than none.
    if (unimplemented === undefined) {
      const forbidden = refusals.filter(({ code }) => statuses[code] === 403);
      const [first] = forbidden;
      if (first === undefined) throw combineRefusals(refusals);
      exchange.caller = callerWithoutScopes;
      throw combineRefusals(forbidden.filter(({ code }) => code === first.code));
    }
    exchange.challenges = { unimplementedScheme: unimplemented };
  };
}

/** Whether an error with this status refuses credentials; any other ends the request. */
export const isRefusal = (status: number | undefined): boolean => status === 401 || status === 403;

/** Refusals with the same code in one, each challenge once (RFC 9110, section 11.6.1). */
function combineRefusals(refusals: readonly AppError[]): AppError {
  const [first] = refusals;
  if (first !== undefined && refusals.length === 1) return first;
  const once = (texts: (string | undefined)[]) => [...new Set(texts.filter((text) => text !== undefined))];
  const challenges = once(refusals.map(({ headers }) => headers['WWW-Authenticate']));
  return new AppError(first?.code ?? 'unauthorized', once(refusals.map(({ message }) => message)).join('; or '), {
    headers: challenges.length === 0 ? {} : { 'WWW-Authenticate': challenges.join(', ') },
  });
}
