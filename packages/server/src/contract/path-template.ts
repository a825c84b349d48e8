/** Parses the path templates of a contract: their shape, the names of their parameters, and the query that some have. */

export interface PathTemplate {
  /** The path with its parameters numbered: templates that differ only in names have the same shape. */
  readonly shape: string;
  /** The names of the parameters, in the order of the path. */
  readonly names: readonly string[];
  /** `?action=list` in a path: the query that a request must have to match this operation. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Every name in that query, also those whose values are parameters. */
  readonly queryNames: readonly string[];
}

/** OpenAPI 3.0.3, section 4.7.8. A fragment (`#...`) is ignored, because clients do not send it. */
export function parsePathTemplate(path: string): PathTemplate {
  const [whole = ''] = path.split('#');
  const [pathname = '', query = ''] = whole.split('?');
  const names: string[] = [];
  const shape = pathname.replace(/\{([^}]+)\}/g, (_, name: string) => `{${names.push(name) - 1}}`);
  // A value that is a parameter is not a fixed part of the query.
  const pairs = [...new URLSearchParams(query)];
  return { shape, names, query: pairs.filter(([, value]) => !value.includes('{')), queryNames: pairs.map(([name]) => name) };
}
