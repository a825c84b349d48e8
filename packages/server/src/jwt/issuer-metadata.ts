/** The metadata of an authorization server: OpenID Connect Discovery 1.0 and RFC 8414. */
import { FetchFailed, fetchJson, type FetchOptions, requireSecureUrl } from './fetch-json.ts';

const OPENID_PATH = '/.well-known/openid-configuration';
const OAUTH_PATH = '/.well-known/oauth-authorization-server';

interface Metadata {
  readonly issuer: string;
  readonly keys: URL;
  /** Where tokens are introspected (RFC 7662), if the server says so. */
  readonly introspection: string | undefined;
}

/**
 * Where the metadata of an issuer may be. OpenID Connect appends the path (Discovery 1.0, section 4.1), RFC 8414, section 3.1, puts
 * its own before the path of the issuer.
 */
export function metadataUrlsOf(issuer: string): URL[] {
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

/** Found when it is first needed, and again after what it names has failed: it may be somewhere else by then. */
export class IssuerMetadata {
  readonly #urls: readonly URL[];
  readonly #issuers: readonly string[];
  readonly #http: FetchOptions;
  #found: Metadata | undefined = undefined;
  #pending: Promise<Metadata> | undefined = undefined;

  /** @param issuers what it may call itself: another issuer could otherwise speak for this one (RFC 8414, section 3.3). */
  constructor(urls: readonly URL[], issuers: readonly string[], http: FetchOptions) {
    this.#urls = urls;
    this.#issuers = issuers;
    this.#http = http;
  }

  /** Whether a token of this name is the issuer's. Until its metadata is known, names that may be there. */
  readonly isIssuer = (name: string): boolean => (this.#found === undefined ? this.#issuers.includes(name) : name === this.#found.issuer);

  /** @param request asks what the metadata names. @throws FetchFailed */
  async use<T>(request: (metadata: Metadata) => Promise<T>): Promise<T> {
    const metadata = await this.#find();
    try {
      return await request(metadata);
    } catch (error) {
      if (this.#found === metadata) this.#found = undefined;
      throw error;
    }
  }

  async #find(): Promise<Metadata> {
    if (this.#found !== undefined) return this.#found;
    this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined));
    return (this.#found = await this.#pending);
  }

  /** Reads the metadata at the first URL that has some. */
  async #fetch(): Promise<Metadata> {
    let absent: unknown;
    for (const url of this.#urls) {
      try {
        return this.#read(url, await fetchJson(url, this.#http));
      } catch (error) {
        if (!(error instanceof FetchFailed) || error.status !== 404) throw error;
        absent = error;
      }
    }
    throw absent;
  }

  #read(url: URL, { issuer, jwks_uri: keys, introspection_endpoint: introspection }: Readonly<Record<string, unknown>>): Metadata {
    if (typeof issuer !== 'string' || !this.#issuers.includes(issuer))
      throw new FetchFailed(`${url.href} is the metadata of the issuer ${JSON.stringify(issuer)}, not of ${this.#issuers[0]}`);
    if (typeof keys !== 'string') throw new FetchFailed(`${url.href} has no jwks_uri`);
    return {
      issuer,
      keys: requireSecureUrl(keys, 'jwks_uri'),
      introspection: typeof introspection === 'string' ? introspection : undefined,
    };
  }
}
