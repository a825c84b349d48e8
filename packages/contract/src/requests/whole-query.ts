/** The parameter `in: querystring` of OpenAPI 3.2: the whole query is one value of a media type (3.2.0, section 4.12.2). */
import { decodeJson } from '../codec/decode.ts';
import { fieldEncoding } from '../codec/form-encoding.ts';
import { convertValue, createValueShape } from '../codec/typed-values.ts';
import { encodeText } from '../codec/encode.ts';
import { encodeField, type EncodedFormField } from '../codec/encode-field.ts';
import { parametersOf, pointerTo, wholeQueriesOf, type Document, type DocumentOperation, type MediaType } from '../document/openapi.ts';
import { parsePathTemplate } from '../document/path-template.ts';
import { bodyKind } from '../http/media-types.ts';
import { createFormDecoder } from './form-decoder.ts';
import { type RequestProblem, reportTo } from './parameter-decoder.ts';
import { apiKeyParameters } from './security-requirements.ts';

/** How the value is written: as a form, or percent-encoded as JSON or text. */
type QueryKind = 'form' | 'json' | 'text';

const kindOf = (type: string): QueryKind => {
  const kind = bodyKind(type);
  return kind === 'form' || kind === 'json' ? kind : 'text';
};

export interface DeclaredQuery {
  readonly type: string;
  readonly kind: QueryKind;
  readonly media: MediaType;
  readonly required: boolean;
  readonly schemaPointer: string | undefined;
}

/** @returns `undefined` for an operation whose query has parameters, or nothing. */
export function declaredQueryOf(document: Document, operation: DocumentOperation): DeclaredQuery | undefined {
  const [found] = wholeQueriesOf(document, operation);
  if (found === undefined) return undefined;
  const { required = false, content = {} } = found.value;
  const [[type, media] = ['', {}]] = Object.entries(content);
  const schemaPointer = media.schema === undefined ? undefined : found.pointer + pointerTo('content', type, 'schema').slice(1);
  return { type, kind: kindOf(type), media, required, schemaPointer };
}

/** @returns the decoder of a query; its value is `undefined` for one that was not sent. A form that is required may be empty. */
export function createQueryDecoder(
  document: Document,
  operation: DocumentOperation,
  { kind, media, required }: DeclaredQuery,
): (search: string, problems: RequestProblem[]) => unknown {
  if (kind === 'form') {
    const elsewhere = new Set([...apiKeyParameters(document, operation, 'query'), ...parsePathTemplate(operation.path).queryNames]);
    const decode = createFormDecoder(document, media, { location: 'query', isIgnored: (name) => elsewhere.has(name) });
    return (search, problems) => {
      const { value, problems: found } = decode(search);
      problems.push(...found);
      const isEmpty = typeof value === 'object' ? Object.keys(value as object).length === 0 : value === '';
      return isEmpty && !required && found.length === 0 ? undefined : value;
    };
  }
  const shape = createValueShape(document, media.schema ?? {});
  return (search, problems) => {
    if (search === '') return undefined;
    const report = reportTo(problems, 'query');
    let text: string;
    try {
      text = decodeURIComponent(search);
    } catch {
      report('is not valid percent-encoding of UTF-8', '');
      return search;
    }
    return kind === 'json' ? decodeJson(text, shape, report) : convertValue(shape, text, report);
  };
}

/** By name, how the properties of a form are written where it is not by their type alone. */
const formFields = ({ encoding }: MediaType, value: object): [string, EncodedFormField, unknown][] =>
  Object.entries(value).map(([name, one]: [string, unknown]) => {
    const { style, ...field } = fieldEncoding(encoding, name);
    return [name, style === 'content' ? {} : { ...field, style }, one];
  });

/** The query of a value, without `?`. @throws TypeError for a value that would be decoded to another one. */
export function encodeQuery({ type, media }: Pick<DeclaredQuery, 'type' | 'media'>, value: unknown): string {
  const kind = kindOf(type);
  if (kind === 'form' && typeof value === 'object' && value !== null)
    return formFields(media, value)
      .flatMap(([name, field, one]) => encodeField(name, field, one))
      .join('&');
  return encodeText({ name: 'query', in: 'query', style: kind === 'json' ? 'json' : 'form' }, value);
}

/** What is wrong with how it is declared (OpenAPI 3.2.0, section 4.12.1). */
export function* wholeQueryProblems(document: Document, operation: DocumentOperation): Generator<string> {
  const [first, second] = wholeQueriesOf(document, operation);
  if (first === undefined) return;
  if (second !== undefined) yield `an operation may have one parameter in: querystring, not ${first.value.name} and ${second.value.name}`;
  const named = parametersOf(document, operation).find((parameter) => parameter.in === 'query');
  if (named !== undefined) yield `the parameter ${named.name} in: query cannot be beside ${first.value.name}, which is the whole query`;
  if (Object.keys(first.value.content ?? {}).length !== 1)
    yield `the parameter ${first.value.name} in: querystring needs content with one media type: it has no schema of its own`;
}
