/** The authenticators of access tokens: `jwt` for an issuer, `openIdConnect` for the one that the contract names. */
import { isThenable, remember } from '@specwright/contract';
import type { JSONWebKeySet } from 'jose';
import { FrameworkError } from '@specwright/contract/runtime';
import type { Log } from '../log/logger.ts';
import { type Authenticator, type AuthenticatorOptions, bearer } from '../pipeline/authentication/authenticators.ts';
import { type LookUpLimit, type SchemeContext, bearerChallenge } from '../pipeline/authentication/credentials.ts';
import { type ProtectedResource, resourceIdentifier } from '../pipeline/authentication/protected-resource.ts';
import { type Claims, scopesOf } from './claims.ts';
import { ALGORITHMS, type Algorithm, createVerifier, RefusedToken } from './verifier.ts';
import { type FetchOptions, fetchJson, requireSecureUrl, FetchFailed } from './fetch-json.ts';
import { INTROSPECTION_CACHE_MS, type IntrospectionOptions, createIntrospection } from './introspection.ts';
import { type KeySet, type KeySetOptions, FetchedKeys, fixedKeys } from './key-set.ts';
import { createTokenVerification } from './token-verification.ts';

export interface TokenOptions<Caller> {
  /** What `aud` of a token must have: the name of this API at the issuer. Of several, one is enough. */
  readonly audience: string | readonly string[];
  /** Who calls. Called once for a token, and cached with it. `undefined` refuses the token with 401. */
  readonly caller: (claims: Claims, scopes: readonly string[]) => Caller | undefined | Promise<Caller | undefined>;
  /** The scopes of a token. Default: `scope`, or `scp`. */
  readonly scopes?: (claims: Claims) => readonly string[];
  /** The algorithms of signatures; `none` and HMAC cannot be chosen. Default: RS, PS and ES with 256 to 512 bits, EdDSA. */
  readonly algorithms?: readonly Algorithm[];
  /**
   * What `typ` of the header must be. Default: `at+jwt` (RFC 9068), so that an ID token or another JWT of the issuer is no access token.
   * Keycloak, Auth0 and Entra write `JWT`, some nothing: `null` accepts anything.
   */
  readonly type?: string | null;
  /** The keys of the issuer, or where they are. Default: where its metadata says. */
  readonly jwks?: string | URL | JSONWebKeySet;
  /** Asks the issuer whether a token was revoked. Default: a token is valid until it expires. */
  readonly introspection?: IntrospectionOptions;
  /** How far the clocks may differ, in s. Default: 30. */
  readonly clockToleranceS?: number;
  /** The longest token, in bytes. Default: 16 KiB. */
  readonly maxTokenBytes?: number;
  /** How many tokens are cached. Default: 10,000. */
  readonly maxCachedTokens?: number;
  /** How long a token and its caller are cached at most, in ms. Default: as long as the token is valid; 10,000 with `introspection`. */
  readonly cacheMs?: number;
  /** How long a request to the issuer may take, in ms. Default: 5000. */
  readonly timeoutMs?: number;
  /** Gets a line when the keys of the issuer cannot be fetched, and when they can again. Default: none. */
  readonly log?: Pick<Log, 'info' | 'warn'>;
  /** Makes the requests to the issuer. Default: `fetch`. */
  readonly fetch?: typeof fetch;
  /** The time, in ms since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** A clock that does not jump, in ms. Default: `performance.now`. */
  readonly elapsed?: () => number;
}

export interface JwtOptions<Caller> extends TokenOptions<Caller> {
  /** What `iss` of a token must be. */
  readonly issuer: string;
}

export interface OpenIdConnectOptions<Caller> extends TokenOptions<Caller> {
  /** What `iss` of a token must be. Default: what the URL of the metadata belongs to. */
  readonly issuer?: string;
  /** The URL of the issuer's metadata. Default: `openIdConnectUrl` of the security scheme. */
  readonly openIdConnectUrl?: string;
}

/** A token is looked at without its issuer: a stream ends soon after `exp`. Whether it is active is asked as seldom as its cache allows. */
const RECHECK = { recheckMs: 4000 };

/** With an audience that is a URL clients can ask the issuer for tokens of this API, without being told where it is. */
function tokenOptions<Caller>({ audience }: TokenOptions<Caller>, issuerOf: ProtectedResource['issuerOf']): AuthenticatorOptions {
  const identifier = resourceIdentifier([audience].flat());
  return identifier === undefined ? RECHECK : { ...RECHECK, resource: { identifier, issuerOf } };
}

/**
 * The authenticator of JWTs (RFC 7519) that an issuer has signed: for `oauth2`, `openIdConnect`, and `http` `bearer`.
 *
 * @throws Error for options that cannot be used.
 */
export function jwt<Caller>(options: JwtOptions<Caller>): Authenticator<Caller> {
  const find = createFind(options, { issuer: options.issuer });
  const described = tokenOptions(options, () => options.issuer);
  return bearer((token, scheme, limit) => refusing(scheme, () => find(token, limit)), undefined, described);
}

/**
 * The authenticator of a scheme of type `openIdConnect`: the issuer is found by its `openIdConnectUrl`.
 *
 * @throws Error for options that cannot be used; without `openIdConnectUrl` at the first request.
 */
export function openIdConnect<Caller>(options: OpenIdConnectOptions<Caller>): Authenticator<Caller> {
  const findOf = remember((metadataUrl: string) => createFind(options, { issuer: options.issuer, metadataUrl }));
  if (options.openIdConnectUrl !== undefined) findOf(options.openIdConnectUrl);
  else assertOptions(options);
  const find = (token: string, scheme: SchemeContext, limit: LookUpLimit) =>
    findOf(options.openIdConnectUrl ?? urlOf(scheme))(token, limit);
  const described = tokenOptions(options, (definition) => {
    const url = options.openIdConnectUrl ?? (definition.type === 'openIdConnect' ? definition.openIdConnectUrl : undefined);
    return options.issuer ?? (url === undefined ? undefined : issuersOf(url)[0]);
  });
  return bearer((token, scheme, limit) => refusing(scheme, () => find(token, scheme, limit)), undefined, described);
}

function urlOf({ name, definition }: SchemeContext): string {
  const url = definition.type === 'openIdConnect' ? definition.openIdConnectUrl : undefined;
  if (url === undefined) throw new Error(`the security scheme ${name} has no openIdConnectUrl: give openIdConnect the option of that name`);
  return url;
}

/** @throws Error */
function assertOptions({ audience, algorithms = ALGORITHMS }: Pick<TokenOptions<unknown>, 'audience' | 'algorithms'>): void {
  if (audience.length === 0 || [audience].flat().includes(''))
    throw new Error('audience must be the name of this API: without it tokens for any API would be accepted');
  const unknown = algorithms.filter((algorithm) => !ALGORITHMS.includes(algorithm));
  if (unknown.length > 0 || algorithms.length === 0)
    throw new Error(`algorithms must be some of ${ALGORITHMS.join(', ')}${unknown.length > 0 ? `, not ${unknown.join(', ')}` : ''}`);
}

function createFind<Caller>(options: TokenOptions<Caller>, names: { readonly issuer?: string | undefined; readonly metadataUrl?: string }) {
  assertOptions(options);
  const { audience, algorithms = ALGORITHMS, type = 'at+jwt', clockToleranceS = 30, maxTokenBytes = 16_384, jwks, introspection } = options;
  const { caller, scopes = scopesOf, maxCachedTokens = 10_000, now = Date.now, timeoutMs = 5000, log, fetch, elapsed } = options;
  const { cacheMs = introspection === undefined ? Infinity : INTROSPECTION_CACHE_MS } = options;
  const http = { fetch, timeoutMs };
  const { isIssuer, keys, introspectionEndpoint } = createIssuer({
    ...names,
    jwks,
    http,
    elapsed,
    onOutage: (err) => log?.warn({ err }, 'the keys of the token issuer cannot be fetched: those that are known stay valid'),
    onRecovery: () => log?.info({}, 'the keys of the token issuer can be fetched again'),
  });
  return createTokenVerification<Caller>({
    keys,
    verify: createVerifier({ isIssuer, audience: [audience].flat(), algorithms, type, clockToleranceS, now, keys }),
    isActive: introspection && createIntrospection(introspection, introspectionEndpoint, http),
    toCaller: (claims) => caller(claims, scopes(claims)),
    maxTokenBytes,
    maxCachedTokens,
    cacheMs,
    now,
  });
}

/** Refuses with the challenge of RFC 6750, section 3.1. @throws AppError unauthorized */
function refusing<Caller>(scheme: SchemeContext, find: () => Caller | Promise<Caller>): Caller | Promise<Caller> {
  const refuse = (error: unknown): never => {
    if (!(error instanceof RefusedToken)) throw error;
    const message = `the token is not valid: ${error.message}`;
    const challenge = `${bearerChallenge(scheme)}, error="invalid_token", error_description="${message}"`;
    throw new FrameworkError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });
  };
  try {
    const found = find();
    return isThenable(found) ? found.catch(refuse) : found;
  } catch (error) {
    return refuse(error);
  }
}

/** An issuer as the service knows it: its keys and its metadata, by discovery or by options. */
interface IssuerOptions extends Pick<KeySetOptions, 'onOutage' | 'onRecovery'> {
  /** What `iss` of tokens must be. Default: what `metadataUrl` belongs to. */
  readonly issuer?: string | undefined;
  /** Where its metadata is. Default: where `issuer` has it. */
  readonly metadataUrl?: string | undefined;
  /** Its keys, or where they are. Default: where its metadata says. */
  readonly jwks?: string | URL | JSONWebKeySet | undefined;
  readonly http: FetchOptions;
  /** Milliseconds on a clock that does not jump. */
  readonly elapsed?: (() => number) | undefined;
}

interface Issuer {
  /** Whether a token of this name is its own. Until its metadata is known, names that may be there. */
  readonly isIssuer: (name: string) => boolean;
  readonly keys: KeySet;
  readonly introspectionEndpoint: () => Promise<string | undefined>;
}

/** @throws Error if an option cannot be used. It makes no request yet. */
function createIssuer({ issuer, metadataUrl, jwks, http, elapsed, ...events }: IssuerOptions): Issuer {
  const names = issuer === undefined ? issuersOf(metadataUrl ?? '') : [issuer];
  const urls = metadataUrl === undefined ? metadataUrls(issuer ?? '') : [requireSecureUrl(metadataUrl, 'openIdConnectUrl')];
  let metadata: Metadata | undefined;
  let pending: Promise<Metadata> | undefined;
  const discover = async (): Promise<Metadata> => {
    if (metadata !== undefined) return metadata;
    pending ??= fetchMetadata(urls, names, http).finally(() => (pending = undefined));
    return (metadata = await pending);
  };
  const isIssuer = (name: string) => (metadata === undefined ? names.includes(name) : name === metadata.issuer);

  const load = async () => {
    try {
      return await fetchJson((await discover()).keys, http);
    } catch (error) {
      // They may be somewhere else by now.
      metadata = undefined;
      throw error;
    }
  };
  const introspectionEndpoint = async () => (await discover()).introspection;
  if (jwks !== undefined && typeof jwks === 'object' && !(jwks instanceof URL))
    return { isIssuer, keys: fixedKeys(jwks), introspectionEndpoint };
  const keysUrl = jwks === undefined ? undefined : requireSecureUrl(String(jwks), 'jwks');
  const keys = new FetchedKeys({ ...events, load: keysUrl === undefined ? load : () => fetchJson(keysUrl, http), now: elapsed });
  return { isIssuer, keys, introspectionEndpoint };
}

/** The metadata of an authorization server: OpenID Connect Discovery 1.0 and RFC 8414. */
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
function metadataUrls(issuer: string): URL[] {
  const url = requireSecureUrl(issuer, 'issuer');
  const path = url.pathname.replace(/\/$/, '');
  return [new URL(`${path}${OPENID_PATH}`, url), new URL(`${OAUTH_PATH}${path}`, url)];
}

/**
 * The issuers whose metadata may be at a URL: what precedes the well-known path, with and without a slash at the end.
 *
 * @throws Error for a URL that is not one of metadata.
 */
function issuersOf(metadataUrl: string): string[] {
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
async function fetchMetadata(urls: readonly URL[], issuers: readonly string[], options: FetchOptions): Promise<Metadata> {
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
