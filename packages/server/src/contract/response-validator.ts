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
  /** A new object, which the sender may add to. */
  readonly headers: Record<string, string>;
  readonly type: string | undefined;
  readonly body: unknown;
  /** What breaks the contract, each with its location: `response/body/name is required`. */
  readonly problems: readonly string[];
}

/** @param pipelineHeaders headers that the pipeline has added: the response's own override them, and a `Link` joins theirs. */
export type ResponseValidator = (response: UnvalidatedResponse, pipelineHeaders?: Readonly<Record<string, string>>) => ValidatedResponse;

interface CompiledBody {
  /** The media type as it is declared, and as it is sent. */
  readonly type: string;
  readonly contentType: string;
  /** Whether the body is a JSON value; any other is sent unchanged. */
  readonly isJson: boolean;
  readonly validate: ValidateFunction | undefined;
  readonly stripUndeclared: StripUndeclared;
}

interface CompiledHeader {
  readonly name: string;
  readonly required: boolean;
  readonly numeric: boolean;
  readonly validate: ValidateFunction | undefined;
}

interface CompiledResponse {
  readonly bodies: readonly CompiledBody[];
  /** By name, as declared and in lower case. */
  readonly headers: ReadonlyMap<string, CompiledHeader>;
  readonly requiredHeaders: readonly CompiledHeader[];
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

  return (response, pipelineHeaders = NO_HEADERS) => {
    const { status, body } = response;
    const headers = mergeHeaders(pipelineHeaders, response.headers);
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
      return { name, required, numeric, validate };
    });
  return {
    bodies,
    headers: new Map(headers.flatMap((header) => [[header.name, header] as const, [header.name.toLowerCase(), header] as const])),
    requiredHeaders: headers.filter(({ required }) => required),
  };
}

/** The type that is sent where a range is declared. */
function concreteType(type: string): string {
  if (!type.includes('*')) return type;
  return { json: 'application/json', text: 'text/plain', form: type, bytes: 'application/octet-stream' }[bodyKind(type)];
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** The headers of the pipeline and of the response, as text; both may link (RFC 8288, section 3). */
function mergeHeaders(pipeline: Readonly<Record<string, string>>, own: UnvalidatedResponse['headers']): Record<string, string> {
  const headers: Record<string, string> = { ...pipeline };
  for (const name in own) {
    const value = own[name];
    if (value === undefined) continue;
    const link = name === 'Link' ? pipeline['Link'] : undefined;
    headers[name] = link === undefined ? String(value) : `${link}, ${value}`;
  }
  return headers;
}

function headerProblems({ headers: declared, requiredHeaders }: CompiledResponse, headers: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  for (const name in headers) {
    const value = headers[name] ?? '';
    const header = declared.get(name) ?? declared.get(name.toLowerCase());
    if (header === undefined) {
      if (!UNDECLARED_HEADERS.has(name.toLowerCase())) problems.push(`response/header/${name.toLowerCase()} is not declared`);
    } else if (header.validate !== undefined && !header.validate(header.numeric ? Number(value) : value))
      problems.push(...(header.validate.errors ?? []).map((error) => formatAjvError(`response/header/${header.name}`, error)));
  }
  for (const { name } of requiredHeaders) if (!hasHeader(headers, name)) problems.push(`response/header/${name} is required`);
  return problems;
}

/** Names of headers are the same in any case (RFC 9110, section 5.1). */
const hasHeader = (headers: Readonly<Record<string, string>>, name: string): boolean =>
  headers[name] !== undefined || Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase());

function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${error.message ?? 'is not valid'}${detail}`;
}
