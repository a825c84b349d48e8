/** express-openapi-validator, one operation at a time: it sees a document of that operation alone, in normal form. */
import { createRequire } from 'node:module';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { FORMATS } from './formats.ts';
import { bodyKind } from './media-types.ts';
import { createSchemaSet } from './normalize-schema.ts';
import { parametersOf, resolve, type Document, type Parameter, type DocumentOperation, type RequestBody, type Schema } from './openapi.ts';

/** The two of the validator's functions that are used, and the one that loads it. `test/unit` pins the names. */
export const VALIDATOR_STEPS = ['pathParamsMiddleware', 'metadataMiddleware', 'requestMiddleware'] as const;

/** The parts of a request as the validator names them. Values are decoded; parameters have the names of `Alias`. */
export interface ValidatorRequest {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
  readonly body: unknown;
}

/** An error of the validator: `path` is `/body/name`, `/query/p0`. */
export interface ValidationError {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/**
 * Holds a candidate against the operation, and fills its defaults in. `type` is the body's declared media type, none if
 * there is no body.
 */
export type ValidateRequest = (candidate: ValidatorRequest, type: string | undefined) => Promise<readonly ValidationError[]>;

/** The name that a parameter has in the validator's document: what a contract calls it cannot get in the way. */
export const aliasParameters = (parameters: readonly Parameter[]) => parameters.map((parameter, i) => ({ parameter, alias: `p${i}` }));

/** Where the library has the validator of documents. */
export const META_SCHEMA = 'express-openapi-validator/dist/framework/openapi.schema.validator.js';

/**
 * Loads the library, whose modules take longer than reading a contract. A server does it once it listens, so that the
 * first request does not wait for it.
 */
export async function loadValidator() {
  const { middleware } = await import('express-openapi-validator');
  skipMetaSchema();
  return middleware;
}

const REF_PREFIX = '#/components/schemas/';
const OPERATION_PATH = '/operation';

/**
 * Makes the validators of a document's operations.
 *
 * One is made when the operation is first called, from a document that holds only its parameters, its body and the
 * schemas that these reach, so its cost does not grow with the contract. Operations that accept the same share one.
 */
export function createOperationValidators(document: Document): (place: DocumentOperation) => Promise<ValidateRequest> {
  const set = createSchemaSet(document, 'request', REF_PREFIX);
  const known = new Map<string, Promise<ValidateRequest>>();
  return async (place) => {
    const { types, text } = toOperationDocument(document, set, place);
    let validator = known.get(text);
    if (validator === undefined) {
      validator = createOperationValidator(text, Object.fromEntries(set.patterns));
      known.set(text, validator);
    }
    const validate = await validator;
    return (candidate, type) => validate(candidate, type === undefined ? undefined : types.get(type));
  };
}

/**
 * Keeps the library from compiling the schema of OpenAPI itself for each document, which costs more than all else it does
 * for one, and which it never asks with `validateApiSpec: false`. `test/unit` pins what is replaced.
 */
function skipMetaSchema(): void {
  const internals = createRequire(import.meta.url)(META_SCHEMA) as Record<string, unknown>;
  if (typeof internals['OpenAPISchemaValidator'] === 'function') internals['OpenAPISchemaValidator'] = function Unused() {};
}

/** The operation as a document of its own. Media types are numbered as well: `*\/*` is one like any other. */
function toOperationDocument(
  document: Document,
  set: ReturnType<typeof createSchemaSet>,
  place: DocumentOperation,
): { types: Map<string, string>; text: string } {
  const parameters = aliasParameters(parametersOf(document, place)).map(({ parameter, alias }) => {
    const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema ?? {};
    const required = parameter.required === true || parameter.in === 'path';
    // As `content` that is not JSON, so that the validator does not parse again what is decoded already.
    return {
      name: alias,
      in: parameter.in,
      required,
      content: { 'text/plain': { schema: normalizeInline(document, set.normalize, schema) } },
    };
  });
  const body = place.operation.requestBody && resolve<RequestBody>(document, place.operation.requestBody);
  const types = new Map<string, string>();
  const content: Record<string, { schema: Schema }> = {};
  for (const [type, media] of Object.entries(body?.content ?? {})) {
    const kind = bodyKind(type);
    if (kind !== 'json' && kind !== 'form') continue;
    const name = `application/b${types.size}`;
    types.set(type, name);
    content[name] = { schema: normalizeInline(document, set.normalize, media.schema ?? {}) };
  }
  const operation = { parameters, ...(types.size > 0 ? { requestBody: { required: true, content } } : {}), responses: {} };
  const schemas = Object.fromEntries(set.reachable(operation));
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'operation', version: '1' },
    paths: { [OPERATION_PATH]: { post: operation } },
    components: { schemas },
  });
  return { types, text };
}

/** A schema in the place of the reference to it: the validator compiles what is referred to from a body twice. */
const normalizeInline = (document: Document, normalize: (schema: Schema) => Schema, schema: Schema): Schema =>
  normalize(resolve<Schema>(document, schema));

async function createOperationValidator(text: string, patterns: Record<string, RegExp>): Promise<ValidateRequest> {
  const middleware = await loadValidator();
  const steps = middleware({
    apiSpec: JSON.parse(text) as never,
    // Checked before, with line numbers: contract/check.ts.
    validateApiSpec: false,
    // `allErrors`: a message names every problem. Unknown query parameters are the decoder's concern.
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: { ...FORMATS, ...patterns },
  });
  const [prepare, describe, validate] = VALIDATOR_STEPS.map((name) => {
    const step = steps.find((candidate) => candidate.name === name);
    if (step === undefined) throw new Error(`express-openapi-validator has no ${name}: this version of it is not the one this code knows`);
    return step as RequestHandler;
  }) as [RequestHandler, RequestHandler, RequestHandler];
  const request = {
    method: 'POST',
    path: OPERATION_PATH,
    originalUrl: OPERATION_PATH,
    baseUrl: '',
    app: { enabled: () => true, param: () => undefined },
  };
  // The first step only reports whether the document could be loaded.
  throwIfError(await runMiddleware(prepare, request));
  const probe = { ...request, openapi: undefined as { schema: object } | undefined };
  throwIfError(await runMiddleware(describe, probe));
  const metadata = probe.openapi;
  if (metadata === undefined) throw new Error('express-openapi-validator does not find the operation that it was given');
  // The validator refuses an absent body even where it is optional, so it is not told of one then.
  const withoutBody = { ...metadata, schema: { ...metadata.schema, requestBody: undefined } };

  return async (candidate, type) => {
    const openapi = { ...(type === undefined ? withoutBody : metadata), pathParams: candidate.params };
    if (type !== undefined) candidate.headers['content-type'] = type;
    return validationErrors(
      await runMiddleware(
        validate,
        Object.assign(candidate, { method: 'POST', path: OPERATION_PATH, originalUrl: OPERATION_PATH, openapi }),
      ),
    );
  };
}

// None of the steps that are used looks at the response.
const NO_RESPONSE = null as unknown as Response;

/** Runs a middleware to its `next`. @returns the error that it passed on, if any. */
function runMiddleware(step: RequestHandler, request: object): Promise<unknown> {
  return new Promise((settle) => {
    const next: NextFunction = (error?: unknown) => settle(error);
    void step(request as Request, NO_RESPONSE, next);
  });
}

function throwIfError(error: unknown): void {
  if (error !== undefined) throw error instanceof Error ? error : new Error('the request validator failed', { cause: error });
}

/** The errors of a request that breaks the contract. @throws what is not a validationError on the request. */
function validationErrors(error: unknown): readonly ValidationError[] {
  if (error === undefined) return [];
  const { status, errors } = error as { status?: number; errors?: ValidationError[] };
  if (status !== 400 || errors === undefined) throwIfError(error);
  return errors ?? [];
}
