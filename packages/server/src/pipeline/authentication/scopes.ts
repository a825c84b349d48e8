/** The scopes that a caller has, and the refusal of callers that lack some of those which the contract requires. */
import { FrameworkError, type AppError } from '@specwright/contract/runtime';
import { schemeCredentials, type SchemeContext } from './credentials.ts';

/** For callers who may do everything, such as the holder of a key without restrictions. */
export const ALL_SCOPES: unique symbol = Symbol('all scopes');

/** What a caller needs whose security scheme has scopes (or roles, OpenAPI 3.1) that operations require. */
export interface Scoped {
  readonly scopes: readonly string[] | typeof ALL_SCOPES;
}

/** Compares the scopes of a caller with those of the operation. @returns the refusal; `undefined` if the caller has all of them. */
export type CheckScopes = (caller: unknown) => AppError | undefined;

/** `scope-token` (RFC 6749, section 3.3): what can be in the challenge. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * Made at boot, so that an operation without scopes has no check. A caller whose scopes are not known has none.
 *
 * @returns `undefined` for a scheme of which the operation requires no scopes.
 */
export function createScopeCheck(scheme: SchemeContext): CheckScopes | undefined {
  const { scopes: required } = scheme;
  if (required.length === 0) return undefined;
  const challenge = schemeCredentials(scheme).insufficientScope(required.filter((scope) => SCOPE_TOKEN.test(scope)).join(' '));
  const headers = { 'WWW-Authenticate': challenge };
  return (caller) => {
    const granted: unknown = (caller as Partial<Scoped> | undefined)?.scopes;
    if (granted === ALL_SCOPES) return undefined;
    const missing = Array.isArray(granted) ? required.filter((scope) => !granted.includes(scope)) : required;
    if (missing.length === 0) return undefined;
    const message = `the credentials lack the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`;
    return new FrameworkError('insufficient_scope', message, { headers });
  };
}
