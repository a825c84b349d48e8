/** An issuer as the service knows it: its keys and its metadata, by discovery or by options. */
import type { JSONWebKeySet } from 'jose';
import { fetchJson, requireSecureUrl, type FetchOptions } from './fetch-json.ts';
import { fetchedKeys, fixedKeys, type KeySet, type KeySetOptions } from './key-set.ts';
import { fetchMetadata, issuersOf, metadataUrls, type Metadata } from './metadata.ts';

export interface IssuerOptions extends Pick<KeySetOptions, 'onOutage' | 'onRecovery'> {
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

export interface Issuer {
  /** Whether a token of this name is its own. Until its metadata is known, names that may be there. */
  readonly isIssuer: (name: string) => boolean;
  readonly keys: KeySet;
  readonly introspectionEndpoint: () => Promise<string | undefined>;
}

/** @throws Error if an option cannot be used. It makes no request yet. */
export function createIssuer({ issuer, metadataUrl, jwks, http, elapsed, ...events }: IssuerOptions): Issuer {
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
  const keys = fetchedKeys({ ...events, load: keysUrl === undefined ? load : () => fetchJson(keysUrl, http), now: elapsed });
  return { isIssuer, keys, introspectionEndpoint };
}
