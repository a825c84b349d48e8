/** A router of path templates, whose time per path does not grow with their number. */

const WHOLE = /^\{[^}]+\}$/;

interface Node<T> {
  readonly literal: Map<string, Node<T>>;
  /** Children for segments with parameters: `{id}`, `{name}.json`, `{id}:cancel`. */
  readonly templated: TemplatedChild<T>[];
  entry?: T;
}

interface TemplatedChild<T> {
  readonly template: string;
  /** None for a parameter that is a whole segment. */
  readonly match: MatchSegment | undefined;
  readonly names: readonly string[];
  readonly node: Node<T>;
}

export interface RouteMatch<T> {
  readonly entry: T;
  readonly parameters: Readonly<Record<string, string>>;
  /** The values as they were sent, if the path has percent-encoding: an encoded comma is no delimiter of a list. */
  readonly encoded?: Readonly<Record<string, string>>;
}

/** `undefined` if no template matches. @throws URIError if the path is not valid percent-encoding. */
export type FindRoute<T> = (path: string) => RouteMatch<T> | undefined;

/**
 * Creates a router of OpenAPI path templates.
 *
 * Segments are split before they are decoded, so an encoded slash stays within its parameter. A literal segment is
 * preferred to a templated one (OpenAPI 3.0.3, section 4.7.8.1); if the rest of the path does not match, the other is tried.
 */
export function createRouter<T>(entries: Iterable<readonly [template: string, entry: T]>): FindRoute<T> {
  const root = createNode<T>();
  // A path without parameters takes precedence, and needs no walk.
  const literal = new Map<string, RouteMatch<T>>();
  // Most other paths end with their only parameter: what is before it needs no walk either.
  const byPrefix = new Map<string, Node<T>>();
  for (const [template, entry] of entries) {
    if (!template.includes('{')) literal.set(template, { entry, parameters: NO_PARAMETERS });
    let node = root;
    let prefix = '';
    for (const segment of template.split('/').slice(1)) {
      const isTemplated = segment.includes('{');
      if (isTemplated && !prefix.includes('{')) byPrefix.set(prefix, node);
      prefix += `/${segment}`;
      node = isTemplated ? templatedChild(node, segment) : literalChild(node, segment);
    }
    node.entry = entry;
  }
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return exact;
    const parameters: Record<string, string> = {};
    const isEncoded = path.includes('%');
    const end = path.lastIndexOf('/');
    const last = isEncoded || end === -1 ? undefined : byPrefix.get(path.slice(0, end));
    if (last !== undefined) {
      // As the walk would find it: literal segments first.
      const entry = find(last, [path.slice(end + 1)], 0, parameters);
      if (entry !== undefined) return { entry, parameters };
    }
    const segments = path.split('/');
    if (!isEncoded) {
      const entry = find(root, segments, 1, parameters);
      return entry === undefined ? undefined : { entry, parameters };
    }
    const encoded: Record<string, string> = {};
    const entry = find(root, segments.map(decodeURIComponent), 1, parameters, { segments, parameters: encoded });
    return entry === undefined ? undefined : { entry, parameters, encoded };
  };
}

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});

interface SentPath {
  readonly segments: readonly string[];
  readonly parameters: Record<string, string>;
}

function find<T>(
  node: Node<T>,
  segments: readonly string[],
  index: number,
  parameters: Record<string, string>,
  sent?: SentPath,
): T | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.entry;
  const literal = node.literal.get(segment);
  const exact = literal && find(literal, segments, index + 1, parameters, sent);
  if (exact !== undefined) return exact;
  if (segment === '') return undefined;
  for (const { match, names, node: child } of node.templated) {
    const values = match?.(segment);
    if (match !== undefined && values === undefined) continue;
    const entry = find(child, segments, index + 1, parameters, sent);
    if (entry === undefined) continue;
    name(parameters, names, values, segment);
    const encoded = sent?.segments[index];
    if (sent !== undefined && encoded !== undefined) name(sent.parameters, names, match?.(encoded), encoded);
    return entry;
  }
  return undefined;
}

function name(parameters: Record<string, string>, names: readonly string[], values: readonly string[] | undefined, segment: string): void {
  for (let i = 0; i < names.length; i++) parameters[names[i] ?? ''] = values?.[i] ?? segment;
}

const createNode = <T>(): Node<T> => ({ literal: new Map(), templated: [] });

function literalChild<T>(node: Node<T>, segment: string): Node<T> {
  const child = node.literal.get(segment) ?? createNode<T>();
  node.literal.set(segment, child);
  return child;
}

function templatedChild<T>(node: Node<T>, segment: string): Node<T> {
  // Keyed by the whole segment, because /users/{id} and /users/{userId}/photos have different names at the same level.
  const existing = node.templated.find(({ template }) => template === segment);
  if (existing !== undefined) return existing.node;
  const { names, match } = parseSegmentPattern(segment);
  const child = { template: segment, match: WHOLE.test(segment) ? undefined : match, names, node: createNode<T>() };
  node.templated.push(child);
  // More literal text first: `{name}.json` before `{name}`.
  const literalLength = ({ template }: { template: string }) => template.replace(/\{[^{}]+\}/g, '').length;
  node.templated.sort((a, b) => literalLength(b) - literalLength(a));
  return child.node;
}

/** @returns the values of the parameters in their order; `undefined` if the segment does not match. */
type MatchSegment = (segment: string) => string[] | undefined;

interface SegmentPattern {
  readonly names: readonly string[];
  readonly match: MatchSegment;
}

const PARAMETER = /\{([^{}]+)\}/;

/**
 * A parameter has at least one character and ends where the text that follows it first occurs. If that leaves too little for the rest,
 * so does each later place: nothing is tried twice, as a regular expression would.
 *
 * @param template a segment of a path template with at least one parameter (OpenAPI 3.1.1, section 4.8.8.2).
 */
function parseSegmentPattern(template: string): SegmentPattern {
  // Texts and names take turns: the first and the last are texts.
  const parts = template.split(PARAMETER);
  const names = parts.filter((_, index) => index % 2 === 1);
  const [prefix = '', ...between] = parts.filter((_, index) => index % 2 === 0);
  const suffix = between.pop() ?? '';
  const match = (segment: string): string[] | undefined => {
    if (!segment.startsWith(prefix) || !segment.endsWith(suffix)) return undefined;
    const end = segment.length - suffix.length;
    const values: string[] = [];
    let start = prefix.length;
    for (const text of between) {
      const next = segment.indexOf(text, start + 1);
      if (next === -1) return undefined;
      values.push(segment.slice(start, next));
      start = next + text.length;
    }
    if (start >= end) return undefined;
    values.push(segment.slice(start, end));
    return values;
  };
  return { names, match };
}
