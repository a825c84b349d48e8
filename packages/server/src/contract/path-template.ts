/** Reads the path templates of a contract: their shape, the names in them, and a query that stands in some. */

export interface PathTemplate {
  /** The path with its parameters numbered: two templates that differ only in names are one. */
  readonly shape: string;
  /** The names of the parameters, in the order of the path. */
  readonly names: readonly string[];
  /** `?action=list` in a path: the query that a request must have to mean this operation. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Every name in that query, of which some values may be parameters. */
  readonly queryNames: readonly string[];
}

/** OpenAPI 3.0.3, section 4.7.8. A fragment (`#...`) never leaves the client, so it tells nothing apart. */
export function parsePathTemplate(path: string): PathTemplate {
  const [whole = ''] = path.split('#');
  const [own = '', query = ''] = whole.split('?');
  const names: string[] = [];
  const shape = own.replace(/\{([^}]+)\}/g, (_, name: string) => `{${names.push(name) - 1}}`);
  // A value that is a parameter itself is no fixed part of the query.
  const pairs = [...new URLSearchParams(query)];
  return { shape, names, query: pairs.filter(([, value]) => !value.includes('{')), queryNames: pairs.map(([name]) => name) };
}
