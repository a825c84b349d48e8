/** The security requirements of operations, each scheme with its definition. */
import { resolve, type Document, type DocumentOperation, type Reference } from '../document/openapi.ts';

/** OpenAPI 3.0.3, section 4.7.29, as far as it is used here. */
export type SecuritySchemeDefinition =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'mutualTLS' }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl?: string };

export interface RequiredScheme {
  readonly name: string;
  readonly definition: SecuritySchemeDefinition;
  /** The scopes that the credentials need: of `oauth2` and `openIdConnect`, and the roles of other types (OpenAPI 3.1). */
  readonly scopes: readonly string[];
}

/** The names of the parameters that carry API keys: which schemes declare, not `parameters` (OpenAPI 3.0.3, section 4.7.27). */
export function apiKeyParameters(document: Document, operation: DocumentOperation, location: 'query' | 'header' | 'cookie'): Set<string> {
  const schemes = securityRequirementsOf(document, operation).flat();
  return new Set(schemes.flatMap(({ definition: d }) => (d.type === 'apiKey' && d.in === location ? [d.name] : [])));
}

/** Alternatives (OpenAPI 3.0.3, section 4.7.30), of which all schemes are required; an empty one needs no credentials. None: no security. */
export function securityRequirementsOf(document: Document, { operation }: DocumentOperation): RequiredScheme[][] {
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, SecuritySchemeDefinition | Reference>;
  return (operation.security ?? document.security ?? []).map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      const definition = schemes[name];
      if (definition === undefined) throw new Error(`there is no security scheme ${name}`);
      return { name, definition: resolve<SecuritySchemeDefinition>(document, definition), scopes };
    }),
  );
}
