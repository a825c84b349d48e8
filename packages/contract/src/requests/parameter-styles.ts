/** Splits text that is serialized in one of the styles of parameters (OpenAPI 3.0.3, section 4.7.12.2). */
import qs from 'qs';
import type { RawValue, ValueShape } from './typed-values.ts';

export interface Style {
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** The parts of one text: `a,b`, `R,100,G,200`, `R=100,G=200`; prefixed with `.` for label and `;name=` for matrix. */
export function splitStyledText(text: string, style: Style, shape: ValueShape): RawValue {
  const isList = shape.types.has('array');
  const isObject = shape.types.has('object') && !isList;
  const { prefix, delimiter } = separators(text, style);
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!isList && !isObject) return rest;
  // `;color=blue;color=black` repeats the name, which is not part of the items.
  const pieces = rest.split(delimiter).map((piece) => (isList && style.style === 'matrix' ? piece.replace(`${style.name}=`, '') : piece));
  if (isList) return rest === '' && style.style !== 'form' ? [] : pieces;
  if (style.explode) {
    return Object.fromEntries(
      pieces.map((piece): [string, string] => {
        const [key = '', ...value] = piece.split('=');
        return [key, value.join('=')];
      }),
    );
  }
  return Object.fromEntries(pieces.flatMap((piece, i) => (i % 2 === 0 ? [[piece, pieces[i + 1] ?? '']] : [])));
}

function separators(text: string, { name, style, explode }: Style): { prefix: string; delimiter: string } {
  // The table of 3.0.3 delimits a label by `.` where RFC 6570 does by `,`: both are accepted.
  if (style === 'label') return { prefix: '.', delimiter: explode || !text.includes(',') ? '.' : ',' };
  if (style === 'matrix') {
    return explode && !text.startsWith(`;${name}=`)
      ? { prefix: ';', delimiter: ';' }
      : { prefix: `;${name}=`, delimiter: explode ? ';' : ',' };
  }
  return { prefix: '', delimiter: DELIMITERS[style] ?? ',' };
}

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
  return qs.parse(form, { ...PARSER_LIMITS, plainObjects: true, decoder: decodeComponent }) as Record<string, RawValue>;
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
    for (let end = name.indexOf('['); end >= 0; end = name.indexOf('[', end + 1))
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
