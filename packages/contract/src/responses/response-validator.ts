/** Validates responses against the contract: status, headers, media type and body, for every status. */
import { validateHeaderValue } from 'node:http';
import { HeaderFields } from '../http/header-fields.ts';
import { serializeBody } from './serialize-body.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import { bodyKind, concreteType, isJson, matchesType } from '../http/media-types.ts';
import { isValidatedText } from '../requests/declared-bodies.ts';
import {
  mediaOf,
  operationKeys,
  pointerTo,
  resolveAt,
  type Document,
  type DocumentOperation,
  type Reference,
  type Response,
} from '../document/openapi.ts';
import type { DocumentModules } from '../document-modules.ts';
import { type CompileSent, type ValidateSent } from './sent-value.ts';
import type { ItemValidator } from './stream-validator.ts';
import { checkHeaders, compileHeaders, headerSchemas, type DeclaredHeaders } from './response-headers.ts';
import { isByteStream, type ByteStream, type ItemStream, type StreamedBody, type UnvalidatedResponse } from './handler-response.ts';

/** Bytes, or items with what each has to be. */
type ValidStream = ByteStream | (ItemStream & ItemValidator);

/** A response that can be sent: header values are strings, `type` is set if there is a body. */
export interface ValidatedResponse {
  readonly status: number;
  /** Those of the pipeline and of the response: a new value, which the sender may add to. */
  readonly headers: HeaderFields;
  /** The headers as the text of a head (`checkHeaders`), if they are only to be written. */
  readonly head?: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
  /** The body as it is sent, if it was validated before. */
  readonly text?: string | Buffer | undefined;
  /** Of a body that is sent as it comes, in the place of `body`. */
  readonly streamed?: ValidStream | undefined;
  /** What breaks the contract, each with its location: `response/body/name is required`. */
  readonly problems: readonly string[];
}

/** What a response is sent with as its body, and what of that breaks the contract. */
export type ValidContent = Pick<ValidatedResponse, 'type' | 'body' | 'text' | 'streamed' | 'problems'>;

export interface ResponseValidator {
  /**
   * @param pipelineHeaders headers that the pipeline has added: those of the response are merged into them.
   * @param content of a response whose body was validated before: its headers alone are validated.
   */
  readonly validateResponse: (response: UnvalidatedResponse, pipelineHeaders?: HeaderFields, content?: ValidContent) => ValidatedResponse;
  /** Validates and writes the body alone: once, for one that is sent time and again. */
  readonly validateContent: (response: Omit<UnvalidatedResponse, 'headers'>) => ValidContent;
}

interface CompiledBody {
  readonly type: string;
  readonly contentType: string;
  /** Whether the body is a JSON value; any other is sent unchanged. */
  readonly isJson: boolean;
  /** Of JSON with a schema, and of a text with that of a string. */
  readonly validate: ValidateSent | undefined;
  readonly items: ItemValidator | undefined;
}

interface CompiledResponse {
  /** `undefined` for a status that is not declared. */
  readonly bodies: readonly CompiledBody[] | undefined;
  readonly headers: DeclaredHeaders;
}

const NO_HEADERS = new HeaderFields();
/** Whatever is declared, these have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const WITHOUT_CONTENT = new Set([204, 205, 304]);

/**
 * Creates what validates the responses of an operation.
 *
 * express-openapi-validator's own validates only what passes through `res.json`, no statuses from 500 on and no headers,
 * and takes an undeclared media type for the first declared one.
 *
 * It throws an Error if a schema does not compile; `assertSchemasCompile` finds those before.
 */
export function createResponseValidator(
  document: Document,
  modules: DocumentModules,
  compile: CompileSchemaAt,
  compileSent: CompileSent,
  { path, method, operation }: DocumentOperation,
): ResponseValidator {
  const undeclared: CompiledResponse = { bodies: undefined, headers: compileHeaders(document, compile, {}, '#') };
  const compiled = new Map<number, CompiledResponse>();
  // Compiled when a status is first sent: most of a large contract is not used in the first minutes.
  const compileStatus = (status: number): CompiledResponse => {
    // OpenAPI 3.0.3, section 4.7.16: an explicit code takes precedence over a range, a range over `default`.
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((name) => operation.responses[name] !== undefined);
    const response = key === undefined ? undefined : operation.responses[key];
    if (key === undefined || response === undefined) return undeclared;
    const given = compileResponse(
      document,
      modules,
      compile,
      compileSent,
      response,
      pointerTo(...operationKeys({ path, method }), 'responses', key),
    );
    const result = WITHOUT_CONTENT.has(status) ? { ...given, bodies: [] } : given;
    compiled.set(status, result);
    return result;
  };

  return {
    validateContent: (response) => {
      const content = contentOf(compiled.get(response.status) ?? compileStatus(response.status), response);
      return { ...content, text: serializeBody(content.type, content.body) };
    },
    validateResponse: (response, pipelineHeaders = NO_HEADERS, known) => {
      const { status } = response;
      const headers = pipelineHeaders.with(response.headers);
      const declared = compiled.get(status) ?? compileStatus(status);
      const problems: string[] = [];
      // Of a status that is not declared, that alone is reported.
      const head = checkHeaders(declared.headers, headers, pipelineHeaders.size, declared === undeclared ? [] : problems);
      const { type, body, text, streamed, problems: others } = known ?? contentOf(declared, response);
      return { status, headers, head, type, body, text, streamed, problems: problems.length === 0 ? others : [...problems, ...others] };
    },
  };
}

function contentOf({ bodies }: CompiledResponse, response: Omit<UnvalidatedResponse, 'headers'>): ValidContent {
  if (bodies === undefined) return undeclaredContent(response);
  const { body, streamed } = response;
  const problems: string[] = [];
  const chosen = chooseBody(bodies, response.type);
  if (streamed !== undefined)
    return { type: chosen?.contentType, body: undefined, streamed: validStream(streamed, chosen, problems), problems };
  if (body === undefined) {
    if (bodies.length > 0) problems.push('response/body is required');
    return { type: undefined, body, problems };
  }
  if (chosen === undefined) {
    problems.push(bodies.length === 0 ? 'response/body is not declared' : `response media type ${response.type} is not declared`);
    // Without a schema it is not known what may be sent.
    return { type: undefined, body: undefined, problems };
  }
  const { isJson: isValue, validate, contentType } = chosen;
  if (!isValue && typeof body !== 'string' && !Buffer.isBuffer(body))
    problems.push(`response/body must be a string or a Buffer, to be sent as ${contentType}`);
  // Bytes are sent as they are.
  const isValidated = validate !== undefined && (isValue || typeof body === 'string');
  return { type: contentType, body: isValidated ? validate(body, 'response/body', problems) : body, problems };
}

function undeclaredContent({ status, body, type = 'application/json' }: Omit<UnvalidatedResponse, 'headers'>): ValidContent {
  return { type: body === undefined ? undefined : type, body, problems: [`response status ${status} is not declared`] };
}

/** @returns `undefined` if the media type has no such stream, which is added to `problems`. */
function validStream(streamed: StreamedBody, chosen: CompiledBody | undefined, problems: string[]): ValidStream | undefined {
  if (chosen === undefined) problems.push('response/body is not declared');
  else if (isByteStream(streamed)) {
    if (!chosen.isJson && chosen.items === undefined) return streamed;
    problems.push(`response/body must not be a stream of bytes, to be sent as ${chosen.contentType}`);
  } else {
    if (chosen.items !== undefined) return { items: streamed.items, ...chosen.items };
    problems.push(`response/body has no items: ${chosen.contentType} declares none`);
  }
  return undefined;
}

/** The body that is declared as a type, or as the range that it is of. */
function chooseBody(bodies: readonly CompiledBody[], type: string | undefined): CompiledBody | undefined {
  if (type === undefined) return bodies[0];
  const exact = bodies.find((body) => body.type === type);
  const range = exact ?? bodies.find((body) => body.type.includes('*') && matchesType(type, body.type) && body.isJson === isJson(type));
  if (range === undefined || range === exact) return exact;
  validateHeaderValue('Content-Type', type);
  return { ...range, contentType: type };
}

function compileResponse(
  document: Document,
  { sentItems }: DocumentModules,
  compile: CompileSchemaAt,
  compileSent: CompileSent,
  reference: Response | Reference,
  responsePointer: string,
): CompiledResponse {
  // The pointer of the target, so that a response that many operations refer to is compiled once.
  const { value: response, pointer } = resolveAt<Response>(document, reference, responsePointer);
  const bodies = mediaOf(response, pointer).map((declared): CompiledBody => {
    const { type, media } = declared;
    const { schema } = media;
    const isValue = bodyKind(type) === 'json';
    const contentType = concreteType(type);
    validateHeaderValue('Content-Type', contentType);
    const items = sentItems?.compileItems(document, compileSent, declared);
    const validate =
      schema === undefined || !(isValue || isValidatedText(document, type, media))
        ? undefined
        : compileSent(schema, `${declared.pointer}/schema`);
    return { type, contentType, isJson: isValue, validate, items };
  });
  return { bodies, headers: compileHeaders(document, compile, response, pointer) };
}

export function responseSchemas(
  document: Document,
  { sentItems }: DocumentModules,
  { path, method, operation }: DocumentOperation,
): { pointer: string; purpose: string }[] {
  return Object.entries(operation.responses).flatMap(([status, reference]) => {
    const { value, pointer } = resolveAt<Response>(document, reference, pointerTo(...operationKeys({ path, method }), 'responses', status));
    const bodies = mediaOf(value, pointer).flatMap(({ type, media, pointer: at }) => {
      const isValue = media.schema !== undefined && (bodyKind(type) === 'json' || isValidatedText(document, type, media));
      const keyword = isValue ? 'schema' : sentItems?.itemSchemaOf(type, media)?.keyword;
      return keyword === undefined ? [] : [`${at}/${keyword}`];
    });
    return [...headerSchemas(document, value, pointer), ...bodies].map((schema) => ({ pointer: schema, purpose: `response ${status}` }));
  });
}
