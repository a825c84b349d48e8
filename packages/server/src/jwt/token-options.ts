/** The options of the authenticators of access tokens. */
import type { JSONWebKeySet } from 'jose';
import type { Log } from '../log/logger.ts';
import type { Claims } from './claims.ts';

/** Signatures that need a private key. `none` is no signature, and who can check an HMAC can make one. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];

export interface IntrospectionOptions {
  /** The URL of RFC 7662. Default: `introspection_endpoint` of the issuer's metadata. */
  readonly endpoint?: string;
  /** The id of this API at the issuer. */
  readonly clientId: string;
  /** Its secret there. */
  readonly clientSecret: string;
}

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

/** Some of the options, with their defaults. */
export type Given<Caller, Names extends keyof TokenOptions<Caller>> = Required<Pick<TokenOptions<Caller>, Names>>;
