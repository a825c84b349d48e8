/** Lets express-openapi-validator compile one operation at a time, from a document that has only that operation. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { middleware as Middleware } from 'express-openapi-validator';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { withoutConditions } from '../schema/discriminator.ts';
import { FORMATS } from '../schema/formats.ts';
import { bodyKind } from './media-types.ts';
import { createSchemaSet, type PatternTest } from '../schema/normalize-schema.ts';
import {
  parametersOf,
  resolve,
  type Document,
  type Parameter,
  type DocumentOperation,
  type RequestBody,
  type Schema,
} from '../document/openapi.ts';

/** The middleware of the library that is used. A test pins the names. */
export const VALIDATOR_STEPS = ['pathParamsMiddleware', 'metadataMiddleware', 'requestMiddleware'] as const;

/** A request as the library's functions expect it. Values are decoded already; parameters have their aliases as names. */
export interface ValidatorRequest {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
  body: unknown;
}

/** An error that the library reports. `path` is `/body/name` or `/query/p0`. */
export interface ValidationError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/**
 * Validates a request against the operation, and sets defaults in it. A promise where it has to be compiled first.
 *
 * @param type the declared media type of the body; `undefined` if there is no body.
 */
export type ValidateRequest = (
  request: ValidatorRequest,
  type: string | undefined,
) => readonly ValidationError[] | Promise<readonly ValidationError[]>;

/** Names the parameters for the library's document, so that no name of a contract means something to the library. */
export const aliasParameters = (parameters: readonly Parameter[]) => parameters.map((parameter, i) => ({ parameter, alias: `p${i}` }));

/** The module with the library's validator of documents. A test pins what is replaced in it. */
export const META_SCHEMA = 'express-openapi-validator/dist/framework/openapi.schema.validator.js';

/** The module that compiles for the library, and through which it passes all errors of a request. A test pins it too. */
export const UTILITIES = 'express-openapi-validator/dist/middlewares/util.js';
/** How many errors of a request are looked at: a body of 64 KiB can have thousands, each of which costs more to describe than the rest. */
export const MAX_VALIDATION_ERRORS = 50;

/**
 * Loads the library, which takes longer than reading a contract. Servers do it once they listen, before the first request.
 */
export async function loadValidator(): Promise<typeof Middleware> {
  const { middleware } = await import('express-openapi-validator');
  skipMetaSchema();
  noteCompiled();
  return middleware;
}

const REF_PREFIX = '#/components/schemas/';
const OPERATION_PATH = '/operation';

/**
 * Creates the validators of a document's operations.
 *
 * Each is created for the first request, from a document that has only the operation's parameters, its body and the schemas
 * that these refer to, so its cost does not grow with the contract. Operations that accept the same share one.
 */
export function createOperationValidators(document: Document): (operation: DocumentOperation) => Promise<ValidateRequest> {
  const set = createSchemaSet(document, 'request', REF_PREFIX);
  const validators = new Map<string, Promise<ValidateRequest>>();
  return async (operation) => {
    const { types, text } = toOperationDocument(document, set, operation);
    let validator = validators.get(text);
    if (validator === undefined) {
      validator = createOperationValidator(text, Object.fromEntries(set.patterns));
      validators.set(text, validator);
    }
    const validate = await validator;
    return (request, type) => validate(request, type === undefined ? undefined : types.get(type));
  };
}

/**
 * Prevents the library from compiling the schema of OpenAPI for each document, which is most of its start-up cost, and
 * which it does not use with `validateApiSpec: false`.
 */
function skipMetaSchema(): void {
  const internals = createRequire(import.meta.url)(META_SCHEMA) as Record<string, unknown>;
  if (typeof internals['OpenAPISchemaValidator'] === 'function') internals['OpenAPISchemaValidator'] = function Unused() {};
}

/** The functions of the library's module that are used. */
interface Utilities {
  useAjvCache: (...args: unknown[]) => ValidateFunction;
  augmentAjvErrors: (errors: readonly ErrorObject[]) => readonly ErrorObject[];
  ajvErrorsToValidatorError: (status: number, errors: readonly ErrorObject[]) => { readonly errors: readonly ValidationError[] };
}

let utilities: Utilities | undefined;
/** What the library has compiled since it was last looked at. */
const compiled: ValidateFunction[] = [];

/**
 * Notes the functions that the library compiles: what it does around them for each request (to parse its media type and the URL, to find
 * the function, to decode parameters) is known or done here already, and costs more than they do.
 */
function noteCompiled(): void {
  if (utilities !== undefined) return;
  utilities = createRequire(import.meta.url)(UTILITIES) as Utilities;
  const { useAjvCache } = utilities;
  utilities.useAjvCache = (...args) => {
    const validate = useAjvCache(...args);
    compiled.push(validate);
    return validate;
  };
}

/** A document with only this operation. Its media types are aliases too, so that `*\/*` is not a special case. */
function toOperationDocument(
  document: Document,
  set: ReturnType<typeof createSchemaSet>,
  operation: DocumentOperation,
): { types: Map<string, string>; text: string } {
  const parameters = aliasParameters(parametersOf(document, operation)).map(({ parameter, alias }) => {
    const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema ?? {};
    const required = parameter.required === true || parameter.in === 'path';
    // As `content` that is not JSON: the library would parse JSON a second time.
    return {
      name: alias,
      in: parameter.in,
      required,
      content: { 'text/plain': { schema: normalizeInline(document, set.normalize, schema) } },
    };
  });
  const { requestBody } = operation.operation;
  const body = requestBody && resolve<RequestBody>(document, requestBody);
  const types = new Map<string, string>();
  const content: Record<string, { schema: Schema }> = {};
  for (const [type, media] of Object.entries(body?.content ?? {})) {
    const kind = bodyKind(type);
    if (kind !== 'json' && kind !== 'form') continue;
    const name = `application/b${types.size}`;
    types.set(type, name);
    content[name] = { schema: normalizeInline(document, set.normalize, media.schema ?? {}) };
  }
  const aliased = { parameters, ...(types.size > 0 ? { requestBody: { required: true, content } } : {}), responses: {} };
  const schemas = Object.fromEntries(set.reachable(aliased));
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'operation', version: '1' },
    paths: { [OPERATION_PATH]: { post: aliased } },
    components: { schemas },
  });
  return { types, text };
}

/** Replaces a reference by its schema: the library compiles a schema that a body refers to twice. */
const normalizeInline = (document: Document, normalize: (schema: Schema) => Schema, schema: Schema): Schema =>
  normalize(resolve<Schema>(document, schema));

async function createOperationValidator(text: string, patterns: Record<string, PatternTest>): Promise<ValidateRequest> {
  const middleware = await loadValidator();
  const steps = middleware({
    apiSpec: JSON.parse(text) as never,
    // `checkDocument` has validated it, with line numbers.
    validateApiSpec: false,
    // `allErrors`: the message lists every problem. The decoder reports unknown query parameters.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: { ...FORMATS, ...patterns },
  });
  const [load, addMetadata, validate] = VALIDATOR_STEPS.map((name) => {
    const step = steps.find((middlewareStep) => middlewareStep.name === name);
    if (step === undefined) throw new Error(`express-openapi-validator has no ${name}: use version 5.6`);
    return step as RequestHandler;
  }) as [RequestHandler, RequestHandler, RequestHandler];
  const base = {
    method: 'POST',
    path: OPERATION_PATH,
    originalUrl: OPERATION_PATH,
    baseUrl: '',
    app: { enabled: () => true, param: () => undefined },
  };
  // Reports whether the document could be loaded.
  throwIfError(await runMiddleware(load, base));
  const probe = { ...base, openapi: undefined as { schema: object; expressRoute: string } | undefined };
  throwIfError(await runMiddleware(addMetadata, probe));
  const metadata = probe.openapi;
  if (metadata === undefined) throw new Error('express-openapi-validator did not find the operation');
  // The library refuses an absent body even if it is optional, so it must not see a body declaration then.
  const withoutBody = { ...metadata, schema: { ...metadata.schema, requestBody: undefined } };

  const { expressRoute } = metadata;
  /** By media type; the same promise for requests that arrive meanwhile. */
  const compiling = new Map<string | undefined, Promise<CompiledRequest>>();
  const compile = (type: string | undefined): Promise<CompiledRequest> =>
    oneAtATime(async () => {
      const { schema } = type === undefined ? withoutBody : metadata;
      const empty = { params: {}, query: {}, headers: type === undefined ? {} : { 'content-type': type }, cookies: {}, body: undefined };
      compiled.length = 0;
      const openapi = { expressRoute, openApiRoute: expressRoute, schema, pathParams: {} };
      const error = await runMiddleware(validate, { ...base, ...empty, openapi });
      // The empty request need not be valid.
      if ((error as { status?: number } | undefined)?.status !== 400) throwIfError(error);
      const [parameters, body] = compiled;
      if (parameters === undefined || body === undefined) throw new Error('express-openapi-validator compiles otherwise: use version 5.6');
      return { parameters, body };
    });
  const ready = new Map<string | undefined, CompiledRequest>();
  return (request, type) => {
    const functions = ready.get(type);
    if (functions !== undefined) return validateBy(functions, request);
    let promise = compiling.get(type);
    if (promise === undefined) compiling.set(type, (promise = compile(type)));
    return promise.then((made) => {
      ready.set(type, made);
      return validateBy(made, request);
    });
  };
}

/** The library's functions for the requests of an operation with one media type. */
interface CompiledRequest {
  readonly parameters: ValidateFunction;
  readonly body: ValidateFunction;
}

/** As the library does it: both, so that all problems are reported. */
function validateBy({ parameters, body }: CompiledRequest, request: ValidatorRequest): readonly ValidationError[] {
  const areParametersValid = parameters(request);
  const isBodyValid = body(request);
  if (areParametersValid && isBodyValid) return NO_ERRORS;
  const errors = withoutConditions([...(parameters.errors ?? []), ...(body.errors ?? [])]).slice(0, MAX_VALIDATION_ERRORS);
  const { ajvErrorsToValidatorError, augmentAjvErrors } = utilities as Utilities;
  return ajvErrorsToValidatorError(400, augmentAjvErrors(errors)).errors;
}

let last: Promise<unknown> = Promise.resolve();

/** What the library compiles does not say for which request it was. */
function oneAtATime<T>(run: () => Promise<T>): Promise<T> {
  const result = last.then(run);
  last = result.catch(() => undefined);
  return result;
}

const NO_ERRORS: readonly ValidationError[] = [];

// None of the middleware used here reads the response.
const NO_RESPONSE = null as unknown as Response;

/** Runs a middleware to its `next`. @returns the error that it passed on, if any. */
function runMiddleware(step: RequestHandler, request: object): Promise<unknown> {
  return new Promise((resolve) => {
    const next: NextFunction = (error?: unknown) => resolve(error);
    void step(request as Request, NO_RESPONSE, next);
  });
}

function throwIfError(error: unknown): void {
  if (error !== undefined) throw error instanceof Error ? error : new Error('the request validator failed', { cause: error });
}
