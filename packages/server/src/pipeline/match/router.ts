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
  /** The index of its first parameter among those of the path. */
  readonly first: number;
  readonly node: Node<T>;
}

export interface RouteMatch<T> {
  readonly entry: T;
  /** The values of its parameters, in their order. */
  readonly values: readonly string[];
  /** The values as they were sent, if the path has percent-encoding: an encoded comma is no delimiter of a list. */
  readonly encoded?: readonly string[];
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
    if (!template.includes('{')) literal.set(template, { entry, values: NO_VALUES });
    // `*` has no segments.
    if (!template.startsWith('/')) continue;
    let node = root;
    let prefix = '';
    let first = 0;
    for (const segment of template.split('/').slice(1)) {
      const isTemplated = segment.includes('{');
      if (isTemplated && !prefix.includes('{')) byPrefix.set(prefix, node);
      prefix += `/${segment}`;
      if (!isTemplated) node = literalChild(node, segment);
      else {
        const child = templatedChild(node, segment, first);
        first += child.names.length;
        node = child.node;
      }
    }
    node.entry = entry;
  }
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return exact;
    const values: string[] = [];
    const isEncoded = path.includes('%');
    const end = path.lastIndexOf('/');
    const last = isEncoded || end === -1 ? undefined : byPrefix.get(path.slice(0, end));
    if (last !== undefined) {
      // As the walk would find it: literal segments first.
      const entry = find(last, [path.slice(end + 1)], 0, values);
      if (entry !== undefined) return { entry, values };
    }
    const segments = path.split('/');
    if (!isEncoded) {
      const entry = find(root, segments, 1, values);
      return entry === undefined ? undefined : { entry, values };
    }
    const encoded: string[] = [];
    const entry = find(root, segments.map(decodeURIComponent), 1, values, { segments, values: encoded });
    return entry === undefined ? undefined : { entry, values, encoded };
  };
}

const NO_VALUES: readonly string[] = Object.freeze([]);

interface SentPath {
  readonly segments: readonly string[];
  readonly values: string[];
}

function find<T>(node: Node<T>, segments: readonly string[], index: number, values: string[], sent?: SentPath): T | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.entry;
  const literal = node.literal.get(segment);
  const exact = literal && find(literal, segments, index + 1, values, sent);
  if (exact !== undefined) return exact;
  if (segment === '') return undefined;
  for (const child of node.templated) {
    const { match, first } = child;
    const found = match?.(segment);
    if (match !== undefined && found === undefined) continue;
    const entry = find(child.node, segments, index + 1, values, sent);
    if (entry === undefined) continue;
    // After those behind it: what leads nowhere leaves nothing.
    if (found === undefined) values[first] = segment;
    else setValues(values, child, found);
    if (sent !== undefined) setSent(sent, child, index);
    return entry;
  }
  return undefined;
}

function setValues(values: string[], { first, names }: TemplatedChild<unknown>, found: readonly string[]): void {
  for (let i = 0; i < names.length; i++) values[first + i] = found[i] ?? '';
}

/** An encoded segment may not have the text that is around its parameters: then each has the whole of it. */
function setSent({ segments, values }: SentPath, child: TemplatedChild<unknown>, index: number): void {
  const segment = segments[index] ?? '';
  setValues(values, child, child.match?.(segment) ?? child.names.map(() => segment));
}

const createNode = <T>(): Node<T> => ({ literal: new Map(), templated: [] });

function literalChild<T>(node: Node<T>, segment: string): Node<T> {
  const child = node.literal.get(segment) ?? createNode<T>();
  node.literal.set(segment, child);
  return child;
}

function templatedChild<T>(node: Node<T>, segment: string, first: number): TemplatedChild<T> {
  // Keyed by the whole segment, because /users/{id} and /users/{userId}/photos have different names at the same level.
  const existing = node.templated.find(({ template }) => template === segment);
  if (existing !== undefined) return existing;
  const { names, match } = parseSegmentPattern(segment);
  const child = { template: segment, match: WHOLE.test(segment) ? undefined : match, names, first, node: createNode<T>() };
  node.templated.push(child);
  // More literal text first: `{name}.json` before `{name}`.
  const literalLength = ({ template }: { template: string }) => template.replace(/\{[^{}]+\}/g, '').length;
  node.templated.sort((a, b) => literalLength(b) - literalLength(a));
  return child;
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
