/** The paths of the servers' URLs, which generated clients prepend to each path. */
import type { Document, DocumentOperation, Server } from './openapi.ts';

/**
 * The base paths of an operation, without a trailing `/`: those of its `servers`, else of its path's, else of the
 * document's (OpenAPI 3.0.3, section 4.7.5). The root is not listed, because it is always served.
 */
export function basePaths(document: Document, { item, operation }: Pick<DocumentOperation, 'item' | 'operation'>): string[] {
  const servers = operation.servers ?? item.servers ?? document.servers ?? [];
  return [...new Set(servers.map(basePath))].filter((path) => path !== '');
}

function basePath({ url, variables = {} }: Server): string {
  const filled = url.replace(/\{([^{}]+)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
  const path = filled.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  // A variable without a default cannot be served.
  if (path.includes('{')) return '';
  return `/${path.replace(/^(\.?\/)+|^\.$/, '')}`.replace(/(?<!\/)\/+$/, '');
}
