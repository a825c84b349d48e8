/** Parses the path templates of a contract: their shape, the names of their parameters, and the query that some have. */

export interface PathTemplate {
  /** The path with its parameters numbered: templates that differ only in names have the same shape. With its fragment. */
  readonly shape: string;
  /** What comes from `#` on, as written; empty for most paths. */
  readonly fragment: string;
  readonly names: readonly string[];
  /** `?action=list` in a path: the query that a request must have to match this operation. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Every name in that query, also those whose values are parameters. */
  readonly queryNames: readonly string[];
}

/**
 * OpenAPI 3.0.3, section 4.7.8. A fragment belongs to the path: clients do not send one (RFC 9110, section 7.1), but they can
 * send its `#` as `%23`.
 */
export function parsePathTemplate(path: string): PathTemplate {
  const [whole = ''] = path.split('#');
  const fragment = path.slice(whole.length);
  const [pathname = '', query = ''] = whole.split('?');
  const names: string[] = [];
  const shape = (pathname + fragment).replace(/\{([^{}]+)\}/g, (_, name: string) => `{${names.push(name) - 1}}`);
  // A value that is a parameter is not a fixed part of the query.
  const pairs = [...new URLSearchParams(query)];
  const fixed = pairs.filter(([, value]) => !value.includes('{'));
  return { shape, fragment, names, query: fixed, queryNames: pairs.map(([name]) => name) };
}

/** The shape of a path without its fragment, which is what clients send of it; `undefined` for a path that has none, or parameters in it. */
export const shapeWithoutFragment = ({ shape, fragment }: PathTemplate): string | undefined =>
  fragment === '' || fragment.includes('{') ? undefined : shape.slice(0, -fragment.length);
