/** The authenticators of access tokens: `jwt` for an issuer, `openIdConnect` for the one that the contract names. */
import { isThenable, remember } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { type Authenticator, type AuthenticatorOptions, bearer } from '../pipeline/authentication/authenticators.ts';
import { type LookUpLimit, type SchemeContext, bearerChallenge } from '../pipeline/authentication/credentials.ts';
import { type ProtectedResource, resourceIdentifier } from '../pipeline/authentication/protected-resource.ts';
import { scopesOf } from './claims.ts';
import { createVerifier, RefusedToken } from './verifier.ts';
import { type FetchOptions, fetchJson, requireSecureUrl } from './fetch-json.ts';
import { INTROSPECTION_CACHE_MS, createIntrospection } from './introspection.ts';
import { IssuerMetadata, issuersOf, metadataUrlsOf } from './issuer-metadata.ts';
import { type KeySet, FetchedKeys, fixedKeys } from './key-set.ts';
import { ALGORITHMS, type TokenOptions } from './token-options.ts';
import { createTokenVerification } from './token-verification.ts';

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
  const find = createFind(options, [options.issuer], metadataUrlsOf(options.issuer));
  const described = tokenOptions(options, () => options.issuer);
  return bearer((token, scheme, limit) => refusing(scheme, () => find(token, limit)), undefined, described);
}

/**
 * The authenticator of a scheme of type `openIdConnect`: the issuer is found by its `openIdConnectUrl`.
 *
 * @throws Error for options that cannot be used; without `openIdConnectUrl` at the first request.
 */
export function openIdConnect<Caller>(options: OpenIdConnectOptions<Caller>): Authenticator<Caller> {
  const findOf = remember((metadataUrl: string) => {
    const issuers = options.issuer === undefined ? issuersOf(metadataUrl) : [options.issuer];
    return createFind(options, issuers, [requireSecureUrl(metadataUrl, 'openIdConnectUrl')]);
  });
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

/** @param issuers the names that `iss` may have. @param metadataUrls where the metadata may be. @throws Error for options that cannot be used. */
function createFind<Caller>(options: TokenOptions<Caller>, issuers: readonly string[], metadataUrls: readonly URL[]) {
  assertOptions(options);
  const { audience, algorithms = ALGORITHMS, type = 'at+jwt', clockToleranceS = 30, maxTokenBytes = 16_384, introspection } = options;
  const { caller, scopes = scopesOf, maxCachedTokens = 10_000, now = Date.now, timeoutMs = 5000, fetch } = options;
  const { cacheMs = introspection === undefined ? Infinity : INTROSPECTION_CACHE_MS } = options;
  const http = { fetch, timeoutMs };
  const metadata = new IssuerMetadata(metadataUrls, issuers, http);
  const keys = keysOf(options, metadata, http);
  return createTokenVerification<Caller>({
    keys,
    verify: createVerifier({ isIssuer: metadata.isIssuer, audience: [audience].flat(), algorithms, type, clockToleranceS, now, keys }),
    isActive: introspection && createIntrospection(introspection, metadata, http),
    toCaller: (claims) => caller(claims, scopes(claims)),
    maxTokenBytes,
    maxCachedTokens,
    cacheMs,
    now,
  });
}

/** @throws Error if an option cannot be used. It makes no request yet. */
function keysOf(
  { jwks, log, elapsed }: Pick<TokenOptions<unknown>, 'jwks' | 'log' | 'elapsed'>,
  metadata: IssuerMetadata,
  http: FetchOptions,
): KeySet {
  if (typeof jwks === 'object' && !(jwks instanceof URL)) return fixedKeys(jwks);
  const url = jwks === undefined ? undefined : requireSecureUrl(String(jwks), 'jwks');
  const load = url === undefined ? () => metadata.use(({ keys }) => fetchJson(keys, http)) : () => fetchJson(url, http);
  return new FetchedKeys({ load, log, now: elapsed });
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
