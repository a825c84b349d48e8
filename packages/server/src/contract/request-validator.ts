/** Validates requests: decodes them strictly, holds them against the contract, and says what is wrong in the contract's names. */
import { createFormDecoder, type FormDecoder } from './form-decoder.ts';
import { bodyKind } from './media-types.ts';
import { parametersOf, resolve, type Document, type Parameter, type DocumentOperation, type RequestBody } from './openapi.ts';
import { createDecoder, type RawParameters, type RequestProblem } from './parameter-decoder.ts';
import {
  aliasParameters,
  createOperationValidators,
  type ValidatorRequest,
  type ValidateRequest,
  type ValidationError,
} from './openapi-validator.ts';

/**
 * A request after its body was read. `type` is the declared media type of the body, none if there is no body. The body
 * of a form is its text, that of JSON the value, that of any other type what the handler gets.
 */
export interface IncomingRequest extends RawParameters {
  readonly body: unknown;
  readonly type: string | undefined;
}

/** A request that keeps the contract: typed, coerced, with defaults. */
export interface ValidInput {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
  readonly body: unknown;
}

export type RequestValidator = (request: IncomingRequest) => Promise<{ input: ValidInput; problems: RequestProblem[] }>;

/**
 * Makes the request validators of a document, one for each operation.
 *
 * The library under it finds the operation by trying every path of the document on each request, and has holes. Here our
 * router has found the operation, and what the library sees is not Express's request but a plain object of values that
 * are decoded already, with the media type as the contract spells it. So it does not coerce `%20` or `0x10` to a number,
 * does not trip over `:` in a query, and does not compile and keep a validator for each Content-Type that a client makes up.
 *
 * A validator throws an Error if a schema does not compile; `npm run generate` has tried them all.
 */
export function createRequestValidators(document: Document): (place: DocumentOperation) => RequestValidator {
  const validatorOf = createOperationValidators(document);
  return (place) => {
    // Made when the operation is first called; those that come meanwhile wait for the same one.
    let made: Promise<RequestValidator> | undefined;
    return async (incoming) => {
      made ??= validatorOf(place).then((validate) => createRequestValidator(document, place, validate));
      return (await made)(incoming);
    };
  };
}

const PARTS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

function createRequestValidator(document: Document, place: DocumentOperation, validate: ValidateRequest): RequestValidator {
  const decode = createDecoder(document, place);
  const named = aliasParameters(parametersOf(document, place));
  const at = (where: Parameter['in']) => named.filter(({ parameter }) => parameter.in === where);
  const byPlace = { path: at('path'), query: at('query'), header: at('header'), cookie: at('cookie') };
  const forms = formsOf(document, place);

  return async (incoming) => {
    const decoded = decode(incoming);
    const form = incoming.type === undefined ? undefined : forms.get(incoming.type)?.(String(incoming.body));
    const rename = (where: Parameter['in'], values: Record<string, unknown>) =>
      Object.fromEntries(
        byPlace[where].flatMap(({ parameter: { name }, alias }) => (Object.hasOwn(values, name) ? [[alias, values[name]]] : [])),
      );
    const candidate: ValidatorRequest = {
      params: rename('path', decoded.path),
      query: rename('query', decoded.query),
      headers: rename('header', decoded.headers),
      cookies: rename('cookie', decoded.cookies),
      body: form === undefined ? incoming.body : form.value,
    };
    const kind = incoming.type === undefined ? undefined : bodyKind(incoming.type);
    const type = kind === 'json' || kind === 'form' ? incoming.type : undefined;
    const validationErrors = await validate(candidate, type);
    const problems = merge(
      [...decoded.problems, ...(form?.problems ?? [])],
      validationErrors.map((validationError) => problemOf(validationError, named)),
    );
    const restore = (where: Parameter['in']) =>
      Object.fromEntries(
        byPlace[where].flatMap(({ parameter, alias }) => {
          const values = candidate[PARTS[where]];
          return Object.hasOwn(values, alias) ? [[parameter.name, values[alias]]] : [];
        }),
      );
    const input = {
      path: restore('path'),
      query: restore('query'),
      headers: restore('header'),
      cookies: restore('cookie'),
      body: candidate.body,
    };
    return { input, problems };
  };
}

function formsOf(document: Document, { operation }: DocumentOperation): Map<string, FormDecoder> {
  const content = operation.requestBody === undefined ? {} : resolve<RequestBody>(document, operation.requestBody).content;
  return new Map(
    Object.entries(content).flatMap(([type, media]) => (bodyKind(type) === 'form' ? [[type, createFormDecoder(document, media)]] : [])),
  );
}

const PLACES: Readonly<Record<string, string>> = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie', body: 'body' };

/** Where the validator's path names the property already, its message need not name it again. */
const MESSAGES: Readonly<Record<string, string>> = { required: 'is required', additionalProperties: 'is not declared' };

function problemOf({ path, message, errorCode }: ValidationError, named: ReturnType<typeof aliasParameters>): RequestProblem {
  const [where = '', ...rest] = path.replace(/^\//, '').split('/');
  if (where !== 'body') rest[0] = named.find(({ alias }) => alias === rest[0])?.parameter.name ?? rest[0] ?? '';
  return { location: [PLACES[where] ?? where, ...rest].join('/'), message: MESSAGES[errorCode?.split('.')[0] ?? ''] ?? message };
}

/** The decoder's problems come first; what the validator says of the same place only repeats them. */
function merge(first: readonly RequestProblem[], second: readonly RequestProblem[]): RequestProblem[] {
  const places = [...new Set(first.map((problem) => problem.location))];
  const lines = new Set<string>();
  return [
    ...first,
    ...second.filter((problem) => !places.some((place) => problem.location === place || problem.location.startsWith(`${place}/`))),
  ].filter((problem) => {
    const line = `${problem.location} ${problem.message}`;
    return !lines.has(line) && lines.add(line);
  });
}
