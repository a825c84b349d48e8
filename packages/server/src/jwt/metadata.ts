/** The metadata of an authorization server: OpenID Connect Discovery 1.0 and RFC 8414. */
import { FetchFailed, fetchJson, requireSecureUrl, type FetchOptions } from './fetch-json.ts';

const OPENID_PATH = '/.well-known/openid-configuration';
const OAUTH_PATH = '/.well-known/oauth-authorization-server';

export interface Metadata {
  readonly issuer: string;
  readonly keys: URL;
  /** Where tokens are introspected (RFC 7662), if the server says so. */
  readonly introspection: string | undefined;
}

/**
 * Where the metadata of an issuer may be. OpenID Connect appends the path (Discovery 1.0, section 4.1), RFC 8414, section 3.1, puts
 * its own before the path of the issuer.
 */
export function metadataUrls(issuer: string): URL[] {
  const url = requireSecureUrl(issuer, 'issuer');
  const path = url.pathname.replace(/\/$/, '');
  return [new URL(`${path}${OPENID_PATH}`, url), new URL(`${OAUTH_PATH}${path}`, url)];
}

/**
 * The issuers whose metadata may be at a URL: what precedes the well-known path, with and without a slash at the end.
 *
 * @throws Error for a URL that is not one of metadata.
 */
export function issuersOf(metadataUrl: string): string[] {
  const { origin, pathname, search } = requireSecureUrl(metadataUrl, 'openIdConnectUrl');
  if (search === '' && pathname.endsWith(OPENID_PATH)) {
    const issuer = origin + pathname.slice(0, -OPENID_PATH.length);
    return [issuer, `${issuer}/`];
  }
  if (search === '' && pathname.startsWith(OAUTH_PATH)) {
    const issuer = origin + pathname.slice(OAUTH_PATH.length);
    return [issuer, ...(issuer === origin ? [`${issuer}/`] : [])];
  }
  throw new Error(`openIdConnectUrl must end with ${OPENID_PATH}, or give the option issuer: ${metadataUrl}`);
}

/**
 * Reads the metadata at the first URL that has some.
 *
 * @param issuers what it may call itself: another issuer could otherwise speak for this one (RFC 8414, section 3.3).
 * @throws FetchFailed
 */
export async function fetchMetadata(urls: readonly URL[], issuers: readonly string[], options: FetchOptions): Promise<Metadata> {
  for (const [i, url] of urls.entries()) {
    try {
      return readMetadata(url, await fetchJson(url, options), issuers);
    } catch (error) {
      const isElsewhere = error instanceof FetchFailed && error.status === 404;
      if (!isElsewhere || i === urls.length - 1) throw error;
    }
  }
  throw new Error('no URL of metadata');
}

function readMetadata(url: URL, document: Readonly<Record<string, unknown>>, issuers: readonly string[]): Metadata {
  const { issuer, jwks_uri: keys, introspection_endpoint: introspection } = document;
  if (typeof issuer !== 'string' || !issuers.includes(issuer))
    throw new FetchFailed(`${url.href} is the metadata of the issuer ${JSON.stringify(issuer)}, not of ${issuers[0]}`);
  if (typeof keys !== 'string') throw new FetchFailed(`${url.href} has no jwks_uri`);
  return {
    issuer,
    keys: requireSecureUrl(keys, 'jwks_uri'),
    introspection: typeof introspection === 'string' ? introspection : undefined,
  };
}
