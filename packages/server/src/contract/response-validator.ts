/** Validates responses against the contract: status, headers, media type and body, for every status. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { CompileSchemaAt } from './schema-compiler.ts';
import { UNDECLARED_HEADERS } from './framework-headers.ts';
import { bodyKind } from './media-types.ts';
import {
  pointerTo,
  resolveAt,
  resolve,
  type Document,
  type Header,
  type DocumentOperation,
  type Reference,
  type Response,
  type Schema,
} from './openapi.ts';
import { createStripUndeclared, type StripUndeclared } from './strip-undeclared.ts';
import type { UnvalidatedResponse } from './handler-response.ts';

/** A response that can be sent: header values are strings, `type` is set if there is a body. */
export interface ValidatedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: unknown;
  /** What breaks the contract, each with its location: `response/body/name is required`. */
  readonly problems: readonly string[];
}

export type ResponseValidator = (response: UnvalidatedResponse) => ValidatedResponse;

interface CompiledBody {
  /** The media type as it is declared, and as it is sent. */
  readonly type: string;
  readonly contentType: string;
  /** Whether the body is a JSON value; any other is sent unchanged. */
  readonly isJson: boolean;
  readonly validate: ValidateFunction | undefined;
  readonly stripUndeclared: StripUndeclared;
}

interface CompiledResponse {
  readonly bodies: readonly CompiledBody[];
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, { name: string; required: boolean; numeric: boolean; validate: ValidateFunction | undefined }>;
}

/**
 * Creates the response validators of a document, one for each operation.
 *
 * express-openapi-validator's own validates only what passes through `res.json`, no statuses from 500 on and no headers,
 * and takes an undeclared media type for the first declared one.
 *
 * A validator throws an Error if a schema does not compile; `assertSchemasCompile` finds those before.
 */
export function createResponseValidators(
  document: Document,
  compile: CompileSchemaAt,
): (operation: DocumentOperation) => ResponseValidator {
  const compileStripUndeclared = createStripUndeclared(document);
  return (operation) => createResponseValidator(document, compile, compileStripUndeclared, operation);
}

type CompileStripUndeclared = ReturnType<typeof createStripUndeclared>;

function createResponseValidator(
  document: Document,
  compile: CompileSchemaAt,
  compileStripUndeclared: CompileStripUndeclared,
  { path, method, operation }: DocumentOperation,
): ResponseValidator {
  const compiled = new Map<string, CompiledResponse>();
  // Compiled when a status is first sent: most of a large contract is not used in the first minutes.
  const compiledFor = (key: string): CompiledResponse | undefined => {
    const response = operation.responses[key];
    if (response === undefined) return undefined;
    const result =
      compiled.get(key) ??
      compileResponse(document, compile, compileStripUndeclared, response, pointerTo('paths', path, method, 'responses', key));
    compiled.set(key, result);
    return result;
  };

  return (response) => {
    const { status, body } = response;
    const headers = Object.fromEntries(
      Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    // OpenAPI 3.0.3, section 4.7.16: an explicit code takes precedence over a range, a range over `default`.
    const declared = compiledFor(String(status)) ?? compiledFor(`${Math.floor(status / 100)}XX`) ?? compiledFor('default');
    if (declared === undefined) {
      const type = body === undefined ? undefined : (response.type ?? 'application/json');
      return { status, headers, type, body, problems: [`response status ${status} is not declared`] };
    }
    const problems = headerProblems(declared, headers);
    const chosen = declared.bodies.find(({ type }) => response.type === undefined || type === response.type);
    if (body === undefined) {
      if (declared.bodies.length > 0) problems.push('response/body is required');
      return { status, headers, type: undefined, body, problems };
    }
    if (chosen === undefined) {
      problems.push(
        declared.bodies.length === 0 ? 'response/body is not declared' : `response media type ${response.type} is not declared`,
      );
      // Without a schema it is not known what may be sent.
      return { status, headers, type: undefined, body: undefined, problems };
    }
    if (!chosen.isJson && typeof body !== 'string' && !Buffer.isBuffer(body))
      problems.push(`response/body must be a string or a Buffer, to be sent as ${chosen.contentType}`);
    if (chosen.validate !== undefined && !chosen.validate(body))
      problems.push(...(chosen.validate.errors ?? []).map((e) => formatAjvError('response/body', e)));
    return { status, headers, type: chosen.contentType, body: chosen.stripUndeclared(body), problems };
  };
}

function compileResponse(
  document: Document,
  compile: CompileSchemaAt,
  compileStripUndeclared: CompileStripUndeclared,
  reference: Response | Reference,
  responsePointer: string,
): CompiledResponse {
  // The pointer of the target, so that a response that many operations refer to is compiled once.
  const { value: response, pointer } = resolveAt<Response>(document, reference, responsePointer);
  const bodies = Object.entries(response.content ?? {}).map(([type, { schema }]): CompiledBody => {
    const isJson = bodyKind(type) === 'json';
    const contentType = concreteType(type);
    if (schema === undefined || !isJson) return { type, contentType, isJson, validate: undefined, stripUndeclared: (value) => value };
    const validate = compile(pointer + pointerTo('content', type, 'schema').slice(1));
    return { type, contentType, isJson, validate, stripUndeclared: compileStripUndeclared(schema) };
  });
  const headers = Object.entries(response.headers ?? {})
    // OpenAPI 3.0.3, section 4.7.17: a response header of this name shall be ignored.
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const resolved = resolveAt<Header>(document, header, pointer + pointerTo('headers', name).slice(1));
      const { type } = resolve<Schema>(document, resolved.value.schema ?? {});
      const numeric = type === 'integer' || type === 'number';
      const required = resolved.value.required ?? false;
      // A header without a schema is text.
      const validate = resolved.value.schema === undefined ? undefined : compile(`${resolved.pointer}/schema`);
      return [name.toLowerCase(), { name, required, numeric, validate }] as const;
    });
  return { bodies, headers: new Map(headers) };
}

/** The type that is sent where a range is declared. */
function concreteType(type: string): string {
  if (!type.includes('*')) return type;
  return { json: 'application/json', text: 'text/plain', form: type, bytes: 'application/octet-stream' }[bodyKind(type)];
}

function headerProblems(declared: CompiledResponse, headers: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [key, { name, required, numeric, validate }] of declared.headers) {
    const value = given.get(key);
    if (value === undefined) {
      if (required) problems.push(`response/header/${name} is required`);
    } else if (validate !== undefined && !validate(numeric ? Number(value) : value)) {
      problems.push(...(validate.errors ?? []).map((error) => formatAjvError(`response/header/${name}`, error)));
    }
  }
  for (const name of given.keys()) {
    if (!declared.headers.has(name) && !UNDECLARED_HEADERS.has(name)) problems.push(`response/header/${name} is not declared`);
  }
  return problems;
}

function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${error.message ?? 'is not valid'}${detail}`;
}
