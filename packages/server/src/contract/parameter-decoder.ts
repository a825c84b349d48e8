/** Turns the strings of a URL, of headers and of cookies into the values that the contract declares, strictly. */
import { isJson } from './media-types.ts';
import { parametersOf, type Document, type Parameter, type DocumentOperation } from './openapi.ts';
import { parsePathTemplate } from './path-template.ts';
import { apiKeyParameters } from './security-requirements.ts';
import { parseNestedForm, splitStyledText } from './parameter-styles.ts';
import { shapeOf, convertValue, type RawValue, type Shape } from './typed-values.ts';

/** A problem of a request and its place: `query/limit`, `path/userId`, `header/If-Match`, `cookie/session`, `body/name`. */
export interface RequestProblem {
  readonly location: string;
  readonly message: string;
}

/** The raw parameters of one request: path values are percent-decoded, header names are lower case. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Typed values by place and declared name. What has a problem keeps its string; what is absent is absent. */
export interface Decoded {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
  readonly problems: RequestProblem[];
}

interface Decoder {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly style: string;
  readonly explode: boolean;
  readonly shape: Shape;
  /** A list of texts is a name that was given more than once. */
  readonly decode: (given: RawValue, problem: (place: string, message: string) => void) => unknown;
}

/**
 * Makes the decoder of an operation's parameters.
 *
 * Serves primitives, arrays and objects in every style of OpenAPI 3.0.3, section 4.7.12.2, and `content` with JSON.
 * Whether the values are valid is the schema's concern; this only refuses what is not written as its type, what is
 * given twice, and query parameters that are not declared.
 */
export function createDecoder(document: Document, place: DocumentOperation): (raw: RawParameters) => Decoded {
  const decoders = parametersOf(document, place).map((parameter) => createParameterDecoder(document, parameter));
  const at = (where: Parameter['in']) => decoders.filter((decoder) => decoder.in === where);
  const [inPath, inQuery, inHeader, inCookie] = [at('path'), at('query'), at('header'), at('cookie')];
  // Declared elsewhere than in `parameters`, so they are no part of the input.
  const elsewhere = new Set([...apiKeyParameters(document, place, 'query'), ...parsePathTemplate(place.path).queryNames]);

  return (raw) => {
    const decoded: Decoded = { path: {}, query: {}, headers: {}, cookies: {}, problems: [] };
    const problem = (where: string, message: string) => void decoded.problems.push({ location: where, message });
    for (const { name, decode } of inPath) decoded.path[name] = decode(raw.path[name] ?? '', problem);
    decodeQuery(raw.query, inQuery, elsewhere, decoded.query, problem);
    for (const { name, decode } of inHeader) {
      const value = raw.headers[name.toLowerCase()];
      if (value !== undefined) decoded.headers[name] = decode(value, problem);
    }
    if (inCookie.length > 0) {
      const given = cookiesOf(raw.headers['cookie']);
      for (const { name, decode } of inCookie) {
        const value = given.get(name);
        if (value !== undefined) decoded.cookies[name] = decode(value, problem);
      }
    }
    return decoded;
  };
}

/** Each name belongs to the parameter of that name; else to one that is written with brackets; else to an object whose properties stand alone. */
function decodeQuery(
  query: URLSearchParams,
  decoders: readonly Decoder[],
  elsewhere: ReadonlySet<string>,
  result: Record<string, unknown>,
  problem: (place: string, message: string) => void,
): void {
  const bracketed = new Map<Decoder, [string, string][]>();
  const exploded = new Map<Decoder, Record<string, RawValue>>();
  for (const key of new Set(query.keys())) {
    const values = query.getAll(key);
    const outer = /^([^[]+)\[/.exec(key)?.[1] ?? key;
    const own = decoders.find(({ name, style }) => name === key && style !== 'deepObject');
    const deep = decoders.find(({ name, style }) => name === outer && style === 'deepObject');
    const object =
      decoders.find((decoder) => isExploded(decoder) && decoder.shape.names.includes(key)) ??
      decoders.find((d) => isExploded(d) && d.shape.isOpen);
    if (own !== undefined && !isExploded(own)) result[key] = own.decode(values.length === 1 ? (values[0] ?? '') : values, problem);
    else if (deep !== undefined)
      bracketed.set(deep, [...(bracketed.get(deep) ?? []), ...values.map((value): [string, string] => [key, value])]);
    else if (object !== undefined && !elsewhere.has(key))
      exploded.set(object, { ...exploded.get(object), [key]: values.length === 1 ? (values[0] ?? '') : values });
    else if (!elsewhere.has(key)) problem(`query/${key}`, 'is not declared');
  }
  for (const [decoder, pairs] of bracketed) {
    try {
      result[decoder.name] = decoder.decode(parseNestedForm(new URLSearchParams(pairs).toString())[decoder.name] ?? '', problem);
    } catch {
      problem(`query/${decoder.name}`, 'is nested too deep or too long');
    }
  }
  for (const [decoder, parts] of exploded) result[decoder.name] = decoder.decode(parts, problem);
}

/** Its properties are parameters of their own; its name does not stand in the query. */
const isExploded = ({ style, explode, shape }: Decoder): boolean =>
  style === 'form' && explode && shape.types.has('object') && !shape.types.has('array') && !shape.types.has('string');

/** How one parameter is read. */
function createParameterDecoder(document: Document, parameter: Parameter): Decoder {
  const { name, in: where, content } = parameter;
  const style = parameter.style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple');
  const explode = parameter.explode ?? style === 'form';
  const place = `${where}/${name}`;
  if (content !== undefined) {
    const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
    const shape = shapeOf(document, schema);
    const decode: Decoder['decode'] = (given, problem) => {
      const problemAt = (message: string) => problem(place, message);
      return isJson(type) ? decodeJson(first(given), problemAt) : convertValue(shape, first(given), problemAt);
    };
    return { name, in: where, style: 'content', explode, shape, decode };
  }
  const shape = shapeOf(document, parameter.schema ?? {});
  // A list in a query repeats its name; everywhere else one text holds all of it.
  const isRepeated = where === 'query' && explode && shape.types.has('array');
  return {
    name,
    in: where,
    style,
    explode,
    shape,
    decode: (given, problem) => {
      const problemAt = (message: string, at: string) =>
        /^\/\d+$/.test(at) ? problem(place, `${message} at ${at.slice(1)}`) : problem(place + at, message);
      if (typeof given === 'object' && !Array.isArray(given)) return convertValue(shape, given, problemAt);
      const texts = [given].flat() as RawValue[];
      if (isRepeated || style === 'deepObject') return convertValue(shape, shape.types.has('array') ? texts : given, problemAt);
      if (texts.length > 1 && !shape.types.has('array')) problemAt('must be given once', '');
      const parts = texts.map((text) => splitStyledText(typeof text === 'string' ? text : '', { name, style, explode }, shape));
      return convertValue(shape, shape.types.has('array') ? parts.flat() : (parts[0] ?? ''), problemAt);
    },
  };
}

const first = (given: RawValue): string => (typeof given === 'string' ? given : Array.isArray(given) ? String(given[0]) : '');

function decodeJson(value: string, problem: (message: string) => void): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    problem('must be JSON');
    return value;
  }
}

/** RFC 6265, section 4.2. Of a name that is given twice the first is taken. */
function cookiesOf(header: string | string[] | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of [header ?? []].flat().join(';').split(';')) {
    const [name = '', ...rest] = pair.split('=');
    if (rest.length > 0 && !cookies.has(name.trim()))
      cookies.set(
        name.trim(),
        unescaped(
          rest
            .join('=')
            .trim()
            .replace(/^"(.*)"$/, '$1'),
        ),
      );
  }
  return cookies;
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
