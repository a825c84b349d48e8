/** What access tokens are for, as clients are told (RFC 9728). */
import type { SecuritySchemeDefinition } from '@specwright/contract';

export interface ProtectedResource {
  /** The URL of the API: what clients ask tokens for (RFC 8707), and what `aud` of tokens is. */
  readonly identifier: string;
  readonly issuerOf: (definition: SecuritySchemeDefinition) => string | undefined;
}

/** The first audience that can be the identifier of a resource: a URL without a fragment (RFC 8707, section 2). */
export const resourceIdentifier = (audiences: readonly string[]): string | undefined =>
  audiences.find((name) => /^https?:\/\/[^#]+$/.test(name) && URL.canParse(name));

/** Where the metadata of a resource is: the well-known path comes before the path of the resource (RFC 9728, section 3.1). */
export function metadataUrlOf(identifier: string): URL {
  const url = new URL(identifier);
  return new URL(`/.well-known/oauth-protected-resource${url.pathname.replace(/\/$/, '')}${url.search}`, url);
}
