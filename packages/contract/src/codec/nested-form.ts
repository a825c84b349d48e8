/** Parses names with brackets: `a[b]=1&a[c][]=2`. */
import type * as Qs from 'qs';
import { requireLibrary } from '../runtime/require-library.ts';
import type { RawValue } from './typed-values.ts';

/** Deeper or longer forms are refused. */
const PARSER_LIMITS = { depth: 10, strictDepth: true, arrayLimit: 1000, parameterLimit: 1000, throwOnLimitExceeded: true } as const;

/** Names with brackets that give one place two values: `a[b]=1&a[b][c]=2`. */
class AmbiguousNamesError extends Error {}

/** What is wrong with a form that `parseNestedForm` refuses. */
export const nestingProblem = (error: unknown): string =>
  error instanceof AmbiguousNamesError ? error.message : 'is nested too deep or too long';

/**
 * Parses names with brackets, `a[b]=1&a[c][]=2`, and repeated names.
 *
 * @throws RangeError if the form is too deep or too long, URIError for invalid percent-encoding, AmbiguousNamesError.
 */
export function parseNestedForm(form: string): Record<string, RawValue> {
  assertUnambiguous(form);
  const { parse } = requireLibrary('qs', new URL('../libraries/', import.meta.url)) as typeof Qs;
  const decoder: Qs.IParseOptions['decoder'] = (text: string, _default, _charset, kind) =>
    kind === 'key' ? decodeComponent(text).replaceAll(OMITTED, MARKED) : decodeComponent(text);
  const parsed = parse(form, { ...PARSER_LIMITS, plainObjects: true, decoder }) as Record<string, RawValue>;
  return withoutMarks(parsed) as Record<string, RawValue>;
}

/** The parser omits properties of this name, so that it reads them marked. */
const OMITTED = '__proto__';
const MARKED = `${OMITTED}!`;

function withoutMarks(value: RawValue): RawValue {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name.replaceAll(MARKED, OMITTED), withoutMarks(part)]));
}

/** The parser would merge them. */
function assertUnambiguous(form: string): void {
  const kinds = new Map<string, 'value' | 'list' | 'object'>();
  const visited = new Set<string>();
  for (const pair of form.split('&')) {
    const [encoded = ''] = pair.split('=');
    if (visited.has(encoded)) continue;
    visited.add(encoded);
    const name = decodeComponent(encoded);
    // The parser refuses what is deeper: each place is a copy of the start of the name.
    for (let end = name.indexOf('['), depth = 0; end >= 0 && depth <= PARSER_LIMITS.depth; end = name.indexOf('[', end + 1), depth++)
      mark(name.slice(0, end), name[end + 1] === ']' ? 'list' : 'object');
    mark(name, 'value');
  }
  function mark(place: string, kind: 'value' | 'list' | 'object'): void {
    const before = kinds.get(place) ?? kind;
    if (before !== kind) throw new AmbiguousNamesError(`has two kinds of values at ${place}`);
    kinds.set(place, kind);
  }
}

const decodeComponent = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
