/** How the page at /docs logs in (OAuth 2 with PKCE, OpenID Connect), and which origins its script may ask for that. */
import { type Contract, resolve, type Reference } from '@specwright/contract';

export interface DocsOAuth {
  /** The public client of the page at the identity provider. Default: none; its reader types one. */
  readonly clientId?: string | undefined;
  /** The scopes that are selected at first. Default: none. */
  readonly scopes?: readonly string[];
  /** The URL of the identity provider that the page uses in place of the contract's: that of a test system. Default: the contract's. */
  readonly issuer?: string | undefined;
}

export interface DocsOptions {
  /** How the page logs in. Default: none. */
  readonly oauth?: DocsOAuth;
  /** Whether open pages load themselves again when a server with another contract has replaced this one: for development. Default: `false`. */
  readonly reload?: boolean;
}

/** What of a security scheme says where its tokens are (OpenAPI 3.0.3, sections 4.7.23 to 4.7.25). */
interface TokenScheme {
  readonly type: string;
  readonly flows?: Readonly<Record<string, { readonly tokenUrl?: string } | undefined>>;
  readonly openIdConnectUrl?: string;
}

/** Where tokens are, other than at this server. @param contracts those of the page: one policy is for all of them. */
export function tokenOrigins(contracts: readonly Pick<Contract, 'document'>[], { issuer }: DocsOAuth): string[] {
  const urls = [...contracts.flatMap(tokenUrls), ...(issuer === undefined ? [] : [issuer])];
  return [...new Set(urls.flatMap(originOf))].sort();
}

function tokenUrls({ document }: Pick<Contract, 'document'>): string[] {
  const schemes = Object.values((document.components?.securitySchemes ?? {}) as Record<string, TokenScheme | Reference>);
  return schemes
    .map((scheme) => resolve<TokenScheme>(document, scheme))
    .flatMap(({ type, flows = {}, openIdConnectUrl }) => {
      if (type === 'oauth2') return Object.values(flows).map((flow) => flow?.tokenUrl);
      return type === 'openIdConnect' ? [openIdConnectUrl] : [];
    })
    .filter((url) => url !== undefined);
}

/** None for a relative URL, which is this server's, and for other protocols than those of HTTP. */
function originOf(url: string): string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed !== undefined && /^https?:$/.test(parsed.protocol) ? [parsed.origin] : [];
}
