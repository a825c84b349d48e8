/** Validates requests: decodes them strictly, validates them against the contract, and reports problems with the contract's names. */
import { types } from 'node:util';
import { createFormDecoder, type FormDecoder } from './form-decoder.ts';
import { bodyKind } from './media-types.ts';
import { parametersOf, resolve, type Document, type Parameter, type DocumentOperation, type RequestBody } from '../document/openapi.ts';
import { namePattern } from '../schema/pattern.ts';
import { createParameterDecoder, type RawParameters, type RequestProblem } from './parameter-decoder.ts';
import {
  aliasParameters,
  createOperationValidators,
  type ValidatorRequest,
  type ValidateRequest,
  type ValidationError,
} from './openapi-validator.ts';

/**
 * A request after its body was read. `type` is the declared media type of the body, `undefined` if there is no body. The
 * body of a form is its text, that of JSON the value, that of any other type what the handler gets.
 */
export interface IncomingRequest extends RawParameters {
  readonly body: unknown;
  readonly type: string | undefined;
}

/** A valid request: typed values, with defaults. */
export interface ValidInput {
  readonly path: Values;
  readonly query: Values;
  readonly headers: Values;
  readonly cookies: Values;
  readonly body: unknown;
}

export interface RequestValidation {
  readonly input: ValidInput;
  readonly problems: readonly RequestProblem[];
}

/** A promise where the validator has to be compiled first, or asked. */
export type RequestValidator = (request: IncomingRequest) => RequestValidation | Promise<RequestValidation>;

/**
 * Creates the request validators of a document, one for each operation.
 *
 * express-openapi-validator finds the operation by trying every path of the document, and accepts some invalid requests.
 * Here the router has found the operation, and the library gets a plain object of decoded values, with the media type as
 * the contract spells it. So it does not coerce `%20` or `0x10` to a number, does not refuse `:` in a query, and does not
 * compile and cache a validator for each Content-Type that a client invents.
 *
 * A validator throws an Error if a schema does not compile; `assertSchemasCompile` finds those before.
 */
export function createRequestValidators(document: Document): (operation: DocumentOperation) => RequestValidator {
  const validatorOf = createOperationValidators(document);
  return (operation) => {
    // Created for the first request; concurrent requests wait for the same one.
    let compiling: Promise<RequestValidator> | undefined;
    let compiled: RequestValidator | undefined;
    return (incoming) => {
      if (compiled !== undefined) return compiled(incoming);
      compiling ??= validatorOf(operation).then((validate) => (compiled = createRequestValidator(document, operation, validate)));
      return compiling.then((validate) => validate(incoming));
    };
  };
}

interface AliasedName {
  readonly name: string;
  readonly alias: string;
}

type Values = Readonly<Record<string, unknown>>;

function createRequestValidator(document: Document, operation: DocumentOperation, validate: ValidateRequest): RequestValidator {
  const decode = createParameterDecoder(document, operation);
  const aliased = aliasParameters(parametersOf(document, operation));
  const namesIn = (location: Parameter['in']): AliasedName[] =>
    aliased.flatMap(({ parameter, alias }) => (parameter.in === location ? [{ name: parameter.name, alias }] : []));
  const [inPath, inQuery, inHeader, inCookie] = [namesIn('path'), namesIn('query'), namesIn('header'), namesIn('cookie')];
  const formDecoders = createFormDecoders(document, operation);
  const validatedTypes = validatedTypesOf(document, operation);

  const result = (request: ValidatorRequest, problems: readonly RequestProblem[], errors: readonly ValidationError[]) => ({
    input: {
      path: fromAliases(inPath, request.params),
      query: fromAliases(inQuery, request.query),
      headers: fromAliases(inHeader, request.headers),
      cookies: fromAliases(inCookie, request.cookies),
      body: request.body,
    },
    problems:
      errors.length === 0 && problems.length <= 1
        ? problems
        : merge(
            problems,
            errors.map((error) => toProblem(error, aliased)),
          ),
  });

  return (incoming) => {
    const { type, body } = incoming;
    const request: ValidatorRequest = {
      params: inPath.length === 0 ? NOTHING : {},
      query: inQuery.length === 0 ? NOTHING : {},
      headers: inHeader.length === 0 ? NOTHING : {},
      cookies: inCookie.length === 0 ? NOTHING : {},
      body,
    };
    const problems: RequestProblem[] = [];
    decode(incoming, request, problems);
    const form = type === undefined ? undefined : formDecoders.get(type)?.(String(body));
    if (form !== undefined) {
      request.body = form.value;
      problems.push(...form.problems);
    }
    const validatedType = type !== undefined && validatedTypes.has(type) ? type : undefined;
    // Neither parameters nor a body: there is nothing for the library to validate.
    if (aliased.length === 0 && validatedType === undefined) return result(request, problems, NO_ERRORS);
    const errors = validate(request, validatedType);
    return types.isPromise(errors) ? errors.then((later) => result(request, problems, later)) : result(request, problems, errors);
  };
}

const NO_ERRORS: readonly ValidationError[] = [];

/** What an operation declares nothing for. */
const NOTHING: Record<string, unknown> = Object.freeze({});

function fromAliases(parameters: readonly AliasedName[], values: Values): Values {
  if (parameters.length === 0) return NOTHING;
  const named: Record<string, unknown> = {};
  for (const { name, alias } of parameters) if (Object.hasOwn(values, alias)) named[name] = values[alias];
  return named;
}

const contentOf = (document: Document, { operation }: DocumentOperation): RequestBody['content'] =>
  operation.requestBody === undefined ? {} : resolve<RequestBody>(document, operation.requestBody).content;

/** The media types whose bodies have a schema that can be validated. */
const validatedTypesOf = (document: Document, operation: DocumentOperation): ReadonlySet<string> =>
  new Set(Object.keys(contentOf(document, operation)).filter((type) => ['json', 'form'].includes(bodyKind(type))));

function createFormDecoders(document: Document, operation: DocumentOperation): Map<string, FormDecoder> {
  return new Map(
    Object.entries(contentOf(document, operation)).flatMap(([type, media]) =>
      bodyKind(type) === 'form' ? [[type, createFormDecoder(document, media)]] : [],
    ),
  );
}

const LOCATIONS: Readonly<Record<string, string>> = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie', body: 'body' };

/** The path names the property already, so the message need not. */
const MESSAGES: Readonly<Record<string, string>> = { required: 'is required', additionalProperties: 'is not declared' };

function toProblem({ path, message, errorCode }: ValidationError, aliased: ReturnType<typeof aliasParameters>): RequestProblem {
  const [location = '', ...rest] = path.replace(/^\//, '').split('/');
  if (location !== 'body') rest[0] = aliased.find(({ alias }) => alias === rest[0])?.parameter.name ?? rest[0] ?? '';
  return {
    location: [LOCATIONS[location] ?? location, ...rest].join('/'),
    message: MESSAGES[errorCode?.split('.')[0] ?? ''] ?? namePattern(message),
  };
}

/** The decoder's problems come first; those of the library at the same location repeat them. */
function merge(decoder: readonly RequestProblem[], library: readonly RequestProblem[]): RequestProblem[] {
  const locations = [...new Set(decoder.map((problem) => problem.location))];
  const texts = new Set<string>();
  return [
    ...decoder,
    ...library.filter((problem) => !locations.some((location) => `${problem.location}/`.startsWith(`${location}/`))),
  ].filter((problem) => {
    const text = `${problem.location} ${problem.message}`;
    return !texts.has(text) && texts.add(text);
  });
}
