/** Reads which credentials an operation asks for: its security requirements, each scheme with its definition. */
import { resolve, type Document, type DocumentOperation, type Reference } from './openapi.ts';

/** OpenAPI 3.0.3, section 4.7.29. What a type does not use is left open. */
export type SecuritySchemeDefinition =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'openIdConnect' };

/** A scheme as one operation asks for it. */
export interface RequiredScheme {
  readonly name: string;
  readonly definition: SecuritySchemeDefinition;
  /** What the credentials have to be good for (`oauth2` and `openIdConnect`). */
  readonly scopes: readonly string[];
}

/** The names of the parameters that carry API keys: declared by the scheme, not by `parameters` (OpenAPI 3.0.3, section 4.7.27). */
export function apiKeyParameters(document: Document, place: DocumentOperation, where: 'query' | 'header' | 'cookie'): Set<string> {
  const uses = securityRequirementsOf(document, place).flat();
  return new Set(uses.flatMap(({ definition: d }) => (d.type === 'apiKey' && d.in === where ? [d.name] : [])));
}

/** Alternatives (OpenAPI 3.0.3, section 4.7.30); the schemes of one must all hold, an empty one lets anybody in. None: open to all. */
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
