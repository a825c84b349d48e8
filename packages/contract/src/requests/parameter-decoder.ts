/** Decodes the parameters in a URL, in headers and in cookies to the values that the contract declares. */
import { decodeStyled, type Field, reportUndeclared } from '../codec/decode.ts';
import { isExplodedObject, isPerCookie, parameterEncoding, type FieldEncoding } from '../codec/field-encoding.ts';
import { createScalarReader, createValueShape, type ReportProblem } from '../codec/typed-values.ts';
import type { DecodePairs, PairsOptions } from '../codec/decode-pairs.ts';
import { parametersOf, wholeQueriesOf, type Document, type DocumentOperation, type Parameter } from '../document/openapi.ts';
import { MAX_VALIDATION_ERRORS } from '../document/problems.ts';
import { parsePathTemplate } from '../document/path-template.ts';
import { parseCookies } from '../http/field-parameters.ts';
import { apiKeyParameters } from './security-requirements.ts';

/** A problem of a request. Its location: `query/limit`, `path/userId`, `header/If-Match`, `cookie/session`, `body/name`. */
export interface RequestProblem {
  readonly location: string;
  readonly message: string;
  /** The keyword of JSON Schema that the value fails; without one where a value could not be read. */
  readonly keyword?: string;
}

/** Reports problems below a location: no more than are looked at, as each item of a list may have one. */
export const reportTo =
  (problems: RequestProblem[], location: string): ReportProblem =>
  (message, path) => {
    if (problems.length < MAX_VALIDATION_ERRORS) problems.push({ location: `${location}${path}`, message });
  };

/** The parameters of one request as they were sent: path values are percent-decoded, header names are lower case. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  /** Path values as they were sent, if they have percent-encoding: lists and objects are split before they are decoded. */
  readonly encodedPath?: Readonly<Record<string, string>> | undefined;
  /** The query as it was sent, without `?`; empty if the URL has none. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Typed values by the names of their parameters. A value with a problem stays a string; an absent one stays absent. */
interface DecodedParameters {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
}

export type DecodeParameters = (raw: RawParameters, decoded: DecodedParameters, problems: RequestProblem[]) => void;

/**
 * Creates the decoder of an operation's parameters.
 *
 * It only reports text that is not of the declared type, repeated parameters and undeclared query parameters; the schema
 * validates the values.
 *
 * @param decoderOf `createPairsDecoder`, loaded for documents that have parameters in a query.
 */
export function createParameterDecoder(
  document: Document,
  decoderOf: (options: PairsOptions) => DecodePairs,
  operation: DocumentOperation,
): DecodeParameters {
  const parameters = parametersOf(document, operation);
  const fields = parameters.map((parameter) => fieldOf(document, parameter));
  const fieldsIn = (location: Parameter['in']) => fields.filter((field) => field.in === location);
  const [inPath, inQuery, inCookie] = [fieldsIn('path'), fieldsIn('query'), fieldsIn('cookie')];
  // What is spread over the query is empty where nothing of it is sent.
  const spread = inQuery
    .filter(({ encoding, shape: { types } }) => isExplodedObject(encoding) && types.size === 1 && types.has('object'))
    .map(({ name }) => name)
    .filter((name) => parameters.some((parameter) => parameter.in === 'query' && parameter.name === name && parameter.required));
  const inHeader = fieldsIn('header').map((field) => ({ field, name: field.name, sentName: field.name.toLowerCase() }));
  const isWhole = wholeQueriesOf(document, operation).length > 0;
  // Declared by a security scheme or the path, not by `parameters`, so they are not part of the input.
  const declaredElsewhere = new Set([...apiKeyParameters(document, operation, 'query'), ...parsePathTemplate(operation.path).queryNames]);
  const isIgnored = (name: string): boolean => declaredElsewhere.has(name);
  const decodePairs: DecodePairs =
    inQuery.length === 0
      ? (search, _, report) => reportUndeclared(search, isIgnored, report)
      : decoderOf({
          fields: inQuery,
          isIgnored,
          undeclared(name, report) {
            report('is not declared', `/${name}`);
            return undefined;
          },
        });

  return (raw, decoded, problems) => {
    for (const field of inPath)
      decoded.path[field.name] = decodeOne(field, raw.path[field.name] ?? '', problems, raw.encodedPath?.[field.name]);
    if (raw.search !== '' && !isWhole) {
      const { query } = decoded;
      const set = (name: string, value: unknown) => void (query[name] = value);
      decodePairs(raw.search, set, reportTo(problems, 'query'));
    }
    for (const name of spread) decoded.query[name] ??= {};
    for (const { field, name, sentName } of inHeader) {
      const value = raw.headers[sentName];
      if (value !== undefined) decoded.headers[name] = decodeOne(field, value, problems);
    }
    if (inCookie.length === 0) return;
    const cookies = parseCookies(raw.headers['cookie']);
    for (const field of inCookie) {
      const values = sentCookies(field, cookies);
      if (values.length > 0) decoded.cookies[field.name] = decodeOne(field, values, problems);
    }
  };
}

/**
 * What is sent of a cookie parameter. In the style `cookie` each item of a list is a cookie, and each declared property of an object: other
 * cookies are not of it. Elsewhere the first of a name, which has the longer path.
 */
function sentCookies({ name, shape, encoding }: Field, cookies: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const values = cookies.get(name) ?? [];
  if (!isPerCookie(encoding)) return values.slice(0, 1);
  if (shape.types.has('array')) return values;
  if (!shape.types.has('object')) return values.slice(0, 1);
  return shape.propertyNames.flatMap((property) => (cookies.get(property) ?? []).slice(0, 1).map((value) => `${property}=${value}`));
}

function decodeOne(field: Field, raw: string | readonly string[], problems: RequestProblem[], encoded?: string): unknown {
  // As most are: nothing to split or to decode.
  if (field.readPlain !== undefined && typeof raw === 'string') {
    const value = field.readPlain(raw);
    if (value !== undefined) return value;
  }
  const report = reportTo(problems, `${field.in}/${field.name}`);
  return decodeStyled(field, typeof raw === 'string' ? [raw] : raw, report, encoded);
}

function fieldOf(document: Document, parameter: Parameter): Field {
  const { name, in: location, content } = parameter;
  const [media] = Object.values(content ?? {});
  const shape = createValueShape(document, media?.schema ?? parameter.schema ?? {});
  return createField(name, location, shape, parameterEncoding(parameter));
}

export const createField = (name: string, location: Field['in'], shape: Field['shape'], encoding: FieldEncoding): Field => {
  const isSimple = encoding.style === 'form' || encoding.style === 'simple';
  const isPlain = isSimple && location !== 'cookie' && !shape.types.has('array') && !shape.types.has('object');
  return { name, in: location, shape, encoding, readPlain: isPlain ? createScalarReader(shape) : undefined };
};
