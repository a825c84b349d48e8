/** Decodes text to the values that a contract declares, strictly: parameters of paths, headers and cookies. `encode.ts` is the other direction. */
import { type RawValue, type ReportProblem, type ValueShape, convertValue } from './typed-values.ts';
import { isPerCookie, type FieldEncoding } from './field-encoding.ts';
import { trimBlanks } from '../http/field-parameters.ts';
import { isBigIntegerAt } from './big-integer-values.ts';
import { parseStrictJson } from './strict-json.ts';

export interface Field {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  readonly shape: ValueShape;
  readonly encoding: FieldEncoding;
  /** Reads its decoded text, if there is nothing to split or to take off; `undefined` for a text that is not of its types. */
  readonly readPlain: ((text: string) => unknown) | undefined;
}

export const NOT_ENCODED = 'is not valid percent-encoding of UTF-8';
export const ONCE = 'must be given once';

/**
 * The value of a path, a header or a cookie. One with a problem keeps its text.
 *
 * @param texts those of a path and a header are decoded; a header may be sent in several lines (RFC 9110, section 5.3).
 * @param encoded the text of a path as it was sent, if that is known and another
 */
export function decodeStyled(field: Field, texts: readonly string[], report: ReportProblem, encoded?: string): unknown {
  const { shape, encoding } = field;
  const [text = ''] = texts;
  const isList = shape.types.has('array');
  if (texts.length > 1 && !isList && encoding.style !== 'cookie') report(ONCE, '');
  if (encoding.style === 'json' || encoding.style === 'text' || !(isList || shape.types.has('object'))) {
    const plain = encoding.style === 'json' ? text : withoutPrefix(field, text);
    const decoded = isEncodedCookie(field) ? decodeText(plain, report, false) : plain;
    if (decoded === undefined) return text;
    return encoding.style === 'json' ? decodeJson(decoded, shape, report) : convertValue(shape, decoded, report);
  }
  const isSent = encoded !== undefined && encoding.style === 'simple';
  const isEncoded = isSent || isEncodedCookie(field);
  const sent = isSent ? [encoded] : texts;
  const pieces = isPerCookie(encoding) ? sent : sent.flatMap((each) => splitStyled(field, each, isEncoded));
  const decode = (piece: string): string => (isEncoded ? (decodeText(piece, report, false) ?? piece) : piece);
  return convertValue(shape, isList ? pieces.map(decode) : toObject(pieces, encoding.explode, report, decode), report);
}

/** Nothing is escaped in the style `cookie` (OpenAPI 3.2, section 4.12.3). */
const isEncodedCookie = ({ in: location, encoding }: Field): boolean => location === 'cookie' && encoding.style !== 'cookie';

/** The name of a label or a matrix is no part of the value. */
function withoutPrefix({ name, encoding: { style } }: Field, text: string): string {
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function splitStyled(field: Field, text: string, isEncoded: boolean): string[] {
  const { name, shape, encoding } = field;
  const { style, explode } = encoding;
  if (style === 'matrix' && explode) {
    const pieces = (text.startsWith(';') ? text.slice(1) : text).split(';');
    const values = shape.types.has('array') ? pieces.map((piece) => withoutPrefix(field, `;${piece}`).replace(/^;/, '')) : pieces;
    return text === '' || text === ';' || text === `;${name}=` ? [] : values;
  }
  const rest = withoutPrefix(field, text);
  if (rest === '' && ((style !== 'form' && style !== 'cookie') || !shape.types.has('array'))) return [];
  // The table of 3.0.3 delimits a label by `.` where RFC 6570 does by `,`: both are accepted.
  if (style === 'label') return rest.split(explode || !text.includes(',') ? '.' : ',');
  // Blanks around the commas of a field's list are no part of its elements (RFC 9110, section 5.6.1).
  if (field.in === 'header') return rest.split(',').map(trimBlanks);
  return rest.split(isEncoded ? delimiterOf(field) : ',');
}

/** The pieces of an object: pairs, or names and values by turns. */
export function toObject(
  pieces: readonly string[],
  explode: boolean,
  report: ReportProblem,
  decode: (text: string) => string = String,
): RawValue {
  const values = new Map<string, string>();
  if (!explode && pieces.length % 2 === 1) report('must have a value for each name', '');
  for (let i = 0; i + (explode ? 0 : 1) < pieces.length; i += explode ? 1 : 2) {
    const piece = pieces[i] ?? '';
    const [name, value] = (explode ? splitPair(piece) : [piece, pieces[i + 1] ?? '']).map(decode) as [string, string];
    if (values.has(name)) report(ONCE, `/${name}`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

export function splitPair(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Percent-encoded delimiters belong to an item (RFC 6570, section 3.2.1), where an item may have one. */
export function delimiterOf({ shape, encoding: { style } }: Field): RegExp | string {
  if (style === 'spaceDelimited') return /\+|%20/;
  if (style === 'pipeDelimited') return /\||%7c/i;
  return shape.types.has('array') && !acceptsText(shape) ? /,|%2c/i : ',';
}

/** Whether an empty text is a value of it, or an item. */
export const acceptsText = ({ types, item }: ValueShape): boolean =>
  types.has('string') || (types.has('array') && (item().types.size === 0 || item().types.has('string')));

/** @returns `undefined`, and reports, for what is not percent-encoded UTF-8. */
export function decodeText(encoded: string, report: (message: string, path: string) => void, isForm = true): string | undefined {
  const text = isForm && encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded;
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    report(NOT_ENCODED, '');
    return undefined;
  }
}

/** Decodes a query where none is declared: reports each name. @param isIgnored names that are read elsewhere. */
export function reportUndeclared(query: string, isIgnored: (name: string) => boolean, report: ReportProblem): void {
  for (const pair of query.split('&')) {
    const name = decodeText(splitPair(pair)[0], (message) => report(`has a name that ${message}`, ''));
    if (pair !== '' && name !== undefined && !isIgnored(name)) report('is not declared', `/${name}`);
  }
}

// Decodes JSON that is the text of a parameter, of a field of a form or of a part.

/** @returns the text, if it is not JSON. */
export function decodeJson(text: string, shape: ValueShape, report: ReportProblem): unknown {
  const { value, problem } = parseStrictJson(text, (path) => isBigIntegerAt(shape, path));
  if (problem === undefined) return value;
  const isJson = problem.kind !== 'syntax';
  report(isJson ? problem.message : 'must be JSON', ['', ...problem.path].join('/'));
  return isJson ? value : text;
}
