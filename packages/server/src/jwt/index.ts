/** The public API of `@specwright/server/jwt`. It needs the package `jose`. */
import { loadWithPeer } from '../optional-peer.ts';
import { parsed, text } from '../variables.ts';
import { requireSecureUrl } from './fetch-json.ts';

export const { jwt, openIdConnect } = await loadWithPeer('@specwright/server/jwt', 'jose', () => import('./jwt.ts'));
export type { JwtOptions, OpenIdConnectOptions, TokenOptions } from './jwt.ts';
export { scopesOf, type Claims } from './claims.ts';
export type { Algorithm } from './verifier.ts';
export type { IntrospectionOptions } from './introspection.ts';

function isSecureUrl(text: string): boolean {
  try {
    requireSecureUrl(text, 'TOKEN_ISSUER');
    return true;
  } catch {
    return false;
  }
}

export const TOKEN_VARIABLES = {
  /** The identity provider: what `iss` of tokens is, exactly. */
  TOKEN_ISSUER: text(isSecureUrl, 'must be the https URL of the identity provider (http is for this machine only)').optional(),
  /** The name of this API at the identity provider: what `aud` of tokens has. */
  TOKEN_AUDIENCE: text().optional(),
  /** What `typ` of tokens is: `at+jwt` (RFC 9068), or `JWT` for Keycloak, Auth0 and Entra; `any` for providers that write nothing. */
  TOKEN_TYPE: parsed(
    text((type) => /^[\w.+/-]+$/.test(type), 'must be at+jwt, JWT or any'),
    (type) => (type === 'any' ? null : type),
  ).default('at+jwt'),
};
