/** A router of path templates, whose time per path does not grow with their number. */
import { parseSegmentPattern, type MatchSegment } from './segment-pattern.ts';

/** A parameter that is a whole segment. */
const WHOLE = /^\{[^}]+\}$/;

interface Node<T> {
  /** Children for literal segments. */
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
  /** Percent-decoded values by name. */
  readonly parameters: Readonly<Record<string, string>>;
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
    if (isEncoded) for (let i = 1; i < segments.length; i++) segments[i] = decodeURIComponent(segments[i] ?? '');
    const entry = find(root, segments, 1, parameters);
    return entry === undefined ? undefined : { entry, parameters };
  };
}

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});

function find<T>(node: Node<T>, segments: readonly string[], index: number, parameters: Record<string, string>): T | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.entry;
  const literal = node.literal.get(segment);
  const exact = literal && find(literal, segments, index + 1, parameters);
  if (exact !== undefined) return exact;
  if (segment === '') return undefined;
  for (const { match, names, node: child } of node.templated) {
    const values = match?.(segment);
    if (match !== undefined && values === undefined) continue;
    const entry = find(child, segments, index + 1, parameters);
    if (entry === undefined) continue;
    for (let i = 0; i < names.length; i++) parameters[names[i] ?? ''] = values?.[i] ?? segment;
    return entry;
  }
  return undefined;
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
