/** Validates requests with express-openapi-validator, one operation at a time, and closes what it leaves open. */
import OpenApiValidator from 'express-openapi-validator';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { FORMATS } from './ajv.ts';
import { forValidator } from './normalize.ts';
import { parametersOf, places, type Document, type Place } from './openapi.ts';
import { createDecoder, type RawParameters, type RequestFault } from './parameters.ts';

/** A request after its body was read. `type` is the declared media type of the body, none if there is no body. */
export interface IncomingRequest extends RawParameters {
  readonly body: unknown;
  readonly type: string | undefined;
}

/** A request that keeps the contract: typed, coerced, with defaults. */
export interface ValidInput {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

export type RequestValidator = (request: IncomingRequest) => Promise<{ input: ValidInput; faults: RequestFault[] }>;

/** The two of the validator's functions that are used. `test/unit` pins the names. */
export const VALIDATOR_STEPS = ['pathParamsMiddleware', 'metadataMiddleware', 'requestMiddleware'] as const;

// Stands for a path parameter when an operation's metadata is looked up: no literal segment is spelt like this.
const PLACEHOLDER = '~';

/**
 * Makes a request validator for each operation.
 *
 * The validator's own middleware finds the operation by trying every path of the document on each request. Here its
 * metadata step runs once per operation, at boot; what it found is put into each request, and only its request step
 * runs then. What it sees is not Express's request but a plain object of values that are decoded already, with the
 * media type as the contract spells it. So it does not coerce `%20` or `0x10` to a number, does not trip over `:` in a
 * query, and does not compile and keep a validator for each Content-Type that a client makes up.
 *
 * @throws Error if the validator refuses the document, or a schema does not compile.
 */
export async function createRequestValidators(document: Document): Promise<Map<string, RequestValidator>> {
  const steps = OpenApiValidator.middleware({
    apiSpec: forValidator(document) as never,
    // Checked before, with line numbers: contract/check.ts.
    validateApiSpec: false,
    // `allErrors`: a message names every fault. Unknown query parameters are the decoder's concern.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: FORMATS,
  });
  const [prepare, describe, validate] = VALIDATOR_STEPS.map((name) => {
    const step = steps.find((candidate) => candidate.name === name);
    if (step === undefined) throw new Error(`express-openapi-validator has no ${name}: this version of it is not the one this code knows`);
    return step as RequestHandler;
  }) as [RequestHandler, RequestHandler, RequestHandler];
  // The first step only reports whether the document could be loaded.
  await run(prepare, { app: { param: () => undefined } });

  const validators = new Map<string, RequestValidator>();
  for (const place of places(document)) {
    validators.set(place.operation.operationId ?? '', await createRequestValidator(document, place, describe, validate));
  }
  return validators;
}

async function createRequestValidator(
  document: Document,
  place: Place,
  describe: RequestHandler,
  validate: RequestHandler,
): Promise<RequestValidator> {
  const method = place.method.toUpperCase();
  const url = place.path.replace(/\{[^}]+\}/g, PLACEHOLDER);
  const probe = {
    method,
    path: url,
    originalUrl: url,
    baseUrl: '',
    app: { enabled: () => true },
    openapi: undefined as object | undefined,
  };
  await run(describe, probe);
  const metadata = probe.openapi as { openApiRoute: string; schema: object } | undefined;
  if (metadata?.openApiRoute !== place.path)
    throw new Error(`express-openapi-validator finds ${metadata?.openApiRoute ?? 'nothing'} at ${method} ${url}, not ${place.path}`);

  const decode = createDecoder(document, place);
  const headerNames = parametersOf(document, place).flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : []));
  // The validator refuses an absent body even where it is optional, so it is not told of one then.
  const withoutBody = { ...metadata, schema: { ...metadata.schema, requestBody: undefined } };

  return async (incoming) => {
    const decoded = decode(incoming);
    const request = {
      method,
      path: place.path,
      originalUrl: place.path,
      openapi: { ...(incoming.type === undefined ? withoutBody : metadata), pathParams: decoded.path },
      params: decoded.path,
      query: decoded.query,
      // Ajv finds headers by the declared name in lower case.
      headers: {
        ...Object.fromEntries(Object.entries(decoded.headers).map(([name, value]) => [name.toLowerCase(), value])),
        ...(incoming.type === undefined ? {} : { 'content-type': incoming.type }),
      } as Record<string, unknown>,
      body: incoming.body,
    };
    const faults = merge(decoded.faults, faultsOf(await run(validate, request), headerNames));
    const headers = Object.fromEntries(
      headerNames.flatMap((name) => (name.toLowerCase() in request.headers ? [[name, request.headers[name.toLowerCase()]]] : [])),
    );
    return { input: { path: request.params, query: request.query, headers, body: request.body }, faults };
  };
}

// None of the steps that are used looks at the response.
const NO_RESPONSE = null as unknown as Response;

/** Runs a middleware to its `next`. @returns the error that it passed on, if any. */
function run(step: RequestHandler, request: object): Promise<unknown> {
  return new Promise((settle) => {
    const next: NextFunction = (error?: unknown) => settle(error);
    void step(request as Request, NO_RESPONSE, next);
  });
}

const PLACES: Readonly<Record<string, string>> = { params: 'path', query: 'query', headers: 'header', body: 'body' };

/** Where the validator's path names the property already, its message need not name it again. */
const MESSAGES: Readonly<Record<string, string>> = { required: 'is required', additionalProperties: 'is not declared' };

/** The validator's errors as faults. @throws what is not a verdict on the request. */
function faultsOf(error: unknown, headerNames: readonly string[]): RequestFault[] {
  if (error === undefined) return [];
  const { status, errors } = error as { status?: number; errors?: { path: string; message: string; errorCode?: string }[] };
  if (status !== 400 || errors === undefined)
    throw error instanceof Error ? error : new Error('the request validator failed', { cause: error });
  return errors.map(({ path, message, errorCode }) => {
    const [where = '', ...rest] = path.replace(/^\//, '').split('/');
    const declared = where === 'headers' ? rest.map((key) => headerNames.find((name) => name.toLowerCase() === key) ?? key) : rest;
    return { place: [PLACES[where] ?? where, ...declared].join('/'), message: MESSAGES[errorCode?.split('.')[0] ?? ''] ?? message };
  });
}

/** The decoder's faults come first; what the validator says of the same place only repeats them. */
function merge(first: readonly RequestFault[], second: readonly RequestFault[]): RequestFault[] {
  const places = new Set(first.map((fault) => fault.place));
  const lines = new Set<string>();
  return [
    ...first,
    ...second.filter((fault) => ![...places].some((place) => fault.place === place || fault.place.startsWith(`${place}/`))),
  ].filter((fault) => {
    const line = `${fault.place} ${fault.message}`;
    return !lines.has(line) && lines.add(line);
  });
}
