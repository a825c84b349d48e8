/** The environment variables of a service whose callers have access tokens. */
import { optional, parsed, text, withDefault } from '@specwright/contract/variables';
import { requireSecureUrl } from './fetch-json.ts';

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
  TOKEN_ISSUER: optional(text(isSecureUrl, 'must be the https URL of the identity provider (http is for this machine only)')),
  /** The name of this API at the identity provider: what `aud` of tokens has. */
  TOKEN_AUDIENCE: optional(text()),
  /** What `typ` of tokens is: `at+jwt` (RFC 9068), or `JWT` for Keycloak, Auth0 and Entra; `any` for providers that write nothing. */
  TOKEN_TYPE: withDefault(
    parsed(
      text((type) => /^[\w.+/-]+$/.test(type), 'must be at+jwt, JWT or any'),
      (type) => (type === 'any' ? null : type),
    ),
    'at+jwt',
  ),
};
