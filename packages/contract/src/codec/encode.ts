/** Writes parameters in the styles of OpenAPI (3.0.3, section 4.7.12.2) and the fields of forms (3.1.1, section 4.8.15), as text that is read back as the same value. */
// Generated clients contain this file: it imports nothing but the writer of JSON.
import { stringifyJson as writeJson } from '../json/write-json.ts';

/** What is encoded, and how. The defaults are those of its location. */
export interface EncodedField {
  readonly name: string;
  /** `body`: a field of a form. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /** A style of parameters, or `json`. */
  readonly style?: string | undefined;
  readonly explode?: boolean | undefined;
}

/** Whether a value is a list or an object. A `Date` is a text. */
export const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null && !(value instanceof Date);

export const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined && item !== null);

/** Values in lists and objects are JSON, which no style defines. */
export function scalarText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  const text = String(writeJson(value));
  return value instanceof Date ? text.slice(1, -1) : text;
}

/**
 * The text of a path, a header or a cookie: `a,b`, `R,100,G,200`, `R=100,G=200`; with `.` before it for label and `;name=` for matrix.
 *
 * @throws TypeError for a value that would be decoded to another one.
 */
export function encodeText(field: EncodedField, value: unknown): string {
  const { name, in: location, style = location === 'cookie' ? 'form' : 'simple', explode = style === 'form' } = field;
  const fail = (problem: string): never => {
    throw new TypeError(`${location}/${name} ${problem}`);
  };
  const encode = location === 'header' ? String : encodeURIComponent;
  const finish = (text: string): string => {
    if (location === 'path' && /^\.{0,2}$/.test(text)) fail(`must not be "${text}"`);
    if (location === 'header' && /^\s|\s$|[^\t -~\x80-\xff]/.test(text)) fail('has characters that a header cannot have');
    return text;
  };
  if (style === 'json') return finish(encode(String(writeJson(value))));
  const prefix = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
  if (!isComposite(value)) return finish(prefix + encode(scalarText(value)));
  const ownDelimiter = { spaceDelimited: ' ', pipeDelimited: '|', label: explode ? '.' : ',', matrix: explode ? ';' : ',' }[style];
  const delimiter = ownDelimiter ?? ',';
  const isSplitLast = isSplitAfterDecoding(location, prefix, delimiter);
  const part = (item: unknown, isName = false): string => {
    const text = scalarText(item);
    const separators = isSplitLast ? [delimiter, style === 'label' ? '.' : delimiter, isName ? '=' : delimiter] : [];
    const problem = itemProblem(text, separators, location);
    if (problem !== undefined) fail(problem);
    return encode(text);
  };
  const isList = Array.isArray(value);
  const texts = isList
    ? (value as unknown[]).map((item) => part(item))
    : entriesOf(value).flatMap(([key, item]) => (explode ? [`${part(key, true)}=${part(item)}`] : [part(key), part(item)]));
  if (isList && texts[0] === '' && texts.length === 1 && style !== 'form') fail('must not be a list of one empty text');
  const isRepeated = style === 'matrix' && explode;
  return finish(
    (isRepeated && !isList ? ';' : prefix) + texts.join(isRepeated && isList ? prefix : delimiter.replace(/[ |]/, encodeURIComponent)),
  );
}

/** A header is not encoded. Labels and matrices are split after they have been decoded, and so are texts at spaces and bars. */
const isSplitAfterDecoding = (location: EncodedField['in'], prefix: string, delimiter: string): boolean =>
  location === 'header' || (location === 'path' && prefix !== '') || /[ |]/.test(delimiter);

function itemProblem(text: string, separators: readonly string[], location: EncodedField['in']): string | undefined {
  const found = separators.find((one) => text.includes(one));
  if (found !== undefined) return `must not have "${found}" in an item, which separates its items`;
  // They belong to the list (RFC 9110, section 5.6.1).
  if (location === 'header' && /^[\t ]|[\t ]$/.test(text)) return 'must not have blanks around an item';
  return undefined;
}

const pair = (key: string, item: unknown): string => `${encodeURIComponent(key)}=${encodeURIComponent(scalarText(item))}`;

/**
 * The pairs of a query. None for null, which has no text (RFC 6570, section 2.3), nor for what is empty.
 *
 * @throws TypeError for a value that would be decoded to another one.
 */
export function encodePairs(field: EncodedField, value: unknown): string[] {
  const { name, style = 'form', explode = style === 'form' } = field;
  if (value === undefined || value === null) return [];
  if (style === 'json') return [pair(name, String(writeJson(value)))];
  if (style === 'deepObject') return bracketed(name, value);
  if (!isComposite(value)) return [pair(name, value)];
  if (!explode)
    return Object.keys(value).length === 0 ? [] : [`${encodeURIComponent(name)}=${encodeText({ ...field, style, explode }, value)}`];
  const parts: [string, unknown][] = Array.isArray(value) ? [[name, value]] : entriesOf(value);
  return parts.flatMap(([key, part]) => (Array.isArray(part) ? (part as unknown[]) : [part]).map((item) => pair(key, item)));
}

/** `filter[name]=a&filter[tags][0][id]=b`. */
function bracketed(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => bracketed(isComposite(item) ? `${name}[${i}]` : name, item));
  if (!isComposite(value)) return [pair(name, value)];
  return Object.entries(value).flatMap(([key, item]) => {
    if (/^$|[[\]]/.test(key)) throw new TypeError(`${name} must not have the property "${key}", which brackets cannot name`);
    return bracketed(`${name}[${key}]`, item);
  });
}
