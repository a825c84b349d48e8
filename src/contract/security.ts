/** What an operation's security requirements say about where credentials stand. */
import { resolve, type Document, type Place, type Reference } from './openapi.ts';

interface SecurityScheme {
  type?: string;
  in?: string;
  name?: string;
}

/** The names of the parameters that carry API keys: declared by the scheme, not by `parameters` (OpenAPI 3.0.3, section 4.7.27). */
export function securityParameters(document: Document, { operation }: Place, where: 'query' | 'header' | 'cookie'): Set<string> {
  const schemes = document.components?.securitySchemes ?? {};
  const named = (operation.security ?? document.security ?? []).flatMap((alternative) => Object.keys(alternative));
  return new Set(
    named.flatMap((name) => {
      const found = schemes[name] as SecurityScheme | Reference | undefined;
      const scheme = found === undefined ? undefined : resolve<SecurityScheme>(document, found);
      return scheme?.type === 'apiKey' && scheme.in === where && scheme.name !== undefined ? [scheme.name] : [];
    }),
  );
}
