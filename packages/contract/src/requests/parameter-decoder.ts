/** Decodes the parameters in a URL, in headers and in cookies to the values that the contract declares, strictly. */
import { parseCookies } from '../http/cookies.ts';
import { decodeJson } from './decode-json.ts';
import { isJson } from './media-types.ts';
import { parametersOf, type Document, type Parameter, type DocumentOperation } from '../document/openapi.ts';
import { parsePathTemplate } from '../document/path-template.ts';
import { apiKeyParameters } from './security-requirements.ts';
import { NOT_ENCODED } from './form-field-decoder.ts';
import { nestingProblem, parseNestedForm, splitStyledText } from './parameter-styles.ts';
import { convertValue, createValueShape, scalarOf, type RawValue, type ReportProblem, type ValueShape } from './typed-values.ts';

/** A problem of a request. Its location: `query/limit`, `path/userId`, `header/If-Match`, `cookie/session`, `body/name`. */
export interface RequestProblem {
  readonly location: string;
  readonly message: string;
}

/** The parameters of one request as they were sent: path values are percent-decoded, header names are lower case. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  /** `undefined` if the URL has none. */
  readonly query: URLSearchParams | undefined;
  /** The query as it was sent: `query` has U+FFFD where it is not percent-encoded UTF-8. */
  readonly search?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Typed values by the names of their parameters. A value with a problem stays a string; an absent one stays absent. */
interface DecodedParameters {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
}

/** Decodes the parameters of a request into `decoded`, and adds what is wrong to `problems`. */
export type DecodeParameters = (raw: RawParameters, decoded: DecodedParameters, problems: RequestProblem[]) => void;

interface Decoder {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly style: string;
  readonly explode: boolean;
  readonly shape: ValueShape;
  /** @param raw a list if the name was sent more than once. */
  readonly decode: (raw: RawValue, problems: RequestProblem[]) => unknown;
}

/**
 * Creates the decoder of an operation's parameters.
 *
 * It decodes primitives, arrays and objects in every style of OpenAPI 3.0.3, section 4.7.12.2, and `content` with JSON.
 * It only reports text that is not of the declared type, repeated parameters and undeclared query parameters; the schema
 * validates the values.
 */
export function createParameterDecoder(document: Document, operation: DocumentOperation): DecodeParameters {
  const decoders = parametersOf(document, operation).map((parameter) => createDecoder(document, parameter));
  const decodersIn = (location: Parameter['in']) => decoders.filter((decoder) => decoder.in === location);
  const [inPath, inQuery, inCookie] = [decodersIn('path'), decodersIn('query'), decodersIn('cookie')];
  const inHeader = decodersIn('header').map((decoder) => ({ ...decoder, field: decoder.name.toLowerCase() }));
  // Declared by a security scheme or the path, not by `parameters`, so they are not part of the input.
  const declaredElsewhere = new Set([...apiKeyParameters(document, operation, 'query'), ...parsePathTemplate(operation.path).queryNames]);

  return (raw, decoded, problems) => {
    for (const { name, decode } of inPath) decoded.path[name] = decode(raw.path[name] ?? '', problems);
    if (raw.query !== undefined && raw.query.size > 0) decodeQuery(raw.query, inQuery, declaredElsewhere, decoded.query, problems);
    if (raw.search?.includes('%') === true) checkEncoding(raw.search, problems);
    for (const { field, name, decode } of inHeader) {
      const value = raw.headers[field];
      if (value !== undefined) decoded.headers[name] = decode(value, problems);
    }
    if (inCookie.length > 0) {
      const cookies = parseCookies(raw.headers['cookie']);
      for (const { name, decode } of inCookie) {
        // Of a name that was sent twice the first, which has the longer path.
        const [value] = cookies.get(name) ?? [];
        if (value !== undefined) decoded.cookies[name] = decode(decodeCookie(name, value, problems), problems);
      }
    }
  };
}

/** Each name belongs to the parameter of that name; else to one with brackets; else to an object whose properties are parameters. */
function decodeQuery(
  query: URLSearchParams,
  decoders: readonly Decoder[],
  declaredElsewhere: ReadonlySet<string>,
  result: Record<string, unknown>,
  problems: RequestProblem[],
): void {
  const bracketed = new Map<Decoder, [string, string][]>();
  const exploded = new Map<Decoder, Map<string, RawValue>>();
  for (const [key, value] of groupValues(query)) {
    const outer = /^([^[]+)\[/.exec(key)?.[1] ?? key;
    const exact = decoders.find(({ name, style }) => name === key && style !== 'deepObject');
    const deep = decoders.find(({ name, style }) => name === outer && style === 'deepObject');
    const object =
      decoders.find((decoder) => isExploded(decoder) && decoder.shape.propertyNames.includes(key)) ??
      decoders.find((d) => isExploded(d) && d.shape.isOpen);
    if (exact !== undefined && !isExploded(exact)) result[exact.name] = exact.decode(value, problems);
    else if (deep !== undefined) for (const each of [value].flat()) entryOf(bracketed, deep, () => []).push([key, each]);
    else if (object !== undefined && !declaredElsewhere.has(key)) entryOf(exploded, object, () => new Map()).set(key, value);
    else if (!declaredElsewhere.has(key)) problems.push({ location: `query/${key}`, message: 'is not declared' });
  }
  for (const [decoder, pairs] of bracketed) {
    try {
      result[decoder.name] = decoder.decode(parseNestedForm(new URLSearchParams(pairs).toString())[decoder.name] ?? '', problems);
    } catch (error) {
      problems.push({ location: `query/${decoder.name}`, message: nestingProblem(error) });
    }
  }
  for (const [decoder, parts] of exploded) result[decoder.name] = decoder.decode(Object.fromEntries(parts), problems);
}

/** The values of each name in one pass: a list if it was sent more than once. */
function groupValues(query: URLSearchParams): Map<string, string | string[]> {
  const groups = new Map<string, string | string[]>();
  for (const [key, value] of query) {
    const before = groups.get(key);
    if (before === undefined) groups.set(key, value);
    else if (typeof before === 'string') groups.set(key, [before, value]);
    else before.push(value);
  }
  return groups;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const entry = map.get(key) ?? make();
  map.set(key, entry);
  return entry;
}

/** Its properties are sent as parameters; its own name is not in the query. */
const isExploded = ({ style, explode, shape }: Decoder): boolean =>
  style === 'form' && explode && shape.types.has('object') && !shape.types.has('array') && !shape.types.has('string');

function createDecoder(document: Document, parameter: Parameter): Decoder {
  const { name, in: location, content } = parameter;
  const style = parameter.style ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple');
  const explode = parameter.explode ?? style === 'form';
  const fullName = `${location}/${name}`;
  if (content !== undefined) {
    const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
    const shape = createValueShape(document, schema);
    const decode: Decoder['decode'] = (raw, problems) => {
      const report: ReportProblem = (message, at) => void problems.push({ location: fullName + at, message });
      return isJson(type) ? decodeJson(first(raw), shape, report) : convertValue(shape, first(raw), report);
    };
    return { name, in: location, style: 'content', explode, shape, decode };
  }
  const shape = createValueShape(document, parameter.schema ?? {});
  // An exploded list in a query repeats its name; any other is one text.
  const isRepeated = location === 'query' && explode && shape.types.has('array');
  // As most are: nothing to split or to take off.
  const isText = (style === 'form' || style === 'simple') && !shape.types.has('array') && !shape.types.has('object');
  return {
    name,
    in: location,
    style,
    explode,
    shape,
    decode: (raw, problems) => {
      if (isText && typeof raw === 'string') {
        const value = scalarOf(shape, raw);
        if (value !== undefined) return value;
      }
      const reportAt: ReportProblem = (message, at) => void problems.push({ location: fullName + at, message });
      if (typeof raw === 'object' && !Array.isArray(raw)) return convertValue(shape, raw, reportAt);
      const isList = shape.types.has('array');
      const texts = [raw].flat() as RawValue[];
      if (isRepeated || style === 'deepObject') return convertValue(shape, isList ? texts : raw, reportAt);
      // A header may be sent in several lines (RFC 9110, section 5.3).
      if (texts.length > 1 && (!isList || location === 'query'))
        reportAt(isList ? `must be given once: ${name}=a${SEPARATORS[style] ?? ','}b` : 'must be given once', '');
      const values = texts.map((text) => splitStyledText(typeof text === 'string' ? text : '', { name, style, explode }, shape));
      return convertValue(shape, isList ? values.flat() : (values[0] ?? ''), reportAt);
    },
  };
}

/** What is written between the items of a list in a query. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };

const first = (raw: RawValue): string => (typeof raw === 'string' ? raw : Array.isArray(raw) ? String(raw[0]) : '');

/** The styles of OpenAPI percent-encode (RFC 6570, section 3.2.1). */
function decodeCookie(name: string, value: string, problems: RequestProblem[]): string {
  if (isEncoded(value)) return decodeURIComponent(value);
  problems.push({ location: `cookie/${name}`, message: NOT_ENCODED });
  return value;
}

/** Reports the parameters of a query whose names or values are not UTF-8: as one with U+FFFD they would be another value. */
function checkEncoding(search: string, problems: RequestProblem[]): void {
  if (isEncoded(search)) return;
  for (const pair of search.replace(/^\?/, '').split('&'))
    if (!isEncoded(pair)) problems.push({ location: `query/${[...new URLSearchParams(pair).keys()].join()}`, message: NOT_ENCODED });
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
